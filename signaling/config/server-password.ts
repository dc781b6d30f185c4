/** Checks the passwords of a server that isn't open to everyone. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { passwordProtocol } from '#shared/signaling/messages'
import type { Clock } from '#signaling/clock'
import { NetworkRates, type Rate } from '#signaling/limits/rate-limiter'

/** The challenge in the response to an upgrade without a valid password (RFC 7617). */
export const passwordChallenge = 'WWW-Authenticate: Basic realm="thruflux"'

/** Longer than any header with a valid password and user name. */
const maxCharacters = 1024

/** Addresses limited at the same time. A client with more addresses gains nothing when the server forgets some. */
const maxAddresses = 65_536

/** Known wrong passwords, enough for some from each of hundreds of addresses. */
const maxWrong = 4096

/** The `Authorization` of a request; a page can't set it, and shows its password as a subprotocol instead. */
export function authorizationOf({ headers }: IncomingMessage): string | undefined {
  if (headers.origin === undefined) return headers.authorization
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((text) => text.trim())
  const shown = offered.find((protocol) => protocol.startsWith(passwordProtocol))
  if (shown === undefined) return undefined
  const password = Buffer.from(shown.slice(passwordProtocol.length), 'base64url').toString('utf8')
  return `Basic ${Buffer.from(`:${password}`).toString('base64')}`
}

/** Compares passwords in constant time and limits wrong attempts. */
export class ServerPasswords {
  /** Random key of this process: digests have one length, and no client can choose their first bytes. */
  readonly #key = randomBytes(32)
  readonly #clock: Clock
  readonly #tries: NetworkRates
  /** Addresses with their wrong passwords, oldest first. */
  readonly #wrong = new Set<string>()
  #digests: readonly Buffer[] = []

  /** Without `passwords` the server is open to everyone. `tries` limits wrong passwords per address. */
  constructor(passwords: readonly string[], tries: Rate, clock: Clock) {
    this.#tries = new NetworkRates(tries, maxAddresses)
    this.#clock = clock
    this.passwords = passwords
  }

  /** Replaces the passwords; connected clients stay. */
  set passwords(passwords: readonly string[]) {
    this.#digests = passwords.map((password) => this.#digest(password))
    this.#wrong.clear()
  }

  /**
   * The HTTP status that refuses an upgrade from `address` with this `Authorization` header; `null` to accept it.
   * While an address has no tries left, even a right password is refused. Repeating a wrong password costs no try:
   * an app retries automatically, and a guesser learns nothing.
   */
  refusalOf(authorization: string | undefined, address: string): 401 | 429 | null {
    if (this.#digests.length === 0) return null
    const password = passwordOf(authorization)
    // No password was tried.
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

/** The password in a header of RFC 7617, for any user name; `null` without one. */
function passwordOf(authorization = ''): string | null {
  if (authorization.length > maxCharacters) return null
  const [, encoded] = /^basic +([a-z0-9+/]+={0,2})$/i.exec(authorization) ?? []
  if (encoded === undefined) return null
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon === -1 ? null : text.slice(colon + 1)
}
