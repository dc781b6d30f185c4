/** The speed of a whole transfer from a bounded number of samples, and the figures of its graph. */
import { limits } from '#shared/limits'
import type { RateSample } from '#shared/state/app-state'

/** The last minute has a sample a second; the longer the transfer, the sparser the older ones. */
const spacingMs = 1000
export const minuteMs = 60_000

/** Counters arrive ten times a second: after this gap no data arrived, and the speed was zero. */
const silenceMs = 2500

/** Adds a sample, to at most `limits.historySamples`, the newest always last. Starts over if the clock went back. */
export function addToHistory(
  history: readonly RateSample[],
  next: RateSample,
): readonly RateSample[] {
  const last = history.at(-1)
  if (last === undefined || next.atMs < last.atMs) return [next]
  const before = history.at(-2)
  const isCrowded = before !== undefined && last.atMs - before.atMs < spacingMs
  const kept = isCrowded && next.atMs - last.atMs < silenceMs ? history.slice(0, -1) : history
  const silence =
    next.atMs - last.atMs < silenceMs ? [] : [{ atMs: next.atMs - spacingMs, bytes: last.bytes }]
  return thinned([...kept, ...silence, next])
}

/** Thins out samples older than a minute until half of all places are free again. */
function thinned(history: readonly RateSample[]): readonly RateSample[] {
  const first = history[0]
  const last = history.at(-1)
  if (first === undefined || last === undefined) return history
  if (history.length <= limits.historySamples) return history
  const recentFrom = last.atMs - minuteMs
  const recent = history.filter(({ atMs }) => atMs >= recentFrom)
  const places = Math.max(1, limits.historySamples / 2 - recent.length)
  const stepMs = Math.max(spacingMs, (recentFrom - first.atMs) / places)
  let keptMs = -Infinity
  const older = history.filter(({ atMs }) => {
    if (atMs >= recentFrom || atMs - keptMs < stepMs) return false
    keptMs = atMs
    return true
  })
  return [...older, ...recent].slice(-limits.historySamples)
}

/** The speed from the previous point to this one. */
export type SpeedPoint = { readonly atMs: number; readonly bytesPerSecond: number }

/** The speeds between samples that end after `fromMs`. A counter that decreased counts as no progress. */
export const speedsOf = (history: readonly RateSample[], fromMs: number): readonly SpeedPoint[] =>
  history.flatMap((sample, index) => {
    const before = history[index - 1]
    if (before === undefined || sample.atMs <= Math.max(before.atMs, fromMs)) return []
    const bytes = Math.max(0, sample.bytes - before.bytes)
    return [{ atMs: sample.atMs, bytesPerSecond: (bytes / (sample.atMs - before.atMs)) * 1000 }]
  })

export type SpeedSummary = {
  readonly least: number
  readonly most: number
  /** Weighted by time, not by sample. */
  readonly average: number
}

/** The figures of some speeds; `null` without any. */
export function summaryOf(speeds: readonly SpeedPoint[], fromMs: number): SpeedSummary | null {
  const last = speeds.at(-1)
  if (last === undefined) return null
  const rates = speeds.map(({ bytesPerSecond }) => bytesPerSecond)
  let bytes = 0
  let sinceMs = fromMs
  for (const { atMs, bytesPerSecond } of speeds) {
    bytes += bytesPerSecond * (atMs - sinceMs)
    sinceMs = atMs
  }
  const average = last.atMs > fromMs ? bytes / (last.atMs - fromMs) : last.bytesPerSecond
  return { least: Math.min(...rates), most: Math.max(...rates), average }
}

/** The end of an axis: the lowest round number not below `most`. Half of it is round, too. */
export function axisEnd(most: number): number {
  if (most <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(most))
  const factor = [1, 1.2, 1.6, 2, 3, 4, 5, 6, 8].find((one) => one * power >= most) ?? 10
  return factor * power
}
