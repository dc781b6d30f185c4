/** Rate limits that all nodes share, for every limited action. */
import type { Clock } from '#signaling/clock'
import {
  type AddressRate,
  AddressRates,
  type Rate,
  RateLimiter,
} from '#signaling/limits/rate-limiter'
import type { PassId } from '#signaling/rooms/passes'

/** Actions with a rate per address. */
export const actions = [
  'hosts',
  'joins',
  /** Joins of addresses that join rarely. */
  'seldomJoins',
  /** Joins of one address to one nameplate. */
  'joinsPerNameplate',
  /** Joins and attaches that named something unknown. */
  'misses',
  'listens',
  'notifications',
  /** Credentials for relays. */
  'grants',
] as const

/** One of `actions`. */
export type Action = (typeof actions)[number]

/** A request for one allowance. */
export type Wanted = {
  readonly action: Action
  /** `null` counts only globally. */
  readonly address: string | null
  /** Addresses have separate allowances in each scope. */
  readonly scope?: string
  /** `false` takes nothing from the global allowance. */
  readonly inAll?: boolean
}

/** The rates of all actions. */
export type AllowanceRules = { readonly [action in Action]: AddressRate } & {
  /** Joins with one pass. */
  readonly returns: Rate
}

/** Remaining allowances. Rejects with a `StoreError` if the store fails. */
export interface Allowances {
  /** Replaces the rates; used allowances stay used. */
  set rules(rules: AllowanceRules)
  /**
   * Takes each of these once: from its address, from the networks around it, and from the global allowance.
   * Takes nothing if any of them is used up.
   */
  take(wanted: readonly Wanted[]): Promise<boolean>
  /** Returns an allowance that was not needed. */
  giveBack(wanted: Wanted): Promise<void>
  /** Takes one return from a pass. */
  takeReturn(pass: PassId): Promise<boolean>
}

/** Allowances of one process; a restart resets them. */
export class InMemoryAllowances implements Allowances {
  readonly #clock: Clock
  readonly #rates: { readonly [action in Action]: AddressRates }
  readonly #returns: RateLimiter

  constructor(rules: AllowanceRules, clock: Clock) {
    this.#clock = clock
    this.#rates = {
      hosts: new AddressRates(rules.hosts),
      joins: new AddressRates(rules.joins),
      seldomJoins: new AddressRates(rules.seldomJoins),
      joinsPerNameplate: new AddressRates(rules.joinsPerNameplate),
      misses: new AddressRates(rules.misses),
      listens: new AddressRates(rules.listens),
      notifications: new AddressRates(rules.notifications),
      grants: new AddressRates(rules.grants),
    }
    this.#returns = new RateLimiter(rules.returns)
  }

  set rules(rules: AllowanceRules) {
    for (const action of actions) this.#rates[action].rate = rules[action]
    this.#returns.rate = rules.returns
  }

  take(wanted: readonly Wanted[]): Promise<boolean> {
    const now = this.#clock.now()
    for (const [index, { action, address, ...where }] of wanted.entries()) {
      if (this.#rates[action].take(address, now, where)) continue
      for (const taken of wanted.slice(0, index)) this.#giveBack(taken)
      return Promise.resolve(false)
    }
    return Promise.resolve(true)
  }

  giveBack(wanted: Wanted): Promise<void> {
    this.#giveBack(wanted)
    return Promise.resolve()
  }

  takeReturn(pass: PassId): Promise<boolean> {
    return Promise.resolve(this.#returns.take(pass, this.#clock.now()))
  }

  #giveBack({ action, address, ...where }: Wanted): void {
    this.#rates[action].giveBack(address, where)
  }
}
