/** Admits sides to server relays with their tickets, and limits the number of server relays. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import {
  closeCodes,
  maxServerRelayMessageBytes,
  serverRelayPathOf,
} from '#shared/signaling/messages'
import type { Clock } from '#signaling/clock'
import { AddressCounter } from '#signaling/limits/counter'
import type { Count } from '#signaling/metrics/metric'
import type { NodeName } from '#signaling/rooms/rooms'
import { ServerRelay, type ServerRelayRules } from '#signaling/socket/server-relay'
import type { Participant, ServerRelayTickets } from '#signaling/socket/server-relay-tickets'
import { cutWhenLate, webSocketServer } from '#signaling/socket/web-sockets'

/**
 * Fragments of one message, because a proxy may split it. Each fragment keeps everything that was read with it, such as
 * 64 KiB of pings, until the message is complete.
 */
const maxFragments = 8

/** Limits of all server relays; `most` 0 turns them off. */
export type ServerRelaysRules = ServerRelayRules & {
  readonly most: number
  readonly maxPerAddress: number
  /** A fixed limit, because the multiples for networks could exceed a small `most`. */
  readonly maxPerNetwork: number
  readonly ticketMs: number
}

/** A WebSocket request in Node's form. */
type Upgrade = {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
}

type Shown = { readonly ticket: string; readonly address: string }

type Surroundings = {
  readonly clock: Clock
  readonly tickets: ServerRelayTickets
  readonly carried: Count
}

/** The server relays of one server. */
export class ServerRelays {
  rules: ServerRelaysRules
  readonly #clock: Clock
  readonly #tickets: ServerRelayTickets
  readonly #carried: Count
  /** Server relays by pair, from the first side's arrival. */
  readonly #serverRelays = new Map<string, ServerRelay>()
  readonly #addresses = new AddressCounter()
  readonly #sockets = webSocketServer(maxServerRelayMessageBytes, {
    maxFragments,
    // A browser ends a connection whose subprotocol isn't accepted.
    handleProtocols: ([protocol = '']) => protocol.startsWith('thru.ticket.') && protocol,
  })

  constructor(rules: ServerRelaysRules, { clock, tickets, carried }: Surroundings) {
    this.rules = rules
    this.#clock = clock
    this.#tickets = tickets
    this.#carried = carried
  }

  /** The ticket in a request for a server relay, or empty; `null` for other requests, and if server relays are off. */
  ticketIn({ url, headers }: IncomingMessage): string | null {
    if (this.node === null || url !== serverRelayPathOf(this.node)) return null
    const shown = headers.authorization ?? headers['sec-websocket-protocol'] ?? ''
    return /^(?:Bearer |thru\.ticket\.)([\w-]{43})$/.exec(shown)?.[1] ?? ''
  }

  /** The node for server relays of this node's hosts, empty for a single node; `null` if server relays are off. */
  get node(): NodeName {
    return this.rules.most === 0 ? null : this.#tickets.name
  }

  /** Server relays with at least one side. */
  get total(): number {
    return this.#serverRelays.size
  }

  /** Bytes buffered for slow sides. */
  get bufferedBytes(): number {
    return [...this.#serverRelays.values()].reduce(
      (sum, { bufferedBytes }) => sum + bufferedBytes,
      0,
    )
  }

  /** A ticket for this side, valid at `node`. */
  issue(participant: Participant, node: string): string {
    return this.#tickets.issue(participant, node, this.rules.ticketMs)
  }

  /** The HTTP status that refuses a side with this ticket; `null` to accept it. */
  refusalOf(ticket: string, address: string): 403 | 429 | 503 | null {
    const participant = this.#tickets.participantOf(ticket)
    if (participant === null) return 403
    const { maxPerAddress, maxPerNetwork } = this.rules
    if (!this.#addresses.fits(address, maxPerAddress, 1, maxPerNetwork)) return 429
    return this.#serverRelays.has(participant.pair) || this.total < this.rules.most ? null : 503
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
      const serverRelay = this.#serverRelays.get(participant.pair) ?? this.#begin(participant.pair)
      serverRelay.enter(webSocket)
    })
  }

  /** Checks deadlines; call it about once a second. */
  tick(): void {
    for (const serverRelay of this.#serverRelays.values()) serverRelay.tick()
  }

  /** Closes all server relays. */
  close(): void {
    for (const serverRelay of this.#serverRelays.values()) serverRelay.close(closeCodes.goingAway)
  }

  /** Ends all server relays without closing handshakes. */
  terminate(): void {
    for (const serverRelay of this.#serverRelays.values()) serverRelay.terminate()
  }

  #begin(pair: string): ServerRelay {
    const serverRelay = new ServerRelay(this.rules, this.#clock, this.#carried, () =>
      this.#serverRelays.delete(pair),
    )
    this.#serverRelays.set(pair, serverRelay)
    return serverRelay
  }
}
