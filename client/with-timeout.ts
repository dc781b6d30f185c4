/** Limits the wait for operations that may never complete: a disk, a name service, a search for a server. */
import type { Clock } from '#client/clock'

/** The result of `promise`, or of `otherwise` once `delayMs` have passed. */
export function withTimeout<T>(
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
