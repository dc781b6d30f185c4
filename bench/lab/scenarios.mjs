// What can be measured by name. `files` of `bytes` each are sent; without a `path` sender and receiver are linked
// directly. `seconds` is how long a tool may take.

const MiB = 2 ** 20
const GiB = 2 ** 30

const wan = { rtt: 100, rate: 300, loss: 0.2 }

export const scenarios = {
  lan: { what: '1 GiB over a direct link', files: 1, bytes: GiB, seconds: 120 },
  'lan-large': { what: '4 GiB over a direct link', files: 1, bytes: 4 * GiB, seconds: 300 },
  'lan-small': {
    what: '10,000 files of 6 kB over a direct link',
    files: 10_000,
    bytes: 6000,
    seconds: 120,
  },
  wan: { what: '256 MiB over a lossy long path', files: 1, bytes: 256 * MiB, path: wan },
  'wan-small': {
    what: '1,000 files of 256 KiB over the same path',
    files: 1000,
    bytes: MiB / 4,
    path: wan,
  },
  'wan-fast': {
    what: '1 GiB over a fast long path without loss',
    files: 1,
    bytes: GiB,
    path: { rtt: 160, rate: 700 },
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
}

/** How long a tool may take over an emulated path. */
export const usualSeconds = 120
