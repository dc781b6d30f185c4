/** Back-off and give-up policy for reconnecting. */
import type { Clock } from '#client/clock'
import { reconnectDelayMs } from '#client/signaling/signaling-client'
import type { AppError, ErrorCode } from '#shared/errors'
import { isPassing } from '#shared/errors'

/** A laptop moves to another network, a computer restarts; later a person decides. */
const giveUpMs = 10 * 60_000

/** Neither a pause nor an attempt takes so long, a silent list included: the computer slept. */
const sleptMs = 7 * 60_000

/**
 * While a sender itself is on its way back: its old place may still be taken by the lost connection
 * of this receiver, and its code is unknown to a server that has just started. And while this computer
 * moves to another network: there a page that asks for a login may answer in the server's place. And
 * while a person enters the server's next password.
 */
const passingOnReturn: ReadonlySet<ErrorCode> = new Set([
  'E_NO_SUCH_CODE',
  'E_TOO_MANY_RECEIVERS',
  'E_SERVER_PROTOCOL',
  'E_SERVER_PASSWORD',
])

/** Counts the attempts of one receive since it was lost. */
export class Reconnection {
  readonly #clock: Clock
  readonly #random: () => number
  #attempts = 0
  /** Since data came; a sender that is found and lost again and again is asked ever more rarely. */
  #failures = 0
  /** Time of the loss, or of what restarts the ten minutes of the search. */
  #sinceMs = 0
  /** When a pause or an attempt began. */
  #stepMs = 0
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
    const triedMs = isReturning ? Math.max(0, this.#clock.now() - this.#stepMs) : 0
    this.#step(!isReturning)
    // From the beginning of one attempt to that of the next: one that waited at the server for the
    // sender goes on waiting almost without a pause.
    const backoffMs = reconnectDelayMs(this.#failures + 1, this.#random)
    const delayMs = Math.max(reconnectDelayMs(1, this.#random), backoffMs - triedMs)
    if (this.#stepMs + delayMs - this.#sinceMs > giveUpMs) return 'too-late'
    this.#attempts += 1
    this.#failures += 1
    this.#wait(delayMs, run)
    return { attempt: this.#attempts }
  }

  /** The computer woke up: its network may need a while, and the attempt that waits begins at once. */
  hurry(): void {
    this.#step(true)
    const waiting = this.#waiting
    if (waiting === null) return
    waiting.cancel()
    this.#wait(0, waiting.run)
  }

  /** The sender was found again and serves this receive: the next loss is a new one. */
  returned(): void {
    this.#attempts = 0
  }

  /** Data flows again. */
  succeeded(): void {
    this.#attempts = 0
    this.#failures = 0
  }

  /** No attempt follows. */
  stop(): void {
    this.#waiting?.cancel()
    this.#waiting = null
  }

  /**
   * A pause or an attempt begins; the ten minutes do, too, when `isAnew`, after a sleep, and when the
   * clock was set back: nobody knows then how many of them are over.
   */
  #step(isAnew: boolean): void {
    const nowMs = this.#clock.now()
    const passedMs = nowMs - this.#stepMs
    if (isAnew || passedMs < 0 || passedMs >= sleptMs) this.#sinceMs = nowMs
    this.#stepMs = nowMs
  }

  #wait(delayMs: number, run: () => void): void {
    const cancel = this.#clock.after(delayMs, () => {
      this.#waiting = null
      this.#step(false)
      run()
    })
    this.#waiting = { cancel, run }
  }
}
