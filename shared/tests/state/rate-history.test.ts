import { describe, expect, it } from 'vitest'
import { limits } from '#shared/limits'
import type { RateSample } from '#shared/state/app-state'
import { addToHistory, axisEnd, minuteMs, speedsOf, summaryOf } from '#shared/state/rate-history'

/** Ten counters a second, as the engine sends them. */
function run(durationMs: number, bytesAt: (atMs: number) => number): readonly RateSample[] {
  let history: readonly RateSample[] = []
  for (let atMs = 0; atMs <= durationMs; atMs += 100) {
    history = addToHistory(history, { atMs, bytes: bytesAt(atMs) })
    expect(history.length).toBeLessThanOrEqual(limits.historySamples)
  }
  return history
}

describe('the history of a transfer', () => {
  it('keeps a sample a second for the last minute, however long it takes', () => {
    const history = run(3_600_000, (atMs) => atMs * 5)
    const recent = history.filter(({ atMs }) => atMs >= 3_600_000 - minuteMs)
    expect(recent.length).toBeGreaterThanOrEqual(59)
    expect(history[0]).toEqual({ atMs: 0, bytes: 0 })
    expect(history.at(-1)).toEqual({ atMs: 3_600_000, bytes: 18_000_000 })
  })

  it('loses no bytes by thinning', () => {
    const history = run(1_200_000, (atMs) => (atMs < 600_000 ? atMs * 10 : 6_000_000 + atMs))
    const speeds = speedsOf(history, 0)
    const sum = speeds.reduce(
      ({ bytes, sinceMs }, { atMs, bytesPerSecond }) => ({
        bytes: bytes + (bytesPerSecond * (atMs - sinceMs)) / 1000,
        sinceMs: atMs,
      }),
      { bytes: 0, sinceMs: 0 },
    )
    expect(sum.bytes).toBeCloseTo((history.at(-1)?.bytes ?? 0) - (history[0]?.bytes ?? 0), 0)
  })

  it('shows a pause as zero, not as a slow transfer', () => {
    const before = run(5000, (atMs) => atMs)
    const after = addToHistory(before, { atMs: 65_000, bytes: 6000 })
    const rates = speedsOf(after, 0).map(({ bytesPerSecond }) => bytesPerSecond)
    expect(rates.at(-2)).toBe(0)
    expect(rates.at(-1)).toBe(1000)
  })

  it('starts over when the clock decreases, and shows no progress when a counter does', () => {
    const history = run(5000, (atMs) => atMs)
    expect(addToHistory(history, { atMs: 100, bytes: 1 })).toEqual([{ atMs: 100, bytes: 1 }])
    const back = addToHistory(history, { atMs: 6000, bytes: 10 })
    expect(speedsOf(back, 0).at(-1)?.bytesPerSecond).toBe(0)
  })
})

describe('the summary of a graph', () => {
  it('weights speeds by their time', () => {
    const speeds = [
      { atMs: 9000, bytesPerSecond: 100 },
      { atMs: 10_000, bytesPerSecond: 1100 },
    ]
    expect(summaryOf(speeds, 0)).toEqual({ least: 100, most: 1100, average: 200 })
    expect(summaryOf([], 0)).toBeNull()
  })

  it.each([
    [0, 1],
    [1, 1],
    [99, 100],
    [118e6, 120e6],
    [201, 300],
    [900, 1000],
  ])('ends its axis above %d at %d', (most, end) => {
    expect(axisEnd(most)).toBe(end)
  })
})
