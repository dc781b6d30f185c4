// What is measured over a growing number. `axis` names it, `points` are its values, and each of the `lines` is measured at
// all of them from its `least` to its `most`, by its tool: by the tool of its name unless it names one. `shows` is what
// is drawn, `each` the unit of x for which its growth is told. From `once` on one run is enough. `pathAt` is the path at a
// point; without it sender and receiver are linked directly.
import { GiB, KiB, MiB } from '../../lib/trees.mjs'

const roundTrips = [1, 10, 50, 100, 200, 300]

export const growths = {
  'growth-size': {
    what: 'one file of a growing size over a direct link',
    ...{ axis: 'size', shows: 'seconds', each: GiB },
    points: [MiB, 16 * MiB, 256 * MiB, GiB, 4 * GiB, 16 * GiB, 64 * GiB],
    ...{ once: 16 * GiB, files: 1, seconds: 900 },
    lines: [
      { name: 'file', tool: 'thru', about: 'full of data, from memory to memory', most: 4 * GiB },
      {
        ...{ name: 'sparse', tool: 'thru', source: 'sparse', least: GiB },
        about: 'a sixty-fourth of it is data, the rest holes',
      },
      {
        ...{ name: 'output', tool: 'thru-output', source: 'zeros', least: GiB },
        about: 'all of it is read, sent and verified, and no disk has to hold it',
      },
    ],
  },
  'growth-files': {
    what: 'a growing number of files of 1 KiB over a direct link',
    ...{ axis: 'files', shows: 'seconds', each: 1 },
    // With their folders these are nearly a million entries, half of what an offer may have.
    points: [1, 10, 100, 1000, 10_000, 100_000, 990_000],
    ...{ once: 990_000, bytes: KiB, seconds: 300 },
    lines: [{ name: 'thru' }, { name: 'tar' }, { name: 'rsync', most: 100_000 }],
  },
  'growth-rtt': {
    what: '80 MB over a growing round trip, 100 Mbit/s, 0.2% lost and 10% of jitter',
    ...{ axis: 'rtt', shows: 'mbit', points: roundTrips },
    ...{ files: 1, bytes: 80e6, seconds: 40 },
    pathAt: (rtt) => ({ rtt, rate: 100, loss: 0.2, jitter: rtt / 20 }),
    lines: ['thru', 'axel', 'udt', 'uftp', 'wget', 'scp', 'rsync'].map((name) => ({ name })),
  },
  'growth-rtt-fast': {
    what: '512 MiB over a growing round trip, 500 Mbit/s without loss',
    ...{ axis: 'rtt', shows: 'mbit', points: roundTrips },
    ...{ files: 1, bytes: 512 * MiB, seconds: 60 },
    pathAt: (rtt) => ({ rtt, rate: 500 }),
    lines: ['thru', 'croc', 'wget', 'scp', 'udt'].map((name) => ({ name })),
  },
  'growth-receivers': {
    what: 'a growing number of receivers at once over a direct link',
    ...{ axis: 'receivers', shows: 'seconds', each: 1 },
    points: [1, 2, 5, 10, 20, 50, 100],
    ...{ once: 50, files: 1, seconds: 300 },
    lines: [
      {
        ...{ name: '64 MiB', tool: 'thru-output', bytes: 64 * MiB },
        about: 'a file of 64 MiB for each',
      },
      {
        ...{ name: 'a byte', tool: 'thru-output', bytes: 1 },
        about: 'the same with one byte: start and connection of so many programs on one computer',
      },
    ],
  },
}

const inUnits = (bytes) => {
  const [unit, name] = [
    [GiB, 'GiB'],
    [MiB, 'MiB'],
    [KiB, 'KiB'],
    [1, 'B'],
  ].find(([least]) => bytes >= least)
  return `${Number((bytes / unit).toPrecision(3))} ${name}`
}

const counted = (count) => count.toLocaleString('en-US')

/** Of each axis: its title, a value of it in words and as a mark of a plot, the caption there, and its unit. */
export const axes = {
  size: { title: 'size', words: inUnits, mark: inUnits, caption: '', unit: 'GiB' },
  files: { title: 'files', words: counted, mark: counted, caption: 'files', unit: 'file' },
  rtt: {
    title: 'round trip',
    ...{ words: (ms) => `${ms} ms`, mark: String, caption: 'ms round trip', unit: 'ms' },
  },
  receivers: {
    title: 'receivers',
    ...{ words: counted, mark: counted, caption: 'receivers', unit: 'receiver' },
  },
}
