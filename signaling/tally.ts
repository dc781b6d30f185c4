/** How many of something each key has; a key with none takes no memory. */
export class Tally {
  readonly #counts = new Map<string, number>()

  /** How many `key` has. */
  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  /** One more for `key`. */
  add(key: string): void {
    this.#counts.set(key, this.of(key) + 1)
  }

  /** One less for `key`; it had one. */
  remove(key: string): void {
    const left = this.of(key) - 1
    if (left > 0) this.#counts.set(key, left)
    else this.#counts.delete(key)
  }
}
