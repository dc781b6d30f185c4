/**
 * Limits a joiner until its host admits it, and restricts its messages to that host. All of them arrive on
 * one socket, so they are counted here, and the store isn't asked about messages that lead nowhere.
 */
import { type CloseCode, closeCodes } from '#shared/signaling/messages'
import { type Bucket, fullBucket, type Rate, takeToken } from '#signaling/limits/rate-limiter'

/** Limits of every joiner. */
export type JoinerRules = {
  /** Messages between its join and its grant. */
  readonly messages: Rate
  /** Characters of bodies that it may relay before its grant. */
  readonly maxChars: number
  /** Bodies for recipients other than its host. */
  readonly strays: Rate
  /** Time from its introduction to its grant, ms. */
  readonly grantMs: number
}

/** The decision about a body; a close code means that the joiner exceeded its limit and is closed. */
export type Verdict = 'pass' | 'stray' | CloseCode

/** The limits of one joiner. */
export class JoinerBounds {
  /** The host's id for this joiner, its only peer ever. */
  #peer: string | null = null
  #introducedAt = Infinity
  #isLetIn = false
  #said: number
  #strays: Bucket | null = null

  /** `said` is the number of characters in its join. */
  constructor(said: number) {
    this.#said = said
  }

  /** The host's id, once the joiner was introduced to it. */
  get peer(): string | null {
    return this.#peer
  }

  /** True once its host has admitted it. */
  get isLetIn(): boolean {
    return this.#isLetIn
  }

  /** Records the introduction to its host. */
  introduce(peer: string, now: number): void {
    this.#peer = peer
    this.#introducedAt = now
  }

  /** Records that its host has admitted it. */
  letIn(): void {
    this.#isLetIn = true
  }

  /** Counts a body of `chars` characters for `to`. */
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

  /** True if its host didn't admit it in time. */
  isLate(rules: JoinerRules, now: number): boolean {
    return !this.#isLetIn && now - this.#introducedAt >= rules.grantMs
  }
}
