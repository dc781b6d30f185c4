// What others published of their own comparisons, in Mbit/s of files. Their computers and paths were others: what can be
// held against ours is how the tools stand to each other.
import { GiB, MiB } from '../lib/trees.mjs'

const bitsPerByte = 8

const quest = 'samsungplay, "On a Quest for the Fastest P2P File Transfer Tool: Thruflux"'
const uringSync = 'Vincent Du, "Building a Fast File Transfer Tool, Part 2"'

/** The rate of each tool, by the seconds that it took. */
const ratesOf = (bytes, seconds) =>
  Object.fromEntries(
    Object.entries(seconds).map(([tool, took]) => [tool, (bytes * bitsPerByte) / took / 1e6]),
  )
/** 10 GiB in one file, or in 1,000 of 10 MiB. */
const single = 10 * GiB
const thousand = 10_000 * MiB

const images = {
  by: `${uringSync}: 100,000 files, 9.7 GB, over the internet`,
  mbit: ratesOf(9.7e9, { 'uring-sync': 165, rsync: 390 }),
}

/** By scenario: who published it, and the rate of each tool there. */
export const published = {
  'long-haul': {
    by: `${quest}: 10 GiB from Chicago to Seoul`,
    mbit: ratesOf(single, {
      'their thruflux': 140,
      croc: 160,
      wormhole: 1340,
      scp: 906,
      rsync: 918,
    }),
  },
  'long-haul-files': {
    by: `${quest}: 1,000 files of 10 MiB from Chicago to Seoul`,
    mbit: ratesOf(thousand, { 'their thruflux': 138, croc: 1173, scp: 1574, rsync: 893 }),
  },
  'short-haul': {
    by: `${quest}, first version: 10 GiB from Chicago to New Jersey`,
    mbit: ratesOf(single, {
      'their thruflux': 94,
      croc: 162,
      wormhole: 165,
      scp: 101,
      rsync: 103,
    }),
  },
  'short-haul-files': {
    by: `${quest}, first version: 1,000 files of 10 MiB from Chicago to New Jersey`,
    mbit: ratesOf(thousand, { 'their thruflux': 91, croc: 562, scp: 140, rsync: 99 }),
  },
  'lan-small': {
    by: `${uringSync}: 10,000 files, 60 MB, over the internet`,
    mbit: ratesOf(60e6, { 'uring-sync': 2.98, rsync: 2.63 }),
  },
  'dataset-large': {
    by: `${uringSync}: 100,000 files, 589 MB, over the internet`,
    mbit: ratesOf(589e6, { 'uring-sync': 16.4, rsync: 24.8 }),
  },
  'dataset-images': images,
  'dataset-wan': images,
  'long-fat': {
    by: 'iAnatoly, "Quickly transferring large files over high-latency WAN link using UDR/UDT": 10 GiB over about 60 ms',
    mbit: {
      'UDR (rsync over UDT)': ratesOf(single, { udr: 85 }).udr,
      ...ratesOf(single, { scp: 396 }),
    },
  },
}

const sweep = (...megabytes) => megabytes.map((rate) => rate * bitsPerByte)

/** By growth: the rates of each tool at its points. */
export const publishedGrowths = {
  'growth-rtt': {
    by: '"Compared performance of different file transfer protocols over latency": 80 MB, 0.2% lost and 10% of jitter, TCP without a rate',
    points: [0.5, 10, 50, 100, 200, 300],
    mbit: {
      axel: sweep(63, 23, 20, 13.4, 10, 8.1),
      udt: [undefined, undefined, undefined, undefined, undefined, 0.092 * bitsPerByte],
      uftp: sweep(1.4, 0.7, 0.6, 0.6, 0.5, 0.3),
      wget: sweep(63, 29, 16.1, 5.8, 2.4, 1.9),
      scp: sweep(40, 26.7, 6.7, 4.7, 4.4, 3.5),
      rsync: sweep(11.2, 9.8, 4.3, 4.3, 2.5, 3.1),
    },
  },
}
