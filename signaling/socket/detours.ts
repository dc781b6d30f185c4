/** Admits sides to detours by their tickets, and limits the number of detours. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { closeCodes, detourPathOf, maxDetourMessageBytes } from '#shared/signaling/messages'
import type { Clock } from '#signaling/clock'
import { AddressCounter } from '#signaling/limits/counter'
import type { Count } from '#signaling/metrics/metric'
import type { DetourPlace } from '#signaling/rooms/rooms'
import { Detour, type DetourRules } from '#signaling/socket/detour'
import type { DetourTickets, Participant } from '#signaling/socket/detour-tickets'
import { cutWhenLate, webSocketServer } from '#signaling/socket/web-sockets'

/**
 * Fragments of one message, because a proxy may split it. Each fragment keeps everything that was read with it, such as
 * 64 KiB of pings, until the message is complete.
 */
const maxFragments = 8

/** Limits of all detours; `most` 0 turns them off. */
export type DetoursRules = DetourRules & {
  readonly most: number
  readonly maxPerAddress: number
  /** A fixed limit, because the multiples for networks could exceed a small `most`. */
  readonly maxPerNetwork: number
  /** Lifetime of a ticket. */
  readonly ticketMs: number
}

/** A WebSocket request in Node's form. */
type Upgrade = {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
}

/** A client's ticket and address. */
type Shown = { readonly ticket: string; readonly address: string }

/** Dependencies of detours. */
type Surroundings = {
  readonly clock: Clock
  readonly tickets: DetourTickets
  readonly carried: Count
}

/** The detours of one server. */
export class Detours {
  rules: DetoursRules
  readonly #clock: Clock
  readonly #tickets: DetourTickets
  readonly #carried: Count
  /** Detours by pair, from the first side's arrival. */
  readonly #detours = new Map<string, Detour>()
  readonly #addresses = new AddressCounter()
  readonly #sockets = webSocketServer(maxDetourMessageBytes, maxFragments)

  constructor(rules: DetoursRules, { clock, tickets, carried }: Surroundings) {
    this.rules = rules
    this.#clock = clock
    this.#tickets = tickets
    this.#carried = carried
  }

  /** The ticket in a request for a detour, empty without one; `null` for other requests, and if detours are off. */
  ticketIn({ url, headers }: IncomingMessage): string | null {
    if (this.place === null || url !== detourPathOf(this.place)) return null
    return /^Bearer ([\w-]{43})$/.exec(headers.authorization ?? '')?.[1] ?? ''
  }

  /** The node for detours of this node's hosts, empty for a single node; `null` if detours are off. */
  get place(): DetourPlace {
    return this.rules.most === 0 ? null : this.#tickets.name
  }

  /** Detours with at least one side. */
  get total(): number {
    return this.#detours.size
  }

  /** Bytes buffered for slow sides. */
  get bufferedBytes(): number {
    return [...this.#detours.values()].reduce((sum, { bufferedBytes }) => sum + bufferedBytes, 0)
  }

  /** A ticket for this side, valid at the node `place`. */
  issue(participant: Participant, place: string): string {
    return this.#tickets.issue(participant, place, this.rules.ticketMs)
  }

  /** The HTTP status that refuses a side with this ticket; `null` to accept it. */
  refusalOf(ticket: string, address: string): 403 | 429 | 503 | null {
    const participant = this.#tickets.participantOf(ticket)
    if (participant === null) return 403
    const { maxPerAddress, maxPerNetwork } = this.rules
    if (!this.#addresses.fits(address, maxPerAddress, 1, maxPerNetwork)) return 429
    return this.#detours.has(participant.pair) || this.total < this.rules.most ? null : 503
  }

  /** Accepts a side with a valid ticket, which this uses up. */
  upgrade({ request, socket, head }: Upgrade, { ticket, address }: Shown): void {
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const participant = this.#tickets.use(ticket)
      if (participant === null) {
        // It expired during the handshake.
        webSocket.terminate()
        return
      }
      cutWhenLate(webSocket)
      this.#addresses.add(address)
      webSocket.once('close', () => this.#addresses.remove(address))
      const detour = this.#detours.get(participant.pair) ?? this.#begin(participant.pair)
      detour.enter(webSocket)
    })
  }

  /** Checks deadlines; call it about once a second. */
  tick(): void {
    for (const detour of this.#detours.values()) detour.tick()
  }

  /** Closes all detours. */
  close(): void {
    for (const detour of this.#detours.values()) detour.close(closeCodes.goingAway)
  }

  /** Ends all detours without closing handshakes. */
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
}
