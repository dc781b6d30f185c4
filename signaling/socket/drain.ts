/**
 * Closes the sockets of a stopping node in stages, so that the other nodes don't receive all clients
 * within a second. Clients that are pairing go last.
 */
import type { Clock } from '#signaling/clock'

/** The part of a socket that a drain needs. */
export type Drainable = {
  /** True while its client is pairing. */
  readonly isPairing: boolean
  /** Closes it with the code of a stopping server. */
  readonly end: () => void
}

/** Steps, evenly spread over the time. */
const steps = 20

/** Ends sockets within `ms`; `left` returns the remaining ones. Stops when there are none. */
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
