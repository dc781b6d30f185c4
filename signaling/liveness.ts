/** Whether a client is still there. */
import type { ConnectionRules } from '#signaling/connection-context'

/** What is to be done about a client's silence. */
export type Due = 'silent' | 'idle' | 'ping' | null

/** When one client was heard; times in ms. */
export class Liveness {
  readonly #isReserved: boolean
  readonly #openedAt: number
  #heardAt: number
  #isPinged = false

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

  /**
   * What is due: an end because it never said what it wants, or because it is gone, or a question
   * whether it is, once for each silence.
   */
  due(rules: ConnectionRules, hasSpoken: boolean, now: number): Due {
    const silentMs = this.#isReserved ? rules.reservedSilentMs : rules.silentMs
    const idleMs = now - this.#heardAt
    if (!hasSpoken && now - this.#openedAt >= silentMs) return 'silent'
    if (idleMs >= rules.idleMs) return 'idle'
    if (this.#isPinged || idleMs < (rules.idleMs * 2) / 3) return null
    this.#isPinged = true
    return 'ping'
  }
}
