/**
 * Passwords that servers refused recently. Automatic attempts use such a server again only after the password has
 * changed, or after a long pause. The same password would be refused each time, and a server limits wrong ones per
 * address.
 */
import type { Clock } from '#client/clock'

/** The pause after which a password is tried again, in case the server's operator restored it. */
const quietMs = 15 * 60_000

/** Each program has one. */
export class RefusedPasswords {
  readonly #clock: Clock
  /** Refusals by the server's address, also of an absent password. */
  readonly #refused = new Map<string, { readonly password: string | undefined; atMs: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The server at `url` has just refused the password. */
  add(url: string, password: string | undefined): void {
    this.#refused.set(url, { password, atMs: this.#clock.now() })
  }

  /** True if the server would refuse the password again. */
  has(url: string, password: string | undefined): boolean {
    const refused = this.#refused.get(url)
    if (refused === undefined || refused.password !== password) return false
    const passedMs = this.#clock.now() - refused.atMs
    return passedMs >= 0 && passedMs < quietMs
  }

  /** Allows all servers again, because a person begins something. */
  forget(): void {
    this.#refused.clear()
  }
}
