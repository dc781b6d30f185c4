import type { Clock } from '#signaling/clock'
import type { Action, AllowanceRules, Allowances, Wanted } from '#signaling/limits/allowances'
import { AddressCounter } from '#signaling/limits/counter'
import { type AddressRate, AddressRates } from '#signaling/limits/rate-limiter'
import type { PassId } from '#signaling/rooms/passes'
import { isLoopback } from '#signaling/socket/address'

/** What one address, the networks around it and the whole node may take; see `networksOf`. */
export type AdmissionRules = AllowanceRules & {
  readonly maxSockets: number
  /** The part of `maxSockets` kept for returning hosts and receivers, however full the node is. */
  readonly reservedSockets: number
  readonly maxSocketsPerAddress: number
  readonly connections: AddressRate
  /** Count this computer's own addresses only together: all windows of an app share one. */
  readonly trustLoopback: boolean
}

/** How a socket may open; `reserved` when only returning hosts and receivers may stay. */
export type Opening = 'open' | 'reserved' | 'too-many' | 'full'

/** Whether a stranger may host or join. */
export type Leave = {
  readonly isAllowed: boolean
  /** Taken before the answer is known, so that many sockets at once don't get more misses than one; `hit` gives it back. */
  readonly guess: Wanted | null
}

/**
 * Counts sockets of this node by address, see `addressKey`, and asks for allowances, which are those of all
 * nodes.
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

  /** From now on other rules; who is in stays, and what was used stays used. */
  set rules(rules: AdmissionRules) {
    this.#rules = rules
    this.#connections.rate = rules.connections
    this.#allowances.rules = rules
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
    const counted = this.#counted(address)
    const fits = counted === null || this.#sockets.fits(address, maxSocketsPerAddress)
    if (!fits || !this.#connections.take(counted, now))
      return counted === null ? 'full' : 'too-many'
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
  may(action: Action, address: string): Promise<boolean> {
    return this.#allowances.take([this.#once(action, address)])
  }

  /** May this address host? Only one that names a nameplate could guess. */
  async mayHost(address: string, nameplate: string | undefined): Promise<Leave> {
    const guess = nameplate === undefined ? null : this.#once('misses', address)
    const isAllowed = await this.#allowances.take([
      this.#once('hosts', address),
      ...(guess ? [guess] : []),
    ])
    return { isAllowed, guess }
  }

  /**
   * May this address join this nameplate, which could be unknown, so that others can, too? One that seldom joins takes nothing
   * from what all have together: many addresses that join again and again don't use it up for all others.
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

  /** May the holder of this pass return once more? */
  return(pass: PassId): Promise<boolean> {
    return this.#allowances.takeReturn(pass)
  }

  /** No longer counts a guess that was right. */
  hit(guess: Wanted): Promise<void> {
    return this.#allowances.giveBack(guess)
  }

  /** True for an address that is counted only together with all others. */
  isExempt(address: string): boolean {
    return this.#rules.trustLoopback && isLoopback(address)
  }

  #once(action: Action, address: string): Wanted {
    return { action, address: this.#counted(address) }
  }

  /** The address, if it is counted by itself. */
  #counted(address: string): string | null {
    return this.isExempt(address) ? null : address
  }
}
