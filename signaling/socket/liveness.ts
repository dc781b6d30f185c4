/** Detects clients that are gone or stuck. */
import type { ConnectionRules } from '#signaling/socket/connection-context'

/** The action after a client's silence. */
export type Due = 'silent' | 'endless' | 'idle' | 'ping' | null

/** Times of one client's signs of life, ms. */
export class Liveness {
  readonly #isReserved: boolean
  readonly #openedAt: number
  #lastReceivedMs: number
  #isPinged = false
  /** Time since which it has been in the middle of a message. */
  #midMessageSince: number | null = null

  /** Creates the state of a socket opened at `now`, in a reserved place if `isReserved`. */
  constructor(isReserved: boolean, now: number) {
    this.#isReserved = isReserved
    this.#openedAt = now
    this.#lastReceivedMs = now
  }

  /** Records a sign of life. */
  onReceived(now: number): void {
    this.#lastReceivedMs = now
    this.#isPinged = false
  }

  /** Records if a message is incomplete now; call it before `due`. */
  lookAt(isMidMessage: boolean, now: number): void {
    if (!isMidMessage) this.#midMessageSince = null
    else this.#midMessageSince ??= now
  }

  /** Records the end of a message; the next one may have started. */
  endMessage(): void {
    this.#midMessageSince = null
  }

  /**
   * The action that is due: an end because the client sent no first message, because a message doesn't end, or
   * because the client is gone; or a ping, once per silence.
   */
  due(rules: ConnectionRules, hasSpoken: boolean, now: number): Due {
    const silentMs = this.#isReserved ? rules.reservedSilentMs : rules.silentMs
    const idleMs = now - this.#lastReceivedMs
    if (!hasSpoken && now - this.#openedAt >= silentMs) return 'silent'
    const since = this.#midMessageSince
    if (since !== null && now - since >= rules.messageMs) return 'endless'
    if (idleMs >= rules.idleMs) return 'idle'
    if (this.#isPinged || idleMs < (rules.idleMs * 2) / 3) return null
    this.#isPinged = true
    return 'ping'
  }
}
