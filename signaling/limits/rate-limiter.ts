/** Token buckets, by key and by the networks of addresses. */
import { networksOf } from '#signaling/socket/address'

/** Allows `burst` at once, then refills at `perMinute`. */
export type Rate = { readonly perMinute: number; readonly burst: number }

/** Remaining tokens as of `at` (ms), possibly fractional. */
export type Bucket = { readonly tokens: number; readonly at: number }

/** An unused bucket. */
export const fullBucket = (rate: Rate, now: number): Bucket => ({ tokens: rate.burst, at: now })

/** The bucket after one token is taken, or `null` if it is empty. */
export function takeToken(bucket: Bucket, rate: Rate, now: number): Bucket | null {
  const refill = ((now - bucket.at) * rate.perMinute) / 60_000
  const tokens = Math.max(bucket.tokens, Math.min(rate.burst, bucket.tokens + refill))
  // Another node's later take may have been written first.
  return tokens < 1 ? null : { tokens: tokens - 1, at: Math.max(now, bucket.at) }
}

/**
 * One bucket per key. A key is remembered from a take until its bucket is full again and never forgotten
 * sooner, so using many keys can't reset a bucket. The number of keys is bounded by the takes that the
 * caller allows in that time, or else by `most`: beyond it, the key with the oldest take is forgotten.
 */
export class RateLimiter {
  /** Ordered by last take, so that the first ones are full first. */
  readonly #buckets = new Map<string, Bucket>()
  readonly #most: number
  #rate: Rate

  constructor(rate: Rate, most = Infinity) {
    this.#rate = rate
    this.#most = most
  }

  /** Replaces the rate; buckets keep their tokens. */
  set rate(rate: Rate) {
    this.#rate = rate
  }

  /** Takes a token of `key`; false if it has none. */
  take(key: string, now: number): boolean {
    const bucket = this.#buckets.get(key) ?? fullBucket(this.#rate, now)
    const taken = takeToken(bucket, this.#rate, now)
    if (taken === null) return false
    this.#buckets.delete(key)
    this.#forgetFull(now)
    this.#buckets.set(key, taken)
    const [oldest] = this.#buckets.keys()
    if (this.#buckets.size > this.#most && oldest !== undefined) this.#buckets.delete(oldest)
    return true
  }

  /** Returns a token that was not needed. */
  giveBack(key: string): void {
    const bucket = this.#buckets.get(key)
    if (bucket === undefined) return
    const tokens = bucket.tokens + 1
    if (tokens >= this.#rate.burst) this.#buckets.delete(key)
    else this.#buckets.set(key, { tokens, at: bucket.at })
  }

  /** The number of remembered keys. */
  get size(): number {
    return this.#buckets.size
  }

  /** Forgets at most two keys per take, so the map shrinks faster than it grows and no take is slow. */
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

/** Rates of one address and of all together; networks get multiples of the first. */
export type AddressRate = { readonly each: Rate; readonly all: Rate }

const times = ({ perMinute, burst }: Rate, worth: number): Rate => ({
  perMinute: perMinute * worth,
  burst: burst * worth,
})

/** A bucket per address, and per network around it; at most `most` buckets per worth. */
export class NetworkRates {
  readonly #levels: ReadonlyMap<number, RateLimiter>

  constructor(each: Rate, most = Infinity) {
    const limiter = (worth: number) => new RateLimiter(times(each, worth), most)
    this.#levels = new Map([1, 4, 16].map((worth) => [worth, limiter(worth)]))
  }

  /** Replaces the rate; buckets keep their tokens. */
  set rate(each: Rate) {
    for (const [worth, limiter] of this.#levels) limiter.rate = times(each, worth)
  }

  /**
   * Takes a token of `address` and of all its networks, or none if one of them is empty. Addresses have
   * separate buckets in each `scope`.
   */
  take(address: string, now: number, scope = ''): boolean {
    const networks = networksOf(address)
    for (const [index, { key, worth }] of networks.entries()) {
      if (this.#levels.get(worth)?.take(scope + key, now) === true) continue
      this.#giveBack(networks.slice(0, index), scope)
      return false
    }
    return true
  }

  /** Returns the tokens of a take that was not needed. */
  giveBack(address: string, scope = ''): void {
    this.#giveBack(networksOf(address), scope)
  }

  /** The number of remembered buckets. */
  get size(): number {
    return [...this.#levels.values()].reduce((sum, { size }) => sum + size, 0)
  }

  #giveBack(networks: ReturnType<typeof networksOf>, scope: string): void {
    for (const { key, worth } of networks) this.#levels.get(worth)?.giveBack(scope + key)
  }
}

/** `NetworkRates` with a global bucket. */
export class AddressRates {
  readonly #networks: NetworkRates
  #all: Rate
  #left: Bucket | null = null

  constructor({ each, all }: AddressRate) {
    this.#networks = new NetworkRates(each)
    this.#all = all
  }

  /** Replaces the rates; buckets keep their tokens. */
  set rate({ each, all }: AddressRate) {
    this.#networks.rate = each
    this.#all = all
  }

  /** Like `NetworkRates.take`, plus a global token unless `inAll` is false; only the global one without an address. */
  take(address: string | null, now: number, { scope = '', inAll = true } = {}): boolean {
    if (address !== null && !this.#networks.take(address, now, scope)) return false
    if (!inAll) return true
    const taken = takeToken(this.#left ?? fullBucket(this.#all, now), this.#all, now)
    if (taken !== null) this.#left = taken
    else if (address !== null) this.#networks.giveBack(address, scope)
    return taken !== null
  }

  /** Returns the tokens of a take that was not needed. */
  giveBack(address: string | null, { scope = '', inAll = true } = {}): void {
    if (address !== null) this.#networks.giveBack(address, scope)
    if (!inAll || this.#left === null) return
    const tokens = Math.min(this.#all.burst, this.#left.tokens + 1)
    this.#left = { ...this.#left, tokens }
  }

  /** The number of remembered buckets. */
  get size(): number {
    return this.#networks.size
  }
}
