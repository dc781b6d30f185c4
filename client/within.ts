/** A bound for what may never be answered: a disk, a name service, a server that is being looked for. */
import type { Clock } from '#client/clock'

/** What `promise` settles to, or after `delayMs` of the clock what `otherwise` makes. */
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
