const run = (seconds: number, mbit: number, more: object = {}) => ({
  seconds,
  mbit,
  arrived: 80e6,
  cpu: { sender: 1, receiver: 1 },
  peak: { sender: 80 * 2 ** 20, receiver: 100 * 2 ** 20 },
  load: 1,
  ...more,
})
const late = (mbit: number) => run(40, mbit, { error: 'not there after 40 s', arrived: 8e6 })

const facts = {
  format: 'growth 1',
  isChanged: false,
  commit: '0123abcd',
  date: '2026-01-01T00:00:00.000Z',
  host: { cpu: 'A processor', cores: 2, memoryGiB: 24, kernel: '6.18' },
  tcp: 'cubic',
  realTimePriority: 0,
}
const raw = { tcp: [], udp: [98] }
const path = (rtt: number) => ({ rtt, rate: 100, loss: 0.2 })

/** Rates over a round trip; one tool is not there in time at the end. */
export const sampleSweep = {
  ...facts,
  scenario: 'growth-rtt',
  what: '80 MB over a growing round trip',
  axis: 'rtt',
  shows: 'mbit',
  lines: [
    { name: 'scp', about: 'scp', isOurs: false, version: '9.2' },
    { name: 'thru', about: 'ours', isOurs: true, version: '0.1.0' },
  ],
  missing: ['udt'],
  points: [
    {
      ...{ x: 1, path: path(1), raw, leftOut: [] },
      tools: [
        { name: 'thru', total: 80e6, runs: [run(7, 92), run(7.2, 90), run(7.1, 91)] },
        { name: 'scp', total: 80e6, runs: [run(7.1, 91)] },
      ],
    },
    {
      ...{ x: 100, path: path(100), raw, leftOut: ['udt'] },
      tools: [
        { name: 'thru', total: 80e6, runs: [run(8, 80)] },
        { name: 'scp', total: 80e6, runs: [late(4)] },
      ],
    },
  ],
}

/** Seconds over a number of files: the second step takes 1 ms for each file, the third as much. */
export const sampleFiles = {
  ...facts,
  scenario: 'growth-files',
  what: 'a growing number of files',
  axis: 'files',
  shows: 'seconds',
  each: 1,
  lines: [
    { name: 'thru', about: 'ours', isOurs: true },
    { name: 'tar', about: 'tar', isOurs: false },
  ],
  missing: [],
  points: [
    [1, 0.5],
    [1000, 1.499],
    [10_000, 10.499],
  ].map(([x = 0, seconds = 0]) => ({
    ...{ x, leftOut: [], raw: { tcp: [], udp: [] } },
    tools: [
      { name: 'thru', total: x, runs: [run(seconds, 1)] },
      ...(x < 10_000 ? [{ name: 'tar', total: x, runs: [run(0.1, 1)] }] : []),
    ],
  })),
}
