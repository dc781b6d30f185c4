import { describe, expect, it } from 'vitest'
import { addSample, averageRate, bytesPerSecond, secondsLeft } from '#shared/format/rate'
import { limits } from '#shared/limits'
import type { RateSample } from '#shared/state/app-state'
import { allFetched } from '#shared/testing/figures'

/** Ten samples a second of a transfer that runs at `speed(atMs)` bytes per second. */
function run(durationMs: number, speed: (atMs: number) => number): readonly RateSample[] {
  let samples: readonly RateSample[] = []
  let bytes = 0
  for (let atMs = 0; atMs <= durationMs; atMs += 100) {
    samples = addSample(samples, { atMs, bytes })
    bytes += speed(atMs) / 10
  }
  return samples
}

describe('addSample', () => {
  it('keeps the newest sample last and no more than the limit', () => {
    const samples = run(60_000, () => 1000)
    expect(samples).toHaveLength(limits.rateSamples)
    expect(samples.at(-1)).toEqual({ atMs: 60_000, bytes: 60_000 })
  })

  it('spans about 15 seconds at ten counters a second', () => {
    const samples = run(60_000, () => 1000)
    expect(60_000 - (samples[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(15_000)
  })

  it('starts over when the counter or the clock decreases', () => {
    const samples = run(1000, () => 1000)
    expect(addSample(samples, { atMs: 1100, bytes: 5 })).toEqual([{ atMs: 1100, bytes: 5 }])
    expect(addSample(samples, { atMs: 900, bytes: 5000 })).toEqual([{ atMs: 900, bytes: 5000 }])
  })
})

describe('bytesPerSecond', () => {
  it('is unknown at the start', () => {
    expect(bytesPerSecond([], 0)).toBeNull()
    expect(
      bytesPerSecond(
        run(300, () => 1000),
        300,
      ),
    ).toBeNull()
  })

  it('is exact at a steady speed', () => {
    expect(
      bytesPerSecond(
        run(10_000, () => 5_000_000),
        10_000,
      ),
    ).toBeCloseTo(5_000_000, 3)
  })

  it('does not change in the gap between two counters', () => {
    const samples = run(10_000, () => 5_000_000)
    expect(bytesPerSecond(samples, 10_900)).toBe(bytesPerSecond(samples, 10_000))
  })

  it('counts only data after a resumed start', () => {
    const resumed = addSample([{ atMs: 0, bytes: 60e9 }], { atMs: 1000, bytes: 60e9 + 2000 })
    expect(bytesPerSecond(resumed, 1000)).toBeCloseTo(2000, 3)
  })

  it('approaches a new speed within five seconds', () => {
    const samples = run(15_000, (atMs) => (atMs < 10_000 ? 1000 : 9000))
    expect(bytesPerSecond(samples, 15_000)).toBeGreaterThan(6000)
  })

  it('falls while nothing arrives', () => {
    const samples = run(10_000, () => 1000)
    const afterFive = bytesPerSecond(samples, 15_000) ?? 0
    const afterTwenty = bytesPerSecond(samples, 30_000) ?? 0
    expect(afterFive).toBeLessThan(600)
    expect(afterTwenty).toBeLessThan(afterFive / 5)
  })
})

describe('secondsLeft', () => {
  const progress = (samples: readonly RateSample[], totalBytes: number) => {
    const bytes = samples.at(-1)?.bytes ?? 0
    return { files: 0, totalFiles: 1, bytes, totalBytes, transferred: 0, ...allFetched, samples }
  }

  it('divides the rest by the speed', () => {
    const samples = run(10_000, () => 1000)
    expect(secondsLeft(progress(samples, 40_000), 10_000)).toBeCloseTo(30, 3)
  })

  it('is zero when everything is received', () => {
    expect(secondsLeft(progress([], 0), 0)).toBe(0)
  })

  it('is unknown while nothing moves', () => {
    expect(
      secondsLeft(
        progress(
          run(10_000, () => 0),
          40_000,
        ),
        10_000,
      ),
    ).toBeNull()
  })
})

describe('averageRate', () => {
  it('is the transferred data divided by the time', () => {
    expect(averageRate(3000, 3000, 2000)).toBe(1500)
    expect(averageRate(3000, 6000, 2000)).toBe(1500)
  })

  it('is unknown within a second, for holes, and without transferred data', () => {
    expect(averageRate(3000, 3000, 999)).toBeNull()
    expect(averageRate(104, 5e9, 2000)).toBeNull()
    expect(averageRate(0, 0, 2000)).toBeNull()
    expect(averageRate(54e6, 10, 3000)).toBeNull()
  })
})
