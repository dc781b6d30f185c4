/** A rate limit. */

export type Rate = { readonly perSecond: number; readonly burst: number }

/** Returns a function that returns true while its calls stay within the rate; `nowMs` is a monotonic clock. */
export function createThrottle({ perSecond, burst }: Rate, nowMs: () => number): () => boolean {
  let left = burst
  let lastMs = nowMs()
  return () => {
    const thenMs = lastMs
    lastMs = nowMs()
    left = Math.min(burst, left + ((lastMs - thenMs) / 1000) * perSecond)
    if (left < 1) return false
    left -= 1
    return true
  }
}
