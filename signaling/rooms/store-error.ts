/** Reasons for a failure of an external store. */
export const storeErrors = [
  /** There is no connection, or it ended before the response. */
  'unreachable',
  /** No response in time. */
  'slow',
  /** The store has no memory left for new data. */
  'full',
  /** Too many requests wait already, so no more are sent. */
  'queue',
  /** The other nodes considered this one dead. */
  'evicted',
  /** Other changes of the same room kept interfering. */
  'conflict',
  /** The store returned an error. */
  'failed',
] as const

/** One of `storeErrors`. */
export type StoreErrorKind = (typeof storeErrors)[number]

/** The caller did nothing wrong: the client can try again, and running shares continue. */
export class StoreError extends Error {
  readonly kind: StoreErrorKind

  constructor(kind: StoreErrorKind, detail = '') {
    super(detail === '' ? kind : `${kind}: ${detail}`)
    this.name = 'StoreError'
    this.kind = kind
  }
}
