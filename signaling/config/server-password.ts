/** Who may use a server that is not for everybody: whoever knows one of its passwords. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '#signaling/clock'
import { NetworkRates, type Rate } from '#signaling/limits/rate-limiter'

/** What an upgrade without a right password is answered with, beside its status (RFC 7617). */
export const passwordChallenge = 'WWW-Authenticate: Basic realm="thruflux"'

/** Longer than that of any password with any user. */
const maxCharacters = 1024

/** Addresses that are bounded at a time. Who has more of them gains nothing by making the server forget some. */
const maxAddresses = 65_536

/** Wrong passwords that are known to be that; some of each of hundreds of addresses. */
const maxWrong = 4096

/** Compares passwords in a time that says nothing about them, and lets nobody try many. */
export class ServerPasswords {
  /** Of this process: what is compared has one length, and nobody can choose how it begins. */
  readonly #key = randomBytes(32)
  readonly #clock: Clock
  readonly #tries: NetworkRates
  /** Addresses with what was wrong already, the oldest first. */
  readonly #wrong = new Set<string>()
  #digests: readonly Buffer[] = []

  /** Without `passwords` the server is for everybody. `tries` bounds wrong ones of one address. */
  constructor(passwords: readonly string[], tries: Rate, clock: Clock) {
    this.#tries = new NetworkRates(tries, maxAddresses)
    this.#clock = clock
    this.passwords = passwords
  }

  /** From now on others; who is in stays. */
  set passwords(passwords: readonly string[]) {
    this.#digests = passwords.map((password) => this.#digest(password))
    this.#wrong.clear()
  }

  /**
   * The HTTP status that an upgrade from `address` is refused with, by its header `Authorization`; `null` when it may go on.
   * While an address has no tries left a right password is refused, too. The same wrong one once more is no try:
   * it is an app that goes on by itself, and learns nothing.
   */
  refusalOf(authorization: string | undefined, address: string): 401 | 429 | null {
    if (this.#digests.length === 0) return null
    const password = passwordOf(authorization)
    // Nothing was tried.
    if (password === null) return 401
    const digest = this.#digest(password)
    const tried = `${address} ${digest.toString('base64')}`
    if (this.#wrong.has(tried)) return 401
    if (!this.#tries.take(address, this.#clock.now())) return 429
    const right = this.#digests.filter((known) => timingSafeEqual(known, digest))
    if (right.length === 0) {
      this.#remember(tried)
      return 401
    }
    this.#tries.giveBack(address)
    return null
  }

  #remember(tried: string): void {
    this.#wrong.add(tried)
    const [oldest] = this.#wrong
    if (this.#wrong.size > maxWrong && oldest !== undefined) this.#wrong.delete(oldest)
  }

  #digest(password: string): Buffer {
    return createHmac('sha256', this.#key).update(password).digest()
  }
}

/** The password of a header of RFC 7617, whatever its user is; `null` without one. */
function passwordOf(authorization = ''): string | null {
  if (authorization.length > maxCharacters) return null
  const [, encoded] = /^basic +([a-z0-9+/]+={0,2})$/i.exec(authorization) ?? []
  if (encoded === undefined) return null
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon === -1 ? null : text.slice(colon + 1)
}
