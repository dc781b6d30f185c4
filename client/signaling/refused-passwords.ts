/**
 * Passwords that servers refused a moment ago. Whatever goes on by itself asks such a server again only when people have
 * entered another password, or after long: the same one would be refused each time, and each address may show a
 * server so many wrong ones.
 */
import type { Clock } from '#client/clock'

/** After so long it is tried once more: whoever runs the server may have put the password back. */
const quietMs = 15 * 60_000

/** One for a program. */
export class RefusedPasswords {
  readonly #clock: Clock
  /** By the server's address; an absent password is one, too. */
  readonly #refused = new Map<string, { readonly password: string | undefined; atMs: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The server at `url` has just refused it. */
  add(url: string, password: string | undefined): void {
    this.#refused.set(url, { password, atMs: this.#clock.now() })
  }

  /** Whether the server would say no again. */
  has(url: string, password: string | undefined): boolean {
    const refused = this.#refused.get(url)
    if (refused === undefined || refused.password !== password) return false
    const passedMs = this.#clock.now() - refused.atMs
    return passedMs >= 0 && passedMs < quietMs
  }

  /** A person begins something: each server is asked anew. */
  forget(): void {
    this.#refused.clear()
  }
}
