/** The code of a share: its words, its place at the server, and the time in which it is good. */
import type { Clock } from '#client/clock'
import { makeJoinCode } from '#shared/join-code'

/** What a code needs, and who learns of its end. */
export type ShareCodeOptions = {
  readonly clock: Clock
  readonly newWords: () => string
  readonly lifeMs: number
  /** Its life is over; once for each code. */
  readonly onExpired: () => void
}

/** One for a share; `renew` makes it another. */
export class ShareCode {
  readonly #options: ShareCodeOptions
  #words: string
  #nameplate: string | null = null
  #text: string | null = null
  #endsAtMs: number | null = null
  #cancel: () => void = () => undefined

  constructor(options: ShareCodeOptions) {
    this.#options = options
    this.#words = options.newWords()
  }

  /** When its life is over, Unix milliseconds; `null` before anybody could know it. */
  get endsAtMs(): number | null {
    return this.#endsAtMs
  }

  /**
   * The code with the nameplate that the server gave, and whether it is new. Another nameplate than
   * before comes with other words: those who got the old code, or tried words on it, start over.
   */
  at(nameplate: string): { readonly text: string; readonly isNew: boolean } {
    if (this.#nameplate !== null && this.#nameplate !== nameplate) {
      this.#words = this.#options.newWords()
    }
    this.#nameplate = nameplate
    const text = makeJoinCode(nameplate, this.#words)
    const isNew = text !== this.#text
    this.#text = text
    if (this.#endsAtMs === null) this.#begin()
    return { text, isNew }
  }

  /** Other words, and a new life once they have a place. */
  renew(): void {
    this.stop()
    this.#words = this.#options.newWords()
    this.#nameplate = null
    this.#endsAtMs = null
  }

  /** Its end will not be reported. */
  stop(): void {
    this.#cancel()
  }

  #begin(): void {
    const { clock, lifeMs, onExpired } = this.#options
    this.#endsAtMs = clock.now() + lifeMs
    this.#cancel = clock.after(lifeMs, onExpired)
  }
}
