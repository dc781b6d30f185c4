import { isLoopback } from '#signaling/address'
import type { Clock } from '#signaling/clock'
import { AddressCounter } from '#signaling/counter'
import type { PassId } from '#signaling/passes'
import { type AddressRate, AddressRates, type Rate, RateLimiter } from '#signaling/rate-limiter'

/** What one address, the networks around it and the whole node may take; see `networksOf`. */
export type AdmissionRules = {
  readonly maxSockets: number
  /** The part of `maxSockets` kept for returning hosts and receivers, however full the node is. */
  readonly reservedSockets: number
  readonly maxSocketsPerAddress: number
  readonly connections: AddressRate
  readonly hosts: AddressRate
  readonly joins: AddressRate
  /** Joins of one address to one nameplate. */
  readonly joinsPerNameplate: AddressRate
  /** Joins by one pass. */
  readonly returns: Rate
  /** Joins and attaches that named something unknown. */
  readonly misses: AddressRate
  readonly listens: AddressRate
  readonly notifications: AddressRate
  /** Credentials for relays. */
  readonly grants: AddressRate
  /** Count this computer's own addresses only together: all windows of an app share one. */
  readonly trustLoopback: boolean
}

/** What has a rate by address. */
export type Action = 'hosts' | 'joins' | 'misses' | 'listens' | 'notifications' | 'grants'

/** How a socket may open; `reserved` when only returning hosts and receivers may stay. */
export type Opening = 'open' | 'reserved' | 'too-many' | 'full'

/** Counts sockets and attempts by address, see `addressKey`. */
export class Admission {
  #rules: AdmissionRules
  readonly #clock: Clock
  readonly #sockets = new AddressCounter()
  readonly #handshakes = new AddressCounter()
  readonly #connections: AddressRates
  readonly #rates: { readonly [action in Action]: AddressRates }
  readonly #joinsPerNameplate: AddressRates
  readonly #returns: RateLimiter
  #total = 0

  constructor(rules: AdmissionRules, clock: Clock) {
    this.#rules = rules
    this.#clock = clock
    this.#connections = new AddressRates(rules.connections)
    this.#rates = {
      hosts: new AddressRates(rules.hosts),
      joins: new AddressRates(rules.joins),
      misses: new AddressRates(rules.misses),
      listens: new AddressRates(rules.listens),
      notifications: new AddressRates(rules.notifications),
      grants: new AddressRates(rules.grants),
    }
    this.#joinsPerNameplate = new AddressRates(rules.joinsPerNameplate)
    this.#returns = new RateLimiter(rules.returns)
  }

  /** From now on other rules; who is in stays, and what was used stays used. */
  set rules(rules: AdmissionRules) {
    this.#rules = rules
    this.#connections.rate = rules.connections
    for (const [action, rates] of Object.entries(this.#rates)) rates.rate = rules[action as Action]
    this.#joinsPerNameplate.rate = rules.joinsPerNameplate
    this.#returns.rate = rules.returns
  }

  /** Counts a TCP connection that has yet to speak; false when this address has too many. */
  startHandshake(address: string): boolean {
    const fits = this.#handshakes.fits(address, this.#rules.maxSocketsPerAddress)
    if (!fits && !this.isExempt(address)) return false
    this.#handshakes.add(address)
    return true
  }

  /** No longer counts a TCP connection that `startHandshake` accepted. */
  endHandshake(address: string): void {
    this.#handshakes.remove(address)
  }

  /** Counts a socket that is about to open, unless there is no room for it. */
  open(address: string): Opening {
    const { maxSockets, reservedSockets, maxSocketsPerAddress } = this.#rules
    if (this.#total >= maxSockets) return 'full'
    const now = this.#clock.now()
    if (this.isExempt(address)) {
      if (!this.#connections.takeOfAll(now)) return 'full'
    } else if (
      !this.#sockets.fits(address, maxSocketsPerAddress) ||
      !this.#connections.take(address, now)
    ) {
      return 'too-many'
    }
    this.#sockets.add(address)
    this.#total += 1
    return this.#total > maxSockets - reservedSockets ? 'reserved' : 'open'
  }

  /** Uncounts a socket that `open` let in. */
  close(address: string): void {
    this.#sockets.remove(address)
    this.#total -= 1
  }

  /** May this address do so once more? */
  may(action: Action, address: string): boolean {
    const rates = this.#rates[action]
    const now = this.#clock.now()
    return this.isExempt(address) ? rates.takeOfAll(now) : rates.take(address, now)
  }

  /** May this address join this nameplate once more, so that others can, too? */
  mayJoin(address: string, nameplate: string): boolean {
    return (
      this.isExempt(address) ||
      this.#joinsPerNameplate.take(address, this.#clock.now(), `${nameplate} `)
    )
  }

  /** May the holder of this pass return once more? */
  return(pass: PassId): boolean {
    return this.#returns.take(pass, this.#clock.now())
  }

  /**
   * May this address name something that could be unknown? Taken before the answer is known, so
   * that many sockets at once don't get more misses than one; `hit` gives it back.
   */
  guess(address: string): boolean {
    return this.may('misses', address)
  }

  /** No longer counts a guess that was right. */
  hit(address: string): void {
    this.#rates.misses.giveBack(address)
  }

  /** True for an address that is counted only together with all others. */
  isExempt(address: string): boolean {
    return this.#rules.trustLoopback && isLoopback(address)
  }
}
