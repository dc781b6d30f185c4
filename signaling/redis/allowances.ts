/** Allowances that nodes share: a client that uses them up on one node has none on another. */
import type { Clock } from '#signaling/clock'
import type { AllowanceRules, Allowances, Wanted } from '#signaling/limits/allowances'
import type { Rate } from '#signaling/limits/rate-limiter'
import type { RedisLink } from '#signaling/redis/link'
import type { PassId } from '#signaling/rooms/passes'
import { networksOf } from '#signaling/socket/address'

type RatedBucket = { readonly name: string; readonly rate: Rate }

/** Remaining allowances, kept in Redis until they are full again. */
export class RedisAllowances implements Allowances {
  #rules: AllowanceRules
  readonly #link: RedisLink
  readonly #clock: Clock

  constructor(rules: AllowanceRules, link: RedisLink, clock: Clock) {
    this.#rules = rules
    this.#link = link
    this.#clock = clock
  }

  set rules(rules: AllowanceRules) {
    this.#rules = rules
  }

  take(wanted: readonly Wanted[]): Promise<boolean> {
    return this.#take(
      'take',
      wanted.flatMap((each) => this.#bucketsOf(each)),
    )
  }

  async giveBack(wanted: Wanted): Promise<void> {
    await this.#link.run(
      'giveBack',
      this.#bucketsOf(wanted).flatMap(({ name, rate }) => [name, rate.burst]),
    )
  }

  takeReturn(pass: PassId): Promise<boolean> {
    return this.#take('takeReturn', [{ name: `returns:${pass}`, rate: this.#rules.returns }])
  }

  async #take(script: 'take' | 'takeReturn', buckets: readonly RatedBucket[]): Promise<boolean> {
    const taken: unknown = await this.#link.run(script, [
      this.#clock.now(),
      ...buckets.flatMap(({ name, rate }) => [name, rate.perMinute, rate.burst]),
    ])
    return taken === 1
  }

  #bucketsOf({ action, address, scope = '', inAll = true }: Wanted): readonly RatedBucket[] {
    const { each, all } = this.#rules[action]
    const networks = address === null ? [] : networksOf(address)
    return [
      ...networks.map(({ key, worth }) => ({
        name: `${action}:${scope}${key}`,
        rate: { perMinute: each.perMinute * worth, burst: each.burst * worth },
      })),
      ...(inAll ? [{ name: `${action}:all`, rate: all }] : []),
    ]
  }
}
