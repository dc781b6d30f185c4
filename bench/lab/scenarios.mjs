// The scenarios by name. They send `files` of `bytes` each; without a `path`, the computers are linked directly. Files
// are received into memory, or onto a disk with `isOnDisk`. `seconds` limits a tool; `tools` are the default tools.
import { GiB, MiB } from '../lib/trees.mjs'

/** Chicago to Seoul: the delay of light in fiber with detours, and the rate that was reached there. */
const longHaul = { rtt: 160, rate: 700 }
/** Chicago to New Jersey. */
const shortHaul = { rtt: 20, rate: 1000 }
const haulTools = ['thru', 'croc', 'wormhole', 'scp', 'rsync']
const datasetTools = ['thru', 'tar', 'rsync']

const wan = { rtt: 100, rate: 300, loss: 0.2 }

export const scenarios = {
  lan: { what: '1 GiB over a direct link', files: 1, bytes: GiB, seconds: 120 },
  'lan-routed': {
    what: '1 GiB between two networks of one site',
    ...{ files: 1, bytes: GiB, path: { rtt: 0.3, isSite: true } },
  },
  'lan-large': { what: '4 GiB over a direct link', files: 1, bytes: 4 * GiB, seconds: 300 },
  'lan-disk': {
    what: '2 GiB over a direct link onto a disk',
    ...{ files: 1, bytes: 2 * GiB, seconds: 300, isOnDisk: true },
    tools: ['thru', 'dd', 'croc', 'wormhole', 'scp', 'rsync', 'wget'],
  },
  'lan-small': {
    what: '10,000 files of 6 kB over a direct link',
    files: 10_000,
    bytes: 6000,
    seconds: 120,
    tools: [...datasetTools, 'croc', 'wormhole', 'scp', 'wget', 'uftp'],
  },
  wan: { what: '256 MiB over a lossy long path', files: 1, bytes: 256 * MiB, path: wan },
  'wan-small': {
    what: '1,000 files of 256 KiB over the same path',
    files: 1000,
    bytes: MiB / 4,
    path: wan,
  },
  'wan-lossy': {
    what: '128 MiB over a path that loses 2%',
    files: 1,
    bytes: 128 * MiB,
    path: { rtt: 40, rate: 200, loss: 2 },
  },
  'wan-lossier': {
    what: '128 MiB over a path that loses 5%',
    files: 1,
    bytes: 128 * MiB,
    path: { rtt: 40, rate: 200, loss: 5 },
  },
  'wan-nat': {
    what: '64 MiB between two port-restricted NATs',
    files: 1,
    bytes: 64 * MiB,
    path: { rtt: 40, rate: 200 },
    nat: { sender: 'port-restricted', receiver: 'port-restricted' },
  },
  'wan-reordered': {
    what: '128 MiB over a path that reorders',
    files: 1,
    bytes: 128 * MiB,
    path: { rtt: 40, rate: 200, late: 2, lateBy: [5, 30] },
  },
  'long-haul': {
    what: '1 GiB over 160 ms and 700 Mbit/s, as from Chicago to Seoul',
    ...{ files: 1, bytes: GiB, path: longHaul, tools: haulTools },
  },
  'long-haul-files': {
    what: '100 files of 10 MiB over the same path',
    ...{ files: 100, bytes: 10 * MiB, path: longHaul, tools: haulTools },
  },
  'short-haul': {
    what: '1 GiB over 20 ms and 1 Gbit/s, as from Chicago to New Jersey',
    ...{ files: 1, bytes: GiB, path: shortHaul, tools: haulTools },
  },
  'short-haul-files': {
    what: '100 files of 10 MiB over the same path',
    ...{ files: 100, bytes: 10 * MiB, path: shortHaul, tools: haulTools },
  },
  'dataset-large': {
    what: '100,000 files, 589 MB, over a direct link',
    ...{ files: 100_000, bytes: 5890, tools: datasetTools },
  },
  'dataset-images': {
    what: '20,000 files, 1.94 GB, over a direct link',
    ...{ files: 20_000, bytes: 97_000, tools: datasetTools },
  },
  'dataset-wan': {
    what: '10,000 files, 970 MB, over 40 ms and 500 Mbit/s',
    ...{ files: 10_000, bytes: 97_000, path: { rtt: 40, rate: 500 }, tools: datasetTools },
  },
  'long-fat': {
    what: '1 GiB over 60 ms and 1 Gbit/s',
    ...{ files: 1, bytes: GiB, path: { rtt: 60, rate: 1000 }, tools: ['thru', 'scp'] },
  },
}

/** Time limit of a tool over an emulated path, in seconds. */
export const usualSeconds = 120
