/** The server's clock; tests replace it. */
export interface Clock {
  /** Milliseconds since 1970; never jumps when the computer's clock is set. */
  now(): number
  /** Milliseconds since 1970 by the computer's clock, for values that other programs compare. */
  wallTime(): number
  /** Calls `run` once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, run: () => void): () => void
}

/** The process's clock, anchored to the wall clock at its start. */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  wallTime: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
}
