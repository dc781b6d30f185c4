/** Whether a client is still there. */
import type { ConnectionRules } from '#signaling/socket/connection-context'

/** What is to be done about a client's silence. */
export type Due = 'silent' | 'endless' | 'idle' | 'ping' | null

/** When one client was heard; times in ms. */
export class Liveness {
  readonly #isReserved: boolean
  readonly #openedAt: number
  #heardAt: number
  #isPinged = false
  /** Since when it was seen in the middle of a message. */
  #midMessageSince: number | null = null

  /** For a socket that is opened at `now`, perhaps in a reserved place. */
  constructor(isReserved: boolean, now: number) {
    this.#isReserved = isReserved
    this.#openedAt = now
    this.#heardAt = now
  }

  /** The client gave a sign of life. */
  heard(now: number): void {
    this.#heardAt = now
    this.#isPinged = false
  }

  /** Whether it is in the middle of a message now; to be called before `due`. */
  lookAt(isMidMessage: boolean, now: number): void {
    if (!isMidMessage) this.#midMessageSince = null
    else this.#midMessageSince ??= now
  }

  /** A message is whole; the next may have begun. */
  endMessage(): void {
    this.#midMessageSince = null
  }

  /**
   * What is due: an end because it never said what it wants, because a message has no end, or because it
   * is gone, or a question whether it is, once for each silence.
   */
  due(rules: ConnectionRules, hasSpoken: boolean, now: number): Due {
    const silentMs = this.#isReserved ? rules.reservedSilentMs : rules.silentMs
    const idleMs = now - this.#heardAt
    if (!hasSpoken && now - this.#openedAt >= silentMs) return 'silent'
    const since = this.#midMessageSince
    if (since !== null && now - since >= rules.messageMs) return 'endless'
    if (idleMs >= rules.idleMs) return 'idle'
    if (this.#isPinged || idleMs < (rules.idleMs * 2) / 3) return null
    this.#isPinged = true
    return 'ping'
  }
}
