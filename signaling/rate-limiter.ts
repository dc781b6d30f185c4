/** How often something may happen: by key, and by the networks of addresses. */
import { networksOf } from '#signaling/address'

/** `burst` times at once, then at the rate of refilling. */
export type Rate = { readonly perMinute: number; readonly burst: number }

/** What is left of a burst; whole and fractional tokens as of `at` (ms). */
export type Bucket = { readonly tokens: number; readonly at: number }

/** A bucket that nobody took from yet. */
export const fullBucket = (rate: Rate, now: number): Bucket => ({ tokens: rate.burst, at: now })

/** The bucket without one token, or `null` when it has none. */
export function takeToken(bucket: Bucket, rate: Rate, now: number): Bucket | null {
  const refill = ((now - bucket.at) * rate.perMinute) / 60_000
  const tokens = Math.max(bucket.tokens, Math.min(rate.burst, bucket.tokens + refill))
  return tokens < 1 ? null : { tokens: tokens - 1, at: now }
}

/**
 * One bucket per key. A key is remembered from a take until its bucket would be full again and never
 * forgotten sooner: nobody empties a bucket's memory with other keys. So the number of keys is
 * bounded by how many takes the caller allows in that time.
 */
export class RateLimiter {
  /** In the order of the last take, so that the first ones are full first. */
  readonly #buckets = new Map<string, Bucket>()
  #rate: Rate

  constructor(rate: Rate) {
    this.#rate = rate
  }

  /** From now on another rate; what is left in buckets stays. */
  set rate(rate: Rate) {
    this.#rate = rate
  }

  /** Takes a token of `key`; false when it has none. */
  take(key: string, now: number): boolean {
    const bucket = this.#buckets.get(key) ?? fullBucket(this.#rate, now)
    const taken = takeToken(bucket, this.#rate, now)
    if (taken === null) return false
    this.#buckets.delete(key)
    this.#forgetFull(now)
    this.#buckets.set(key, taken)
    return true
  }

  /** Gives back the token that a take turned out not to need. */
  giveBack(key: string): void {
    const bucket = this.#buckets.get(key)
    if (bucket === undefined) return
    const tokens = bucket.tokens + 1
    if (tokens >= this.#rate.burst) this.#buckets.delete(key)
    else this.#buckets.set(key, { tokens, at: bucket.at })
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#buckets.size
  }

  /** At most two per take, so the map shrinks faster than it grows and no take is slow. */
  #forgetFull(now: number): void {
    const refillMs = (this.#rate.burst * 60_000) / this.#rate.perMinute
    let left = 2
    for (const [key, { at }] of this.#buckets) {
      if (left === 0 || now - at < refillMs) return
      this.#buckets.delete(key)
      left -= 1
    }
  }
}

/** What one address may do, and all together; networks have multiples of the first. */
export type AddressRate = { readonly each: Rate; readonly all: Rate }

const times = ({ perMinute, burst }: Rate, worth: number): Rate => ({
  perMinute: perMinute * worth,
  burst: burst * worth,
})

/** A bucket for every address, for every network around it, and one for all. */
export class AddressRates {
  readonly #levels: ReadonlyMap<number, RateLimiter>
  #all: Rate
  #left: Bucket | null = null

  constructor({ each, all }: AddressRate) {
    this.#levels = new Map([1, 4, 16].map((worth) => [worth, new RateLimiter(times(each, worth))]))
    this.#all = all
  }

  /** From now on another rate; what is left in buckets stays. */
  set rate({ each, all }: AddressRate) {
    for (const [worth, limiter] of this.#levels) limiter.rate = times(each, worth)
    this.#all = all
  }

  /**
   * Takes a token of `address`, of all its networks and of all; none when one of them is empty. With
   * a `scope`, addresses have buckets of their own in each.
   */
  take(address: string, now: number, scope = ''): boolean {
    const networks = networksOf(address)
    for (const [index, { key, worth }] of networks.entries()) {
      if (this.#levels.get(worth)?.take(scope + key, now) === true) continue
      this.#giveBack(networks.slice(0, index), scope)
      return false
    }
    if (this.takeOfAll(now)) return true
    this.#giveBack(networks, scope)
    return false
  }

  /** Takes a token of the bucket of all; for an address that is not counted by itself. */
  takeOfAll(now: number): boolean {
    const taken = takeToken(this.#left ?? fullBucket(this.#all, now), this.#all, now)
    if (taken !== null) this.#left = taken
    return taken !== null
  }

  /** Gives back the part of a take that was not needed. */
  giveBack(address: string, scope = ''): void {
    this.#giveBack(networksOf(address), scope)
    if (this.#left === null) return
    const tokens = Math.min(this.#all.burst, this.#left.tokens + 1)
    this.#left = { ...this.#left, tokens }
  }

  /** How many buckets are remembered. */
  get size(): number {
    return [...this.#levels.values()].reduce((sum, { size }) => sum + size, 0)
  }

  #giveBack(networks: ReturnType<typeof networksOf>, scope: string): void {
    for (const { key, worth } of networks) this.#levels.get(worth)?.giveBack(scope + key)
  }
}
