/** The application's source of time, replaced in tests. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number
  /** Calls `run` once after `delayMs`, unless the returned function is called first. */
  after(delayMs: number, run: () => void): () => void
}

/** The computer's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
}
