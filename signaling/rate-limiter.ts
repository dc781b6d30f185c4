/** How often something may happen: `burst` times at once, then at the rate of refilling. */
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

/** Buckets at the same time: more addresses than a node has sockets, some 10 MB at worst. */
const maxKeys = 50_000

/** One bucket per key. Keys that rest long enough to be full again are forgotten. */
export class RateLimiter {
  /** In the order of the last take, so that the first ones are full first. */
  readonly #buckets = new Map<string, Bucket>()
  readonly #rate: Rate
  readonly #refillMs: number

  constructor(rate: Rate) {
    this.#rate = rate
    this.#refillMs = (rate.burst * 60_000) / rate.perMinute
  }

  /** Takes a token of `key`; false when it has none. */
  take(key: string, now: number): boolean {
    const bucket = this.#buckets.get(key) ?? fullBucket(this.#rate, now)
    const taken = takeToken(bucket, this.#rate, now)
    if (taken === null) return false
    this.#buckets.delete(key)
    this.#forgetOldest(now)
    this.#buckets.set(key, taken)
    return true
  }

  /** Gives back the token that a take turned out not to need. */
  giveBack(key: string): void {
    const bucket = this.#buckets.get(key)
    if (bucket === undefined) return
    const tokens = Math.min(this.#rate.burst, bucket.tokens + 1)
    this.#buckets.set(key, { tokens, at: bucket.at })
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#buckets.size
  }

  /** At most two per take, so the map shrinks faster than it grows and no take is slow. */
  #forgetOldest(now: number): void {
    let left = 2
    for (const [key, bucket] of this.#buckets) {
      if (left === 0 || (this.#buckets.size < maxKeys && now - bucket.at < this.#refillMs)) return
      this.#buckets.delete(key)
      left -= 1
    }
  }
}
