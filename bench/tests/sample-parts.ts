const run = (seconds: number) => ({ seconds, cpu: seconds * 2, load: 1 })

/** A part that is measured in bytes. */
export const samplePart = {
  name: 'quic',
  what: 'a connection',
  unit: 'B',
  limit: 'TCP',
  amount: 2e9,
  runs: [1, 2, 4].map(run),
  limits: [0.5, 0.5, 2].map(run),
}

/** A result of two parts of the engine. */
export const sampleParts = {
  format: 'parts 1',
  scenario: 'engine',
  isChanged: false,
  what: 'parts of the engine in isolation',
  commit: '0123abcd',
  date: '2026-01-01T00:00:00.000Z',
  host: { cpu: 'A processor', cores: 2, memoryGiB: 24, kernel: '6.18' },
  inMemory: true,
  parts: [
    samplePart,
    {
      name: 'scan',
      what: 'a tree',
      unit: 'entries',
      limit: 'readdir',
      amount: 100_000,
      runs: [0.25, 0.25, 0.25].map(run),
      limits: [0.2, 0.2, 0.2].map(run),
    },
  ],
}

/** The sample result with other times for one part. */
export const withTimes = (name: string, seconds: readonly number[]) => ({
  ...sampleParts,
  commit: '4567cdef',
  parts: sampleParts.parts.map((part) =>
    part.name === name ? { ...part, runs: seconds.map(run) } : part,
  ),
})
