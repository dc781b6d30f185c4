/** How often what may be done by whom: everything that is allowed only so often, in one place for all nodes. */
import type { Clock } from '#signaling/clock'
import {
  type AddressRate,
  AddressRates,
  type Rate,
  RateLimiter,
} from '#signaling/limits/rate-limiter'
import type { PassId } from '#signaling/rooms/passes'

/** What has a rate by address. */
export const actions = [
  'hosts',
  'joins',
  /** Joins of addresses that seldom join. */
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

/** One of what is allowed only so often. */
export type Wanted = {
  readonly action: Action
  /** `null` is counted only with all others. */
  readonly address: string | null
  /** With one, addresses have allowances of their own in each. */
  readonly scope?: string
  /** `false` takes nothing from what all have together. */
  readonly inAll?: boolean
}

/** Rates of everything. */
export type AllowanceRules = { readonly [action in Action]: AddressRate } & {
  /** Joins by one pass. */
  readonly returns: Rate
}

/** What is left of every allowance. Rejects with a `StoreError` when that can't be said. */
export interface Allowances {
  /** From now on other rates; what was used stays used. */
  set rules(rules: AllowanceRules)
  /**
   * Takes each of these once: from its address, from the networks around it and from all together; or nothing
   * of anything when one of them has none left.
   */
  take(wanted: readonly Wanted[]): Promise<boolean>
  /** Gives back what a `take` turned out not to need. */
  giveBack(wanted: Wanted): Promise<void>
  /** Takes once from a pass. */
  takeReturn(pass: PassId): Promise<boolean>
}

/** Allowances of one process; they are whole again with the next. */
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
