/** Why a store that is outside of this process didn't do what it was asked for. */
export const storeTroubles = [
  /** There is no connection to it, or it ended before the answer. */
  'unreachable',
  /** No answer within the time that it is given. */
  'slow',
  /** It has no memory left for something new. */
  'full',
  /** So much waits for it already that nothing more is sent. */
  'queue',
  /** The other nodes took this one for dead. */
  'evicted',
  /** Others changed the same thing again and again. */
  'conflict',
  /** It answered with an error. */
  'failed',
] as const

/** One of `storeTroubles`. */
export type StoreTrouble = (typeof storeTroubles)[number]

/** Nothing is wrong with who asked: it may come again, and what already runs goes on. */
export class StoreError extends Error {
  readonly trouble: StoreTrouble

  constructor(trouble: StoreTrouble, detail = '') {
    super(detail === '' ? trouble : `${trouble}: ${detail}`)
    this.name = 'StoreError'
    this.trouble = trouble
  }
}
