/** A bound for what may never be answered: a disk, a name service, a server that is being looked for. */
import type { Clock } from '#client/clock'

/** The result of `promise`, or of `otherwise` when `delayMs` of the clock pass before. */
export function within<T>(
  clock: Clock,
  delayMs: number,
  promise: Promise<T>,
  otherwise: () => T,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(delayMs, () => resolve(otherwise()))
    void promise.then(resolve, reject).finally(cancel)
  })
}
