/**
 * Access to a TURN server for a limited time, as coturn's `use-auth-secret` checks it
 * (draft-uberti-behave-turn-rest): both know a secret, and the name says until when it is good.
 */
import { createHmac } from 'node:crypto'
import type { ServerMessage } from '#shared/signaling/messages'
import type { Clock } from '#signaling/clock'
import type { ServerConfig } from '#signaling/config/server-config'

/** What a client needs to have a relay. */
export type TurnAccess = Omit<Extract<ServerMessage, { readonly t: 'turn' }>, 't' | 'peer'>

/** Which TURN server, and for how long. */
export type TurnRules = Pick<ServerConfig, 'turnUrls' | 'turnSecret' | 'turnTtl'>

/** Makes credentials; the TURN server itself is never asked. */
export class TurnService {
  readonly #rules: TurnRules
  readonly #clock: Clock

  constructor(rules: TurnRules, clock: Clock) {
    this.#rules = rules
    this.#clock = clock
  }

  /**
   * Credentials for whoever is at `address`. The name behind the time is the same for all of this
   * address, and coturn counts its `user-quota` by it; the key keeps it from revealing the address. No session is in it: each
   * would have a quota of its own then.
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

/** What makes credentials by these settings; `null` without relays. */
export const turnServiceOf = (rules: TurnRules, clock: Clock): TurnService | null =>
  rules.turnUrls.length > 0 ? new TurnService(rules, clock) : null
