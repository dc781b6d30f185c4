const run = (mbit: number, more: object = {}) => ({
  seconds: 8000 / mbit,
  mbit,
  arrived: 1e9,
  cpu: { sender: 1.5, receiver: 2 },
  peak: { sender: 2 ** 20, receiver: 2 ** 21 },
  load: 1,
  ...more,
})

/** A result with every kind of row. */
export const sampleResult = {
  format: 1,
  scenario: 'wan',
  isChanged: false,
  what: 'a file over a path',
  files: 1,
  total: 1e9,
  path: { rtt: 100, rate: 300 },
  commit: '0123abcd',
  date: '2026-01-01T00:00:00.000Z',
  host: { cpu: 'A processor', cores: 2, memoryGiB: 24, kernel: '6.18' },
  tcp: 'cubic',
  raw: { tcp: [200, 220], udp: [290] },
  tools: [
    {
      name: 'slow',
      about: 'a tool',
      runs: [run(10, { error: 'unfinished after 9 s', arrived: 5e8 })],
    },
    { name: 'other', about: 'a tool', runs: [run(50)] },
    { name: 'thru', about: 'ours', version: '0.1.0', runs: [run(147.2), run(250), run(100)] },
  ],
  missing: ['croc'],
}

/** The sample result with other rates for one tool. */
export const withRates = (name: string, rates: readonly number[]) => ({
  ...sampleResult,
  commit: '4567cdef',
  tools: sampleResult.tools.map((tool) =>
    tool.name === name ? { ...tool, runs: rates.map((mbit) => run(mbit)) } : tool,
  ),
})
