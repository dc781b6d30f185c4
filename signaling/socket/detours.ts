/** Who may have a relay of last resort: tickets, one for each side of a granted pair, and how many there are at a time. */
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
 * Of one message: a proxy may cut it. Each keeps all that was read with it, 64 KiB of pings in between for example, until the message is
 * whole.
 */
const maxFragments = 8

/** Bounds of all of them; none are given where `most` is 0. */
export type DetoursRules = DetourRules & {
  readonly most: number
  readonly maxPerAddress: number
  /** Whatever the networks around an address are worth: where there are few in all, that would be more than all. */
  readonly maxPerNetwork: number
  /** How long a ticket is good. */
  readonly ticketMs: number
}

/** A request for a WebSocket, as Node hands it over. */
type Upgrade = {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
}

/** Who asks for it, and by what. */
type Shown = { readonly ticket: string; readonly address: string }

/** What detours need besides their rules. */
type Surroundings = {
  readonly clock: Clock
  readonly tickets: DetourTickets
  readonly carried: Count
}

/** Those of one server. */
export class Detours {
  rules: DetoursRules
  readonly #clock: Clock
  readonly #tickets: DetourTickets
  readonly #carried: Count
  /** By pair, from the first side on. */
  readonly #detours = new Map<string, Detour>()
  readonly #addresses = new AddressCounter()
  readonly #sockets = webSocketServer(maxDetourMessageBytes, maxFragments)

  constructor(rules: DetoursRules, { clock, tickets, carried }: Surroundings) {
    this.rules = rules
    this.#clock = clock
    this.#tickets = tickets
    this.#carried = carried
  }

  /** What a request for a detour shows, empty for nothing; `null` for other requests, and where there are no detours. */
  ticketIn({ url, headers }: IncomingMessage): string | null {
    if (this.place === null || url !== detourPathOf(this.place)) return null
    return /^Bearer ([\w-]{43})$/.exec(headers.authorization ?? '')?.[1] ?? ''
  }

  /** Where pairs of hosts of this node have theirs: its name, empty for none; `null` where there are no detours. */
  get place(): DetourPlace {
    return this.rules.most === 0 ? null : this.#tickets.name
  }

  /** Detours with at least one side. */
  get total(): number {
    return this.#detours.size
  }

  /** Bytes that wait for sides that read slowly. */
  get bufferedBytes(): number {
    return [...this.#detours.values()].reduce((sum, { bufferedBytes }) => sum + bufferedBytes, 0)
  }

  /** A ticket for this side, good at the node of which this is the `place`. */
  issue(participant: Participant, place: string): string {
    return this.#tickets.issue(participant, place, this.rules.ticketMs)
  }

  /** Why a side with this ticket is not let in, as an HTTP status; `null` when it is. */
  refusalOf(ticket: string, address: string): 403 | 429 | 503 | null {
    const participant = this.#tickets.participantOf(ticket)
    if (participant === null) return 403
    const { maxPerAddress, maxPerNetwork } = this.rules
    if (!this.#addresses.fits(address, maxPerAddress, 1, maxPerNetwork)) return 429
    return this.#detours.has(participant.pair) || this.total < this.rules.most ? null : 503
  }

  /** Takes in a side whose ticket is good, which it is for once. */
  upgrade({ request, socket, head }: Upgrade, { ticket, address }: Shown): void {
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const participant = this.#tickets.use(ticket)
      if (participant === null) {
        // It ended while it was shown.
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

  /** To be called about once a second. */
  tick(): void {
    for (const detour of this.#detours.values()) detour.tick()
  }

  /** Ends all of them. */
  close(): void {
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
}
