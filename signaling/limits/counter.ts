/** Counts concurrent uses, by key and by the networks of addresses. */
import { networksOf } from '#signaling/socket/address'

/** A count per key; a key with zero takes no memory. */
export class Counter {
  readonly #counts = new Map<string, number>()

  /** The count of `key`. */
  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  /** Adds `count` to `key`. */
  add(key: string, count = 1): void {
    if (count > 0) this.#counts.set(key, this.of(key) + count)
  }

  /** Subtracts `count` from `key`, which has at least that. */
  remove(key: string, count = 1): void {
    const left = this.of(key) - count
    if (left > 0) this.#counts.set(key, left)
    else this.#counts.delete(key)
  }
}

/** A count per address, and per network around it. */
export class AddressCounter {
  readonly #counts = new Counter()

  /** True if `address` may have `count` more: `limit` for one address, and its multiple, at most `most`, for a network. */
  fits(address: string, limit: number, count = 1, most = Infinity): boolean {
    return networksOf(address).every(
      ({ key, worth }) => this.#counts.of(key) + count <= Math.min(limit * worth, most),
    )
  }

  /** Adds `count` to `address`. */
  add(address: string, count = 1): void {
    for (const { key } of networksOf(address)) this.#counts.add(key, count)
  }

  /** Subtracts `count` from `address`, which has at least that. */
  remove(address: string, count = 1): void {
    for (const { key } of networksOf(address)) this.#counts.remove(key, count)
  }
}
