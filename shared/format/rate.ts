/** Speed and time left from (bytes, at) samples. Computed for display, never stored. */
import { limits } from '#shared/limits'
import type { Progress, RateSample } from '#shared/state/app-state'

/** Samples closer than this replace each other, so that `limits.rateSamples` span 15 seconds. */
const sampleSpacingMs = 250

/** A sample's weight halves about every 3 s: a new speed shows within seconds, a burst does not. */
const timeConstantMs = 4000

/** A gap up to this length between two counters is normal, and not counted as a stall. */
const normalGapMs = 1000

/** Over a shorter span a speed would be a guess. */
const minSpanMs = 500

/**
 * Adds a sample, to at most `limits.rateSamples`, the newest always last. Starts over if the clock or the counter
 * decreased.
 */
export function addSample(samples: readonly RateSample[], next: RateSample): readonly RateSample[] {
  const last = samples.at(-1)
  if (last === undefined || next.atMs < last.atMs || next.bytes < last.bytes) return [next]
  const beforeLast = samples.at(-2)
  const crowded = beforeLast !== undefined && last.atMs - beforeLast.atMs < sampleSpacingMs
  return [...(crowded ? samples.slice(0, -1) : samples), next].slice(-limits.rateSamples)
}

/** Smoothed speed as of `nowMs`; `null` while there are too few samples. */
export function bytesPerSecond(samples: readonly RateSample[], nowMs: number): number | null {
  const first = samples[0]
  const last = samples.at(-1)
  if (first === undefined || last === undefined) return null
  if (Math.max(last.atMs, nowMs) - first.atMs < minSpanMs) return null

  let weightedBytes = 0
  let weightedMs = 0
  const add = (bytes: number, durationMs: number, ageMs: number): void => {
    const weight = Math.exp(-Math.max(0, ageMs) / timeConstantMs)
    weightedBytes += weight * bytes
    weightedMs += weight * durationMs
  }
  for (const [index, sample] of samples.entries()) {
    const before = samples[index - 1]
    if (before === undefined) continue
    add(sample.bytes - before.bytes, sample.atMs - before.atMs, nowMs - sample.atMs)
  }
  add(0, Math.max(0, nowMs - last.atMs - normalGapMs), 0)
  return weightedMs > 0 ? (weightedBytes / weightedMs) * 1000 : null
}

/**
 * Bytes a second over a whole transfer; `null` if it took less than a second. Also `null` when most of the new bytes,
 * `came`, were holes and not sent, or when failed files more than doubled the bytes sent.
 */
export const averageRate = (transferred: number, came: number, tookMs: number): number | null =>
  transferred === 0 || tookMs < 1000 || 2 * transferred < came || transferred > 2 * came
    ? null
    : (transferred * 1000) / tookMs

/** Seconds until the rest is received at the current speed; `null` when unknown or stalled. */
export function secondsLeft(progress: Progress, nowMs: number): number | null {
  const rest = progress.totalBytes - progress.bytes
  if (rest <= 0) return 0
  const rate = bytesPerSecond(progress.samples, nowMs)
  return rate === null || rate < 1 ? null : rest / rate
}
