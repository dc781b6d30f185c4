import { isLoopback } from '#signaling/address'
import type { Clock } from '#signaling/clock'
import { type Rate, RateLimiter } from '#signaling/rate-limiter'
import { Tally } from '#signaling/tally'

/** What one address and the whole node may take. */
export type AdmissionRules = {
  readonly maxSockets: number
  readonly maxSocketsPerAddress: number
  readonly connections: Rate
  readonly hosts: Rate
  readonly joins: Rate
  /** Joins and attaches that named something unknown. */
  readonly misses: Rate
  readonly listens: Rate
  readonly rings: Rate
  /** Don't count this computer's own addresses: all windows of an app share one. */
  readonly trustLoopback: boolean
}

/** Counts sockets and attempts by address, see `addressKey`. */
export class Admission {
  readonly #rules: AdmissionRules
  readonly #clock: Clock
  readonly #sockets = new Tally()
  readonly #handshakes = new Tally()
  readonly #connections: RateLimiter
  readonly #hosts: RateLimiter
  readonly #joins: RateLimiter
  readonly #misses: RateLimiter
  readonly #listens: RateLimiter
  readonly #rings: RateLimiter
  #total = 0

  constructor(rules: AdmissionRules, clock: Clock) {
    this.#rules = rules
    this.#clock = clock
    this.#connections = new RateLimiter(rules.connections)
    this.#hosts = new RateLimiter(rules.hosts)
    this.#joins = new RateLimiter(rules.joins)
    this.#misses = new RateLimiter(rules.misses)
    this.#listens = new RateLimiter(rules.listens)
    this.#rings = new RateLimiter(rules.rings)
  }

  /** Counts a TCP connection that has yet to speak; false when this address has too many. */
  startHandshake(address: string): boolean {
    const fits = this.#handshakes.of(address) < this.#rules.maxSocketsPerAddress
    if (!fits && !this.#exempt(address)) return false
    this.#handshakes.add(address)
    return true
  }

  /** Uncounts a TCP connection for which `startHandshake` said true. */
  endHandshake(address: string): void {
    this.#handshakes.remove(address)
  }

  /** Counts a socket that is about to open: 503 when the node is full, 429 for too many, else 101. */
  open(address: string): 101 | 429 | 503 {
    if (this.#total >= this.#rules.maxSockets) return 503
    if (!this.#exempt(address)) {
      if (this.#sockets.of(address) >= this.#rules.maxSocketsPerAddress) return 429
      if (!this.#connections.take(address, this.#clock.now())) return 429
    }
    this.#sockets.add(address)
    this.#total += 1
    return 101
  }

  /** Uncounts a socket for which `open` said 101. */
  close(address: string): void {
    this.#sockets.remove(address)
    this.#total -= 1
  }

  /** May this address host once more? */
  host(address: string): boolean {
    return this.#exempt(address) || this.#hosts.take(address, this.#clock.now())
  }

  /** May this address join once more? */
  join(address: string): boolean {
    return this.#exempt(address) || this.#joins.take(address, this.#clock.now())
  }

  /** May this address listen, or listen elsewhere, once more? */
  listen(address: string): boolean {
    return this.#exempt(address) || this.#listens.take(address, this.#clock.now())
  }

  /** May this address ring once more? */
  ring(address: string): boolean {
    return this.#exempt(address) || this.#rings.take(address, this.#clock.now())
  }

  /**
   * May this address name something that could be unknown? Taken before the answer is known, so
   * that many sockets at once don't get more misses than one; `hit` gives it back.
   */
  guess(address: string): boolean {
    return this.#exempt(address) || this.#misses.take(address, this.#clock.now())
  }

  /** The guess was none. */
  hit(address: string): void {
    this.#misses.giveBack(address)
  }

  #exempt(address: string): boolean {
    return this.#rules.trustLoopback && isLoopback(address)
  }
}
