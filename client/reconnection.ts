/** When a lost sender is looked for again, and when no more. */
import type { Clock } from '#client/clock'
import { reconnectDelayMs } from '#client/signaling-client'
import type { AppError, ErrorCode } from '#shared/errors'
import { isPassing } from '#shared/errors'

/** A laptop moves to another network, a computer restarts; later a person decides. */
const giveUpMs = 10 * 60_000

/**
 * While a sender itself is on its way back: its old place may still be taken by the lost connection
 * of this receiver, and its code is unknown to a server that has just started.
 */
const passingOnReturn: ReadonlySet<ErrorCode> = new Set(['E_NO_SUCH_CODE', 'E_TOO_MANY_RECEIVERS'])

/** Counts the attempts of one receive since it last got on. */
export class Reconnection {
  readonly #clock: Clock
  readonly #random: () => number
  #attempts = 0
  #sinceMs = 0
  /** The attempt that waits for its time. */
  #waiting: { readonly cancel: () => void; readonly run: () => void } | null = null

  constructor(clock: Clock, random: () => number) {
    this.#clock = clock
    this.#random = random
  }

  /**
   * After a loss: what to do about `error`, and the number of the attempt if there is one, which
   * `run` begins after a pause.
   */
  next(error: AppError, run: () => void): 'hopeless' | 'too-late' | { readonly attempt: number } {
    const isReturning = this.#attempts > 0
    if (!isPassing(error) && !(isReturning && passingOnReturn.has(error.code))) return 'hopeless'
    if (!isReturning) this.#sinceMs = this.#clock.now()
    const delayMs = reconnectDelayMs(this.#attempts + 1, this.#random)
    if (this.#clock.now() + delayMs - this.#sinceMs > giveUpMs) return 'too-late'
    this.#attempts += 1
    this.#wait(delayMs, run)
    return { attempt: this.#attempts }
  }

  /** The attempt that waits begins at once: the computer woke up. */
  hurry(): void {
    const waiting = this.#waiting
    if (waiting === null) return
    waiting.cancel()
    this.#wait(0, waiting.run)
  }

  /** Data flows again: the next loss is a new one. */
  succeeded(): void {
    this.#attempts = 0
  }

  /** No attempt follows. */
  stop(): void {
    this.#waiting?.cancel()
    this.#waiting = null
  }

  #wait(delayMs: number, run: () => void): void {
    const cancel = this.#clock.after(delayMs, () => {
      this.#waiting = null
      run()
    })
    this.#waiting = { cancel, run }
  }
}
