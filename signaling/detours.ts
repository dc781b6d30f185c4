/** Who may have a relay of last resort: tickets, one for each side of a granted pair, and how many there are at a time. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { closeCodes, detourPath, mostDetourMessageBytes } from '#shared/signaling'
import type { Clock } from '#signaling/clock'
import { AddressCounter } from '#signaling/counter'
import { Detour, type DetourRules } from '#signaling/detour'
import type { Count } from '#signaling/metrics/metric'
import type { Random } from '#signaling/random'
import { cutWhenLate, webSocketServer } from '#signaling/web-sockets'

/**
 * Of one message: a proxy may cut it. Each keeps all that was read with it, 64 KiB of pings in between for example, until the message is
 * whole.
 */
const mostFragments = 8

/** Bounds of all of them; none are given where `most` is 0. */
export type DetoursRules = DetourRules & {
  readonly most: number
  readonly mostPerAddress: number
  /** Whatever the networks around an address are worth: where there are few in all, that would be more than all. */
  readonly mostPerNetwork: number
  /** Tickets that nobody has shown yet. */
  readonly mostTickets: number
  readonly ticketMs: number
}

/** What a good ticket opens. */
type Seat = { readonly pair: string; readonly until: number }

/** A request for a WebSocket, as Node hands it over. */
type Upgrade = {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
}

/** Who asks for it, and by what. */
type Shown = { readonly ticket: string; readonly address: string }

/** What detours need besides their rules. */
type Surroundings = { readonly clock: Clock; readonly random: Random; readonly carried: Count }

/** Those of one server. */
export class Detours {
  rules: DetoursRules
  readonly #clock: Clock
  readonly #random: Random
  readonly #carried: Count
  /** In the order in which they end. */
  readonly #tickets = new Map<string, Seat>()
  /** By pair, from the first side on. */
  readonly #detours = new Map<string, Detour>()
  readonly #addresses = new AddressCounter()
  readonly #sockets = webSocketServer(mostDetourMessageBytes, mostFragments)

  constructor(rules: DetoursRules, { clock, random, carried }: Surroundings) {
    this.rules = rules
    this.#clock = clock
    this.#random = random
    this.#carried = carried
  }

  /** What a request for a detour shows, empty for nothing; `null` for other requests, and where there are no detours. */
  ticketIn({ url, headers }: IncomingMessage): string | null {
    if (url !== detourPath || this.rules.most === 0) return null
    return /^Bearer ([\w-]{43})$/.exec(headers.authorization ?? '')?.[1] ?? ''
  }

  /** Detours with at least one side. */
  get total(): number {
    return this.#detours.size
  }

  /** Bytes that wait for sides that read slowly. */
  get bufferedBytes(): number {
    return [...this.#detours.values()].reduce((sum, { bufferedBytes }) => sum + bufferedBytes, 0)
  }

  /** A ticket for one side of `pair`; `null` where there are no detours, or too many tickets are out. */
  issue(pair: string): string | null {
    this.#forgetOld()
    if (this.rules.most === 0 || this.#tickets.size >= this.rules.mostTickets) return null
    const ticket = this.#random.bytes(32).toString('base64url')
    this.#tickets.set(ticket, { pair, until: this.#clock.now() + this.rules.ticketMs })
    return ticket
  }

  /** Why a side with this ticket is not let in, as an HTTP status; `null` when it is. */
  refusalOf(ticket: string, address: string): 403 | 429 | 503 | null {
    this.#forgetOld()
    const seat = this.#tickets.get(ticket)
    if (seat === undefined) return 403
    const { mostPerAddress, mostPerNetwork } = this.rules
    if (!this.#addresses.fits(address, mostPerAddress, 1, mostPerNetwork)) return 429
    return this.#detours.has(seat.pair) || this.total < this.rules.most ? null : 503
  }

  /** Takes in a side whose ticket is good, which it is for once. */
  upgrade({ request, socket, head }: Upgrade, { ticket, address }: Shown): void {
    const pair = this.#tickets.get(ticket)?.pair ?? ''
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
      cutWhenLate(webSocket)
      this.#tickets.delete(ticket)
      this.#addresses.add(address)
      webSocket.once('close', () => this.#addresses.remove(address))
      const detour = this.#detours.get(pair) ?? this.#begin(pair)
      detour.enter(webSocket)
    })
  }

  /** To be called about once a second. */
  tick(): void {
    for (const detour of this.#detours.values()) detour.tick()
  }

  /** Ends all of them. */
  close(): void {
    this.#tickets.clear()
    for (const detour of this.#detours.values()) detour.close(closeCodes.goingAway)
  }

  /** The same without a handshake. */
  terminate(): void {
    for (const detour of this.#detours.values()) detour.terminate()
  }

  #begin(pair: string): Detour {
    const detour = new Detour(this.rules, this.#clock, this.#carried, () =>
      this.#detours.delete(pair),
    )
    this.#detours.set(pair, detour)
    return detour
  }

  #forgetOld(): void {
    const now = this.#clock.now()
    for (const [ticket, { until }] of this.#tickets) {
      if (until > now) return
      this.#tickets.delete(ticket)
    }
  }
}
