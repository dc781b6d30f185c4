/**
 * Temporary credentials for a TURN server, as coturn's `use-auth-secret` checks them
 * (draft-uberti-behave-turn-rest): both know a secret, and the user name contains the expiry.
 */
import { createHmac } from 'node:crypto'
import type { ServerMessage } from '#shared/signaling/messages'
import type { Clock } from '#signaling/clock'
import type { ServerConfig } from '#signaling/config/server-config'

/** A client's access to a relay. */
export type TurnAccess = Omit<Extract<ServerMessage, { readonly t: 'turn' }>, 't' | 'peer'>

/** The TURN servers, their secret, and the lifetime of credentials. */
export type TurnRules = Pick<ServerConfig, 'turnUrls' | 'turnSecret' | 'turnTtl'>

/** Makes credentials without contacting the TURN server. */
export class TurnService {
  readonly #rules: TurnRules
  readonly #clock: Clock

  constructor(rules: TurnRules, clock: Clock) {
    this.#rules = rules
    this.#clock = clock
  }

  /**
   * Credentials for a client at `address`. The name after the time is the same for the whole address, because coturn
   * applies its `user-quota` by name; a key hides the address. The name contains no session, or each session would have
   * its own quota.
   */
  issue(address: string): TurnAccess {
    const { turnUrls, turnSecret, turnTtl } = this.#rules
    const expiry = Math.floor(this.#clock.wallTime() / 1000) + turnTtl
    const name = createHmac('sha256', turnSecret).update(`thruflux relay 1 ${address}`)
    const username = `${expiry}:${name.digest('hex').slice(0, 16)}`
    const credential = createHmac('sha1', turnSecret).update(username).digest('base64')
    return { urls: [...turnUrls], username, credential, ttlS: turnTtl }
  }
}

/** The service for these settings; `null` without relays. */
export const turnServiceOf = (rules: TurnRules, clock: Clock): TurnService | null =>
  rules.turnUrls.length > 0 ? new TurnService(rules, clock) : null
