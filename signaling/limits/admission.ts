import type { Clock } from '#signaling/clock'
import type { Action, AllowanceRules, Allowances, Wanted } from '#signaling/limits/allowances'
import { AddressCounter } from '#signaling/limits/counter'
import { type AddressRate, AddressRates } from '#signaling/limits/rate-limiter'
import type { PassId } from '#signaling/rooms/passes'
import { isLoopback } from '#signaling/socket/address'

/** Limits for one address, the networks around it, and the whole node; see `networksOf`. */
export type AdmissionRules = AllowanceRules & {
  readonly maxSockets: number
  /** The part of `maxSockets` kept for returning hosts and receivers, however full the node is. */
  readonly reservedSockets: number
  readonly maxSocketsPerAddress: number
  readonly connections: AddressRate
  /** Counts this computer's own addresses only globally: all windows of an app share one. */
  readonly trustLoopback: boolean
}

/** The result of opening a socket; with `reserved`, only returning hosts and receivers may stay. */
export type Opening = 'open' | 'reserved' | 'too-many' | 'full'

/** Permission for a stranger to host or join. */
export type Leave = {
  readonly isAllowed: boolean
  /** Taken before the store answers, so that many sockets at once get no more misses than one; `hit` returns it. */
  readonly guess: Wanted | null
}

/**
 * Counts this node's sockets by address, see `addressKey`, and takes allowances, which all nodes
 * share.
 */
export class Admission {
  #rules: AdmissionRules
  readonly #clock: Clock
  readonly #sockets = new AddressCounter()
  readonly #handshakes = new AddressCounter()
  readonly #connections: AddressRates
  readonly #allowances: Allowances
  #total = 0

  constructor(rules: AdmissionRules, clock: Clock, allowances: Allowances) {
    this.#rules = rules
    this.#clock = clock
    this.#allowances = allowances
    this.#connections = new AddressRates(rules.connections)
  }

  /** Replaces the rules; connected sockets stay, and used allowances stay used. */
  set rules(rules: AdmissionRules) {
    this.#rules = rules
    this.#connections.rate = rules.connections
    this.#allowances.rules = rules
  }

  /** Counts a TCP connection that hasn't become a WebSocket; false if this address has too many. */
  startHandshake(address: string): boolean {
    const fits = this.#handshakes.fits(address, this.#rules.maxSocketsPerAddress)
    if (!fits && !this.isExempt(address)) return false
    this.#handshakes.add(address)
    return true
  }

  /** Uncounts a TCP connection that `startHandshake` accepted. */
  endHandshake(address: string): void {
    this.#handshakes.remove(address)
  }

  /** Counts a socket that is about to open, unless there is no room. */
  open(address: string): Opening {
    const { maxSockets, reservedSockets, maxSocketsPerAddress } = this.#rules
    if (this.#total >= maxSockets) return 'full'
    const now = this.#clock.now()
    const counted = this.#counted(address)
    const fits = counted === null || this.#sockets.fits(address, maxSocketsPerAddress)
    if (!fits || !this.#connections.take(counted, now))
      return counted === null ? 'full' : 'too-many'
    this.#sockets.add(address)
    this.#total += 1
    return this.#total > maxSockets - reservedSockets ? 'reserved' : 'open'
  }

  /** Uncounts a socket that `open` counted. */
  close(address: string): void {
    this.#sockets.remove(address)
    this.#total -= 1
  }

  /** Takes this address's allowance for the action; false if it is used up. */
  may(action: Action, address: string): Promise<boolean> {
    return this.#allowances.take([this.#once(action, address)])
  }

  /** Decides if this address may host. Only a request that names a nameplate can be a guess. */
  async mayHost(address: string, nameplate: string | undefined): Promise<Leave> {
    const guess = nameplate === undefined ? null : this.#once('misses', address)
    const isAllowed = await this.#allowances.take([
      this.#once('hosts', address),
      ...(guess ? [guess] : []),
    ])
    return { isAllowed, guess }
  }

  /**
   * Decides if this address may join this nameplate, which may be unknown. An address that joins rarely doesn't need
   * the global allowance, which others may have used up.
   */
  async mayJoin(address: string, nameplate: string): Promise<Leave> {
    const guess = this.#once('misses', address)
    const wanted = [this.#once('joins', address), guess]
    if (this.isExempt(address)) return { isAllowed: await this.#allowances.take(wanted), guess }
    wanted.push({ action: 'joinsPerNameplate', address, scope: `${nameplate} ` })
    const each = wanted.map((one) => ({ ...one, inAll: false }))
    const isSeldom = await this.#allowances.take([this.#once('seldomJoins', address), ...each])
    if (isSeldom) return { isAllowed: true, guess: { ...guess, inAll: false } }
    return { isAllowed: await this.#allowances.take(wanted), guess }
  }

  /** Takes one return from this pass; false if none is left. */
  return(pass: PassId): Promise<boolean> {
    return this.#allowances.takeReturn(pass)
  }

  /** Returns the allowance of a guess that was right. */
  hit(guess: Wanted): Promise<void> {
    return this.#allowances.giveBack(guess)
  }

  /** True for an address that is counted only globally. */
  isExempt(address: string): boolean {
    return this.#rules.trustLoopback && isLoopback(address)
  }

  #once(action: Action, address: string): Wanted {
    return { action, address: this.#counted(address) }
  }

  /** The address, unless it is counted only globally. */
  #counted(address: string): string | null {
    return this.isExempt(address) ? null : address
  }
}
