/**
 * Notices that the computer slept, or that this program was stopped: a timer comes late. The window
 * learns of it from its system instead.
 */
import type { Clock } from '#client/clock'

const tickMs = 1000

/** Above what a busy computer makes a timer late, and below what breaks a connection to a server. */
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
  return () => {
    stop()
  }
}
