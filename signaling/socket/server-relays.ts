/** Admits sides to server relays with their tickets, and limits the number of server relays. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { closeCodes, maxServerRelayMessageBytes, ticketProtocol } from '#shared/signaling/messages'
import { serverRelayPathOf } from '#shared/signaling/paths'
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

/** Limits of all server relays of one kind; `most` 0 turns them off. */
export type ServerRelaysRules = ServerRelayRules & {
  readonly most: number
  readonly maxPerAddress: number
  /** A fixed limit, because the multiples for networks could exceed a small `most`. */
  readonly maxPerNetwork: number
  readonly ticketMs: number
}

/** Server relays between two clients, and those to a page in a browser. */
export type Kind = 'clients' | 'pages'

/** Limits of server relays of both kinds. */
export type RulesByKind = { readonly [kind in Kind]: ServerRelaysRules }

const kindOf = ({ isPage }: Participant): Kind => (isPage ? 'pages' : 'clients')

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
  readonly carried: { readonly [kind in Kind]: Count }
}

/** The server relays of one server. */
export class ServerRelays {
  rules: RulesByKind
  readonly #clock: Clock
  readonly #tickets: ServerRelayTickets
  readonly #carried: { readonly [kind in Kind]: Count }
  /** Server relays by pair, from the first side's arrival. */
  readonly #serverRelays = {
    clients: new Map<string, ServerRelay>(),
    pages: new Map<string, ServerRelay>(),
  }
  readonly #addresses = { clients: new AddressCounter(), pages: new AddressCounter() }
  readonly #sockets = webSocketServer(maxServerRelayMessageBytes, {
    maxFragments,
    // A browser ends a connection whose subprotocol isn't accepted.
    handleProtocols: ([protocol = '']) => protocol.startsWith(ticketProtocol) && protocol,
  })

  constructor(rules: RulesByKind, { clock, tickets, carried }: Surroundings) {
    this.rules = rules
    this.#clock = clock
    this.#tickets = tickets
    this.#carried = carried
  }

  /** The ticket in a request for a server relay, or empty; `null` for other requests, and if server relays are off. */
  ticketIn({ url, headers }: IncomingMessage): string | null {
    const { relayNode, pageNode } = this.nodes
    if ((relayNode ?? pageNode) === null || url !== serverRelayPathOf(this.#tickets.name))
      return null
    const shown = headers.authorization ?? headers['sec-websocket-protocol'] ?? ''
    return /^(?:Bearer |thru\.ticket\.)([\w-]{43})$/.exec(shown)?.[1] ?? ''
  }

  /** The node for server relays of this node's hosts, empty for a single node; `null` for a kind that is off. */
  get nodes(): { readonly relayNode: NodeName; readonly pageNode: NodeName } {
    const { clients, pages } = this.rules
    const { name } = this.#tickets
    return { relayNode: clients.most === 0 ? null : name, pageNode: pages.most === 0 ? null : name }
  }

  /** Server relays with at least one side. */
  get total(): { readonly [kind in Kind]: number } {
    const { clients, pages } = this.#serverRelays
    return { clients: clients.size, pages: pages.size }
  }

  /** Bytes buffered for slow sides. */
  get bufferedBytes(): number {
    return this.#all().reduce((sum, { bufferedBytes }) => sum + bufferedBytes, 0)
  }

  /** A ticket for this side, valid at `node`. */
  issue(participant: Participant, node: string): string {
    return this.#tickets.issue(participant, node, this.rules[kindOf(participant)].ticketMs)
  }

  /** The HTTP status that refuses a side with this ticket; `null` to accept it. */
  refusalOf(ticket: string, address: string): 403 | 429 | 503 | null {
    const participant = this.#tickets.participantOf(ticket)
    if (participant === null) return 403
    const kind = kindOf(participant)
    const { most, maxPerAddress, maxPerNetwork } = this.rules[kind]
    if (!this.#addresses[kind].fits(address, maxPerAddress, 1, maxPerNetwork)) return 429
    const running = this.#serverRelays[kind]
    return running.has(participant.pair) || running.size < most ? null : 503
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
      const addresses = this.#addresses[kindOf(participant)]
      addresses.add(address)
      webSocket.once('close', () => addresses.remove(address))
      this.#of(participant).enter(webSocket)
    })
  }

  /** Checks deadlines; call it about once a second. */
  tick(): void {
    for (const serverRelay of this.#all()) serverRelay.tick()
  }

  /** Closes all server relays. */
  close(): void {
    for (const serverRelay of this.#all()) serverRelay.close(closeCodes.goingAway)
  }

  /** Ends all server relays without closing handshakes. */
  terminate(): void {
    for (const serverRelay of this.#all()) serverRelay.terminate()
  }

  #all(): readonly ServerRelay[] {
    const { clients, pages } = this.#serverRelays
    return [...clients.values(), ...pages.values()]
  }

  /** The server relay of this participant's pair, which begins with its first side. */
  #of(participant: Participant): ServerRelay {
    const { pair } = participant
    const kind = kindOf(participant)
    const running = this.#serverRelays[kind]
    const known = running.get(pair)
    if (known !== undefined) return known
    const begun = new ServerRelay(this.rules[kind], this.#clock, this.#carried[kind], () =>
      running.delete(pair),
    )
    running.set(pair, begun)
    return begun
  }
}
