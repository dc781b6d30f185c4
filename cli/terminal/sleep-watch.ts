/**
 * Detects that the computer slept, or that this program was stopped, by a timer that fires late. The
 * window is notified by its system instead.
 */
import type { Clock } from '#client/clock'

const tickMs = 1000

/** Longer than a busy computer delays a timer, and shorter than a break of the server connection. */
const lateMs = 10_000

/** Calls `onWake` after each sleep of more than 10 s, until the returned function is called. */
export function watchSleep(clock: Clock, onWake: () => void): () => void {
  let stop = (): void => undefined
  const wait = (): void => {
    const sinceMs = clock.now()
    stop = clock.after(tickMs, () => {
      wait()
      if (clock.now() - sinceMs > tickMs + lateMs) onWake()
    })
  }
  wait()
  return () => stop()
}
