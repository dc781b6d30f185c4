/** Counts concurrent things: by key, and by the networks of addresses. */
import { networksOf } from '#signaling/socket/address'

/** Count for each key; a key with zero takes no memory. */
export class Counter {
  readonly #counts = new Map<string, number>()

  /** The count of `key`. */
  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  /** `count` more for `key`. */
  add(key: string, count = 1): void {
    if (count > 0) this.#counts.set(key, this.of(key) + count)
  }

  /** `count` less for `key`; it had as many. */
  remove(key: string, count = 1): void {
    const left = this.of(key) - count
    if (left > 0) this.#counts.set(key, left)
    else this.#counts.delete(key)
  }
}

/** Count for each address, and for each network around it. */
export class AddressCounter {
  readonly #counts = new Counter()

  /** True when `address` may have `count` more, with `limit` for one address, and a network as many as it is worth, or `most`. */
  fits(address: string, limit: number, count = 1, most = Infinity): boolean {
    return networksOf(address).every(
      ({ key, worth }) => this.#counts.of(key) + count <= Math.min(limit * worth, most),
    )
  }

  /** `count` more for `address`. */
  add(address: string, count = 1): void {
    for (const { key } of networksOf(address)) this.#counts.add(key, count)
  }

  /** `count` less for `address`; it had as many. */
  remove(address: string, count = 1): void {
    for (const { key } of networksOf(address)) this.#counts.remove(key, count)
  }
}
