import type { Clock } from '#signaling/clock'

/** Short beside what a client notices, long beside what looking costs. */
export const delayEveryMs = 100

/** Reports how late each of a row of timers comes, in seconds. Returns what ends the row. */
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
