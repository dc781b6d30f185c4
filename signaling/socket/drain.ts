/**
 * How a node that others can stand in for lets its sockets go: some at a time, so that the others don't get all
 * of them in one second, and those last whose clients are just about to pair.
 */
import type { Clock } from '#signaling/clock'

/** A socket as far as its end is concerned. */
export type Drainable = {
  /** Its client pairs just now. */
  readonly isPairing: boolean
  /** Says that the server goes. */
  readonly end: () => void
}

/** In so many steps, evenly over the time. */
const steps = 20

/** Ends sockets within `ms`; `left` are those that are still there. Stops when there is none. */
export async function drain(
  left: () => readonly Drainable[],
  ms: number,
  clock: Clock,
): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    const sockets = left()
    if (sockets.length === 0) return
    const isLast = step === steps - 1
    const share = Math.ceil(sockets.length / (steps - step))
    const calm = sockets.filter(({ isPairing }) => !isPairing)
    for (const { end } of isLast ? sockets : calm.slice(0, share)) end()
    if (!isLast) await new Promise<void>((resolve) => void clock.after(ms / steps, resolve))
  }
}
