import type { Clock } from '#signaling/clock'

/** Shorter than a delay that clients notice, and far longer than the check takes. */
export const delayEveryMs = 100

/** Reports the delay of each of a series of timers, in seconds. Returns a function that ends the series. */
export function watchLoopDelay(clock: Clock, report: (seconds: number) => void): () => void {
  let cancel = (): void => undefined
  const arm = (): void => {
    const due = clock.now() + delayEveryMs
    cancel = clock.after(delayEveryMs, () => {
      report(Math.max(0, clock.now() - due) / 1000)
      arm()
    })
  }
  arm()
  return () => cancel()
}
