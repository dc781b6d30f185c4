/** The code of a share: its words, its place at the server, and the time in which it is good. */
import type { Clock } from '#client/clock'
import { makeJoinCode } from '#shared/code/join-code'

/** What a code needs, and who learns of its end. */
export type ShareCodeOptions = {
  readonly clock: Clock
  /** Draws words. */
  readonly newWords: () => string
  readonly lifeMs: number
  /** Its life is over; once for each code. */
  readonly onExpired: () => void
  /** Words that a person chose, or that it had before a restart; else they are drawn. */
  readonly words: string | undefined
  /** The code that the share had before a restart. */
  readonly restored?: RestoredCode | null
}

/** A code and the end of its life. */
type RestoredCode = {
  readonly nameplate: string
  readonly endsAtMs: number
}

/** One for a share; `renew` makes it another. */
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

  /** When its life is over, Unix milliseconds; `null` before anybody could know it. */
  get endsAtMs(): number | null {
    return this.#endsAtMs
  }

  /**
   * The code with the nameplate that the server gave, and whether it is new. Another nameplate than
   * before comes with other words, drawn ones: those who got the old code, or tried words on it, start over.
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

  /** It and later ones live so long, counted from now. */
  setLife(lifeMs: number): void {
    this.#lifeMs = lifeMs
    if (this.#endsAtMs === null) return
    this.stop()
    this.#begin(this.#options.clock.now() + lifeMs)
  }

  /** Other words, chosen or drawn ones, and a new life once they have a place. */
  renew(chosen?: string): void {
    this.stop()
    this.#words = chosen ?? this.#options.newWords()
    this.#nameplate = null
    this.#endsAtMs = null
  }

  /** The computer woke up: on some systems no timer has counted its sleep, and its life may be over. */
  noticeWake(): void {
    if (this.#endsAtMs === null) return
    this.stop()
    this.#begin(this.#endsAtMs)
  }

  /** Its end will not be reported. */
  stop(): void {
    this.#cancel()
  }

  #begin(endsAtMs: number): void {
    const { clock, onExpired } = this.#options
    this.#endsAtMs = endsAtMs
    // A clock that was wrong then, or is wrong now, makes it years: more than a timer can count.
    const leftMs = Math.min(Math.max(0, endsAtMs - clock.now()), this.#lifeMs)
    this.#cancel = clock.after(leftMs, onExpired)
  }
}
