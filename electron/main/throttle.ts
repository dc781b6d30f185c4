/** A bound on how often something may be asked for. */

export type Rate = { readonly perSecond: number; readonly burst: number }

/** True as long as calls keep to the rate; `nowMs` is a clock that never jumps. */
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
