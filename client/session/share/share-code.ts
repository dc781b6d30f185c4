/** The code of a share: its words, its nameplate and its lifetime. */
import type { Clock } from '#client/clock'
import { makeJoinCode } from '#shared/code/join-code'

/** Dependencies and initial state of a code. */
export type ShareCodeOptions = {
  readonly clock: Clock
  readonly newWords: () => string
  readonly lifeMs: number
  /** Called once for each code whose lifetime is over. */
  readonly onExpired: () => void
  /** Words that a person chose or that an earlier program had; random by default. */
  readonly words: string | undefined
  /** The code that the share had before a restart. */
  readonly restored?: RestoredCode | null
}

type RestoredCode = {
  readonly nameplate: string
  readonly endsAtMs: number
}

/** Each share has one; `renew` replaces the code. */
export class ShareCode {
  readonly #options: ShareCodeOptions
  #lifeMs: number
  #words: string
  #nameplate: string | null = null
  #text: string | null = null
  #endsAtMs: number | null = null
  #cancel: () => void = () => undefined

  constructor(options: ShareCodeOptions) {
    this.#options = options
    const { restored = null } = options
    this.#lifeMs = options.lifeMs
    this.#words = options.words ?? options.newWords()
    this.#nameplate = restored?.nameplate ?? null
    if (restored !== null) this.#begin(restored.endsAtMs)
  }

  /** The secret part. */
  get words(): string {
    return this.#words
  }

  /** The end of the lifetime in Unix milliseconds; `null` before the code exists. */
  get endsAtMs(): number | null {
    return this.#endsAtMs
  }

  /**
   * The code with the server's nameplate; `isNew` if it changed. A different nameplate gets newly drawn words, so that
   * people with the old code, or guesses at it, gain nothing.
   */
  at(nameplate: string): { readonly text: string; readonly isNew: boolean } {
    if (this.#nameplate !== null && this.#nameplate !== nameplate) {
      this.#words = this.#options.newWords()
    }
    this.#nameplate = nameplate
    const text = makeJoinCode(nameplate, this.#words)
    const isNew = text !== this.#text
    this.#text = text
    if (this.#endsAtMs === null) this.#begin(this.#options.clock.now() + this.#lifeMs)
    return { text, isNew }
  }

  /** Sets the lifetime of this and later codes, counted from now. */
  setLife(lifeMs: number): void {
    this.#lifeMs = lifeMs
    if (this.#endsAtMs === null) return
    this.stop()
    this.#begin(this.#options.clock.now() + lifeMs)
  }

  /** Replaces the words with chosen or drawn ones; a new lifetime begins with the next nameplate. */
  renew(chosen?: string): void {
    this.stop()
    this.#words = chosen ?? this.#options.newWords()
    this.#nameplate = null
    this.#endsAtMs = null
  }

  /** Checks the lifetime after a wake-up, because some systems stop timers during sleep. */
  onWake(): void {
    if (this.#endsAtMs === null) return
    this.stop()
    this.#begin(this.#endsAtMs)
  }

  /** Prevents the report of its end. */
  stop(): void {
    this.#cancel()
  }

  #begin(endsAtMs: number): void {
    const { clock, onExpired } = this.#options
    this.#endsAtMs = endsAtMs
    // Limits the remaining time: with a wrong clock it can be years, more than a timer supports.
    const leftMs = Math.min(Math.max(0, endsAtMs - clock.now()), this.#lifeMs)
    this.#cancel = clock.after(leftMs, onExpired)
  }
}
