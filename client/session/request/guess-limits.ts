/**
 * Limits guesses at the words of a request, by the numbers of docs/protocol.md. The requester shows its proof first, so
 * each run is a guess from then on, and stays one unless the other side's proof is right.
 */
import type { Guesses } from '#shared/state/app-state'

const maxWrong = 50
const maxWrongInTotal = 200
const maxOpen = 3
const burst = 10
const intervalMs = 2000
const wrongWithoutDelay = 5
const maxDelayMs = 30_000

/** The pause between two runs because of wrong guesses. */
const delayAfterMs = (wrong: number): number =>
  wrong < wrongWithoutDelay ? 0 : Math.min(1000 * 2 ** (wrong - wrongWithoutDelay), maxDelayMs)

/** One run of the pairing. */
export class GuessRun {
  readonly #limits: GuessLimits
  readonly #renewals: number
  #stage: 'begun' | 'shown' | 'over' = 'begun'

  /** Made by `GuessLimits.begin`. */
  constructor(limits: GuessLimits, renewals: number) {
    this.#limits = limits
    this.#renewals = renewals
  }

  /** Call it before the proof is sent. */
  shown(): void {
    if (this.#stage !== 'begun') return
    this.#stage = 'shown'
    this.#limits.count(1, this.#renewals)
  }

  /** The other side knows the words. */
  proven(): void {
    if (this.#stage === 'shown') this.#limits.count(-1, this.#renewals)
    if (this.#stage !== 'over') this.#limits.end(true)
    this.#stage = 'over'
  }

  /** The run is over. */
  end(): void {
    if (this.#stage !== 'over') this.#limits.end(false)
    this.#stage = 'over'
  }
}

/** Each request has one. */
export class GuessLimits {
  #wrong = 0
  #wrongInTotal = 0
  #renewals = 0
  #open = 0
  /** The time at which all runs so far are paid for, at the allowed rate. */
  #paidMs = 0
  #lastMs = 0

  /** The guesses so far, including runs that may still be proven. */
  get guesses(): Guesses {
    const spent = this.#wrongInTotal >= maxWrongInTotal
    return { wrong: this.#wrong, locked: spent || this.#wrong >= maxWrong, spent }
  }

  /** True while a run may still turn out to be no guess. */
  get isOpen(): boolean {
    return this.#open > 0
  }

  /** The earliest time for the next run; `null` while none may begin. */
  nextMs(nowMs: number): number | null {
    if (this.guesses.locked || this.#open >= maxOpen) return null
    const byRate = this.#paidMs - (burst - 1) * intervalMs
    return Math.max(nowMs, byRate, this.#lastMs + delayAfterMs(this.#wrong))
  }

  begin(nowMs: number): GuessRun {
    this.#open += 1
    this.#paidMs = Math.max(this.#paidMs, nowMs) + intervalMs
    this.#lastMs = nowMs
    return new GuessRun(this, this.#renewals)
  }

  /** A person made another code. */
  renew(): void {
    this.#wrong = 0
    this.#renewals += 1
  }

  /** Called only by `GuessRun`. */
  count(change: 1 | -1, renewals: number): void {
    this.#wrongInTotal += change
    if (renewals === this.#renewals) this.#wrong += change
  }

  /** Called only by `GuessRun`. */
  end(isProven: boolean): void {
    this.#open -= 1
    if (isProven) this.#paidMs -= intervalMs
  }
}
