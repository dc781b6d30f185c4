/**
 * What bounds a joiner until its host lets it in, and whom it may speak to. Its one socket says all of it, so it is
 * counted here, and no store has to hear of what goes nowhere.
 */
import { type CloseCode, closeCodes } from '#shared/signaling/messages'
import { type Bucket, fullBucket, type Rate, takeToken } from '#signaling/limits/rate-limiter'

/** Bounds of every joiner. */
export type JoinerRules = {
  /** Messages from its join to its grant. */
  readonly messages: Rate
  /** What it may have passed on before its grant, characters of bodies. */
  readonly maxChars: number
  /** Bodies for anybody but its host. */
  readonly strays: Rate
  /** From its introduction to its grant, ms. */
  readonly grantMs: number
}

/** What is to be done about a body; with a close code it was too much, and the joiner goes. */
export type Verdict = 'pass' | 'stray' | CloseCode

/** One joiner. */
export class JoinerBounds {
  /** The host, as this joiner knows it: the only peer that it ever has. */
  #peer: string | null = null
  #introducedAt = Infinity
  #isLetIn = false
  #said: number
  #strays: Bucket | null = null

  /** `said` are the characters that came with the join. */
  constructor(said: number) {
    this.#said = said
  }

  /** The host, once the joiner was introduced to it. */
  get peer(): string | null {
    return this.#peer
  }

  /** Its host has let it in. */
  get isLetIn(): boolean {
    return this.#isLetIn
  }

  /** It has a host now. */
  introduce(peer: string, now: number): void {
    this.#peer = peer
    this.#introducedAt = now
  }

  /** Its host lets it in. */
  letIn(): void {
    this.#isLetIn = true
  }

  /** Counts a body of so many characters for `to`. */
  judge(rules: JoinerRules, to: string, chars: number, now: number): Verdict {
    if (!this.#isLetIn) {
      this.#said += chars
      if (this.#said > rules.maxChars) return closeCodes.refused
    }
    if (to === this.#peer) return 'pass'
    const strays = takeToken(this.#strays ?? fullBucket(rules.strays, now), rules.strays, now)
    if (strays === null) return closeCodes.tooManyMessages
    this.#strays = strays
    return 'stray'
  }

  /** True when its host has had its time to let it in. */
  isLate(rules: JoinerRules, now: number): boolean {
    return !this.#isLetIn && now - this.#introducedAt >= rules.grantMs
  }
}
