/**
 * Access to a TURN server for a limited time, as coturn's `use-auth-secret` checks it
 * (draft-uberti-behave-turn-rest): both know a secret, and the name says until when it is good.
 */
import { createHmac } from 'node:crypto'
import type { ServerMessage } from '#shared/signaling'
import type { Clock } from '#signaling/clock'
import type { ServerConfig } from '#signaling/config'
import type { Random } from '#signaling/random'

/** What a client needs to have a relay. */
export type TurnAccess = Omit<Extract<ServerMessage, { readonly t: 'turn' }>, 't' | 'peer'>

/** Which TURN server, and for how long. */
export type TurnRules = Pick<ServerConfig, 'turnUrls' | 'turnSecret' | 'turnTtl'>

/** Makes credentials; the TURN server itself is never asked. */
export class TurnService {
  readonly #rules: TurnRules
  readonly #clock: Clock
  readonly #random: Random

  constructor(rules: TurnRules, clock: Clock, random: Random) {
    this.#rules = rules
    this.#clock = clock
    this.#random = random
  }

  /** Credentials under a name that nobody had before, so that quotas of the TURN server count them alone. */
  issue(): TurnAccess {
    const { turnUrls, turnSecret, turnTtl } = this.#rules
    const expiry = Math.floor(this.#clock.wallTime() / 1000) + turnTtl
    const username = `${expiry}:${this.#random.bytes(8).toString('hex')}`
    const credential = createHmac('sha1', turnSecret).update(username).digest('base64')
    return { urls: [...turnUrls], username, credential, ttlS: turnTtl }
  }
}
