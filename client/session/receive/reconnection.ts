/** Back-off and give-up policy for reconnecting. */
import type { Clock } from '#client/clock'
import { reconnectDelayMs } from '#client/signaling/signaling-client'
import { type AppError, isPassing, isPassingOnReturn } from '#shared/errors'

/** Enough for a laptop to change networks, or a computer to restart; then a person decides. */
const giveUpMs = 10 * 60_000

/** No pause or attempt takes this long, even with a silent list, so the computer slept. */
const sleptMs = 7 * 60_000

/** Counts the attempts of one receive since it was lost. */
export class Reconnection {
  readonly #clock: Clock
  readonly #random: () => number
  #attempts = 0
  /** Failures since data last arrived, so that repeated losses of a found sender lengthen the pauses. */
  #failures = 0
  /** The time of the loss, or of the event that restarted the ten minutes. */
  #sinceMs = 0
  /** The start of the current pause or attempt. */
  #stepMs = 0
  #waiting: { readonly cancel: () => void; readonly run: () => void } | null = null

  constructor(clock: Clock, random: () => number) {
    this.#clock = clock
    this.#random = random
  }

  /**
   * Decides about `error` after a loss. Returns the number of the next attempt, which `run` starts after a pause.
   * `patient`: never too late.
   */
  next(
    error: AppError,
    run: () => void,
    patient = false,
  ): 'hopeless' | 'too-late' | { readonly attempt: number } {
    const isReturning = this.#attempts > 0
    if (!(isReturning ? isPassingOnReturn(error) : isPassing(error))) return 'hopeless'
    const triedMs = isReturning ? Math.max(0, this.#clock.now() - this.#stepMs) : 0
    this.#step(!isReturning)
    // The back-off spans from the start of one attempt to that of the next. An attempt that waited at the server for
    // the sender therefore continues almost without a pause.
    const backoffMs = reconnectDelayMs(this.#failures + 1, this.#random)
    const delayMs = Math.max(reconnectDelayMs(1, this.#random), backoffMs - triedMs)
    if (!patient && this.#stepMs + delayMs - this.#sinceMs > giveUpMs) return 'too-late'
    this.#attempts += 1
    this.#failures += 1
    this.#wait(delayMs, run)
    return { attempt: this.#attempts }
  }

  /** Call it after a wake-up: the ten minutes start again, and a scheduled attempt starts immediately. */
  hurry(): void {
    this.#step(true)
    const waiting = this.#waiting
    if (waiting === null) return
    waiting.cancel()
    this.#wait(0, waiting.run)
  }

  /** The sender was found and serves this receive again: the next loss is a new one. */
  returned(): void {
    this.#attempts = 0
  }

  /** Call it when data flows again. */
  succeeded(): void {
    this.#attempts = 0
    this.#failures = 0
  }

  /** Cancels the next attempt. */
  stop(): void {
    this.#waiting?.cancel()
    this.#waiting = null
  }

  /**
   * Starts a pause or an attempt. The ten minutes start again if `isAnew`, after a sleep, or if the
   * clock was set back, because the elapsed time is unknown then.
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
