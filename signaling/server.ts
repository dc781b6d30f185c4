/** HTTP and WebSocket wiring: admission of sockets, their deadlines, and shutdown. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { WebSocket, WebSocketServer } from 'ws'
import type { AppError } from '#shared/errors'
import { ok, type Result } from '#shared/result'
import { closeCodes, joinHeader } from '#shared/signaling/messages'
import { signalingPath } from '#shared/signaling/paths'
import { ChannelKey } from '#shared/signaling/secure-channel'
import { type Clock, systemClock } from '#signaling/clock'
import { changedLimits, makeConfig } from '#signaling/config/config'
import type { ServerConfig } from '#signaling/config/server-config'
import {
  authorizationOf,
  passwordChallenge,
  ServerPasswords,
} from '#signaling/config/server-password'
import { Admission } from '#signaling/limits/admission'
import { endHeaviest } from '#signaling/limits/held-bytes'
import {
  admissionRules,
  connectionRules,
  drainMs,
  httpLimits,
  keyMs,
  mailboxRules,
  pageFileRate,
  passwordTries,
  rendezvousRules,
  serverRelaysRules,
  sweepMs,
  tickMs,
} from '#signaling/limits/limits'
import { NetworkRates } from '#signaling/limits/rate-limiter'
import { type Log, silentLog } from '#signaling/log'
import { Monitor } from '#signaling/metrics/monitor'
import type { Snapshot } from '#signaling/metrics/server-metrics'
import { Pages } from '#signaling/pages/pages'
import { webLimits } from '#signaling/pages/web-limits'
import { servedAt, type ServedPage } from '#signaling/pages/web-page'
import { type Random, systemRandom } from '#signaling/random'
import { Passes } from '#signaling/rooms/passes'
import { Rendezvous } from '#signaling/rooms/rendezvous'
import type { ConnectionId, Effect } from '#signaling/rooms/rooms'
import { inMemoryState, type SharedState } from '#signaling/rooms/shared-state'
import { StoreError } from '#signaling/rooms/store-error'
import type { SignalingServer, SignalingServerOptions } from '#signaling/server-options'
import { addressKey } from '#signaling/socket/address'
import { addressNames } from '#signaling/socket/address-names'
import { Connection } from '#signaling/socket/connection'
import type { ConnectionContext, ConnectionOrigin } from '#signaling/socket/connection-context'
import { drain, type Drainable } from '#signaling/socket/drain'
import { listenAt, urlHost } from '#signaling/socket/listening'
import { NetworkEntrance, type NetworkOptions } from '#signaling/socket/network-entrance'
import { PendingCloses } from '#signaling/socket/pending-closes'
import { Proxies } from '#signaling/socket/proxies'
import { ProxiedSockets } from '#signaling/socket/proxy-protocol'
import { ServerRelayTickets } from '#signaling/socket/server-relay-tickets'
import { ServerRelays } from '#signaling/socket/server-relays'
import { turnServiceOf } from '#signaling/socket/turn-service'
import { cutWhenLate, webSocketServer } from '#signaling/socket/web-sockets'

export type { SignalingServer, SignalingServerOptions }

/**
 * Starts a server; the process can run several.
 * Errors: `E_BAD_ARGUMENT` with the setting, or with the address that can't be used.
 */
export async function startSignalingServer(
  options: SignalingServerOptions = {},
): Promise<Result<SignalingServer, AppError>> {
  const config = makeConfig(options)
  if (!config.ok) return config
  const node = new ListeningNode(config.value, options)
  const { host, metrics } = config.value
  const ports = await node.listen(config.value.port, host, metrics)
  if (!ports.ok) return ports
  const url = `ws://${urlHost(host)}:${ports.value.port}`
  return ok({
    ...ports.value,
    url,
    reload: (after) => node.reload(after),
    close: () => node.close(),
    leave: () => node.leave(),
  })
}

/** Addresses whose requests for files of the page are limited at the same time. */
const maxFileAddresses = 65_536

/** One listening port with its sockets and sessions. */
class ListeningNode {
  readonly #proxies: Proxies
  readonly #servedPage: ServedPage | null
  readonly #pages: Pages
  readonly #clock: Clock
  readonly #random: Random
  readonly #log: Log
  readonly #monitor: Monitor
  #config: ServerConfig
  readonly #admission: Admission
  readonly #passwords: ServerPasswords
  readonly #state: SharedState
  readonly #pendingCloses = new PendingCloses()
  readonly #serverRelays: ServerRelays
  readonly #rendezvous: Rendezvous
  /** Its rules follow the limits. */
  readonly #context: { -readonly [key in keyof ConnectionContext]: ConnectionContext[key] }
  readonly #http: Server
  readonly #webSockets: WebSocketServer
  readonly #network: NetworkOptions | null
  /** Sockets from the local network. */
  readonly #guests = new WeakSet<Duplex>()
  #entrance: NetworkEntrance | null = null
  readonly #connections = new Map<ConnectionId, Connection>()
  /** Hosts whose shares joiners on the local network may find. */
  readonly #visibleHosts = new Set<ConnectionId>()
  /** TCP connections that aren't WebSockets yet, with their start (ms) and the address that they count for. */
  readonly #handshakes = new Map<
    Duplex,
    { readonly since: number; readonly address: string | null }
  >()
  /** TCP connections to which a file of the page for browsers is being sent. */
  readonly #files = new WeakSet<Duplex>()
  /** Replaced hourly, so that a leaked key exposes only the sockets of one hour. */
  #key = new ChannelKey()
  #keyedAt: number
  #sweptAt: number
  #cancelTick: () => void = () => undefined
  #closed: Promise<void> | null = null
  /** Resolves when no connection is left; `null` while new ones are accepted. */
  #left: Promise<unknown> | null = null

  constructor(config: ServerConfig, options: SignalingServerOptions) {
    const proxied = new ProxiedSockets()
    this.#proxies = new Proxies(config.trustProxy, (socket) => proxied.sourceOf(socket))
    this.#clock = options.clock ?? systemClock
    const page = options.page ?? null
    this.#servedPage = page === null ? null : servedAt(page, config.web)
    const files = new NetworkRates(pageFileRate, maxFileAddresses)
    this.#pages = new Pages(config, this.#proxies, this.#servedPage, (request) => {
      const { address } = this.#proxies.originOf(request)
      return address !== null && files.take(address, this.#clock.now())
    })
    this.#random = options.random ?? systemRandom
    const log = options.log ?? silentLog
    this.#monitor = new Monitor({
      clock: this.#clock,
      log,
      usage: () => this.#state.rooms.usage(),
      look: () => this.#look(),
    })
    this.#log = this.#monitor.log
    this.#config = config
    this.#network = options.network ?? null
    this.#sweptAt = this.#clock.now()
    this.#keyedAt = this.#sweptAt
    const passes = new Passes(this.#random)
    const { allowances, mailboxes, rooms, clock } = (this.#state = this.#share(options, passes))
    this.#admission = new Admission(admissionRules(config), this.#clock, allowances)
    this.#passwords = new ServerPasswords(config.serverPasswords, passwordTries, this.#clock)
    this.#rendezvous = new Rendezvous(rooms, rendezvousRules(config), clock, this.#random, passes)
    this.#serverRelays = new ServerRelays(serverRelaysRules(config, page !== null), {
      clock: this.#clock,
      tickets: new ServerRelayTickets(config.nodeName, clock, () => passes.key),
      carried: {
        clients: this.#monitor.counts.serverRelayBytes,
        pages: this.#monitor.counts.webRelayBytes,
      },
    })
    this.#context = {
      rules: connectionRules(config),
      rendezvous: this.#rendezvous,
      passes,
      turn: turnServiceOf(config, this.#clock),
      mailboxes,
      serverRelays: this.#serverRelays,
      web: webLimits(config),
      pendingCloses: this.#pendingCloses,
      admission: this.#admission,
      clock: this.#clock,
      random: this.#random,
      log: this.#log,
      nameAddress: addressNames(config.logAddresses, this.#random),
      metrics: this.#monitor.counts,
      hostsVisibly: (id) => {
        this.#visibleHosts.add(id)
        this.#updateEntrance()
      },
      deliver: (effects) => this.#state.pass(effects),
    }
    this.#webSockets = webSocketServer(config.maxMessageBytes)
    // Clients compare it with their own clock (RFC 9110, section 6.6.1).
    this.#webSockets.on('headers', (headers) => {
      headers.push(`Date: ${new Date().toUTCString()}`)
    })
    this.#http = createServer({
      maxHeaderSize: httpLimits.headerBytes,
      // Only newer versions of Node apply these; the tick does the same.
      headersTimeout: httpLimits.handshakeMs,
      requestTimeout: httpLimits.handshakeMs,
      keepAliveTimeout: httpLimits.keepAliveMs,
    })
    this.#http.maxConnections = config.maxWsConnections + httpLimits.handshakes
    // One more than allowed: Node drops any excess, and a dropped header could be `Origin`.
    this.#http.maxHeadersCount = httpLimits.headers + 1
    if (config.proxyProtocol) {
      proxied.readBefore(this.#http, {
        isProxy: (address) => this.#proxies.has(address),
        onNamed: (socket) => this.#onConnection(socket),
      })
    }
    this.#http.on('connection', (socket) => this.#onConnection(socket))
    this.#http.on('request', (request, response) => {
      if (this.#pages.answer(request, response)) this.#files.add(request.socket)
    })
    this.#http.on('upgrade', (request, socket, head) => this.#onUpgrade(request, socket, head))
  }

  #share({ state, store }: SignalingServerOptions, passes: Passes): SharedState {
    return (state ?? inMemoryState(store))({
      clock: this.#clock,
      random: this.#random,
      log: this.#log,
      metrics: this.#monitor.counts,
      passes,
      rules: {
        allowances: admissionRules(this.#config),
        mailboxes: mailboxRules(this.#config),
        rooms: rendezvousRules(this.#config),
      },
      deliver: (effects) => this.#deliver(effects),
      dismiss: () => this.#dismiss(),
      release: (nameplate, isGone) => this.#rendezvous.release(nameplate, isGone),
    })
  }

  /** Starts to serve, and returns the bound ports. Error: `E_BAD_ARGUMENT` if it can't listen. */
  async listen(
    port: number,
    host: string,
    metrics: string,
  ): Promise<Result<Pick<SignalingServer, 'port' | 'metricsPort'>, AppError>> {
    const bound = await listenAt(this.#http, port, host)
    if (!bound.ok) return bound
    await this.#state.start()
    const metricsPort = await this.#monitor.listen(metrics)
    if (!metricsPort.ok) {
      await this.close()
      return metricsPort
    }
    this.#log({ event: 'listening', port: bound.value })
    if (this.#network !== null) {
      this.#entrance = new NetworkEntrance(this.#network, bound.value, (socket) => {
        this.#guests.add(socket)
        this.#http.emit('connection', socket)
      })
    }
    this.#armTick()
    return ok({ port: bound.value, metricsPort: metricsPort.value })
  }

  /** See `SignalingServer.reload`. */
  reload(after: ServerConfig): Result<readonly string[], AppError> {
    const changed = changedLimits(this.#config, after)
    if (!changed.ok) return changed
    this.#config = after
    this.#admission.rules = admissionRules(after)
    this.#rendezvous.rules = rendezvousRules(after)
    this.#context.rules = connectionRules(after)
    this.#context.turn = turnServiceOf(after, this.#clock)
    this.#passwords.passwords = after.serverPasswords
    this.#pages.facts = after
    this.#context.mailboxes.rules = mailboxRules(after)
    this.#serverRelays.rules = serverRelaysRules(after, this.#servedPage !== null)
    this.#context.web = webLimits(after)
    this.#webSockets.options.maxPayload = after.maxMessageBytes
    this.#http.maxConnections = after.maxWsConnections + httpLimits.handshakes
    return changed
  }

  /** Closes everything once; later calls wait for the same end. */
  close(): Promise<void> {
    this.#closed ??= this.#drain()
    return this.#closed
  }

  /** See `SignalingServer.leave`. */
  async leave(): Promise<void> {
    if (this.#closed === null && this.#left === null && this.#state.nodes > 1) {
      this.#left = this.#stopListening()
      await drain(() => this.#drainable(), this.#config.drainTime * 1000, this.#clock)
    }
    await this.close()
  }

  #drainable(): readonly Drainable[] {
    return [...this.#connections.values()]
      .filter((connection) => !connection.isClosing)
      .map((connection) => ({
        isPairing: connection.isPairing,
        end: () => connection.close(closeCodes.goingAway),
      }))
  }

  #stopListening(): Promise<unknown> {
    this.#log({ event: 'draining', sockets: this.#connections.size })
    return new Promise((resolve) => this.#http.close(resolve))
  }

  async #drain(): Promise<void> {
    this.#cancelTick()
    this.#entrance?.set(false, this.#clock.now())
    const closed = (this.#left ??= this.#stopListening())
    for (const socket of this.#handshakes.keys()) socket.destroy()
    const ends = [...this.#connections.values()].map((connection) => connection.ended)
    for (const connection of this.#connections.values()) connection.close(closeCodes.goingAway)
    this.#serverRelays.close()
    const cancel = this.#clock.after(drainMs, () => {
      this.#serverRelays.terminate()
      for (const connection of this.#connections.values()) connection.terminate()
    })
    await Promise.all([closed, ...ends])
    cancel()
    await this.#state.close()
    await this.#monitor.close()
    this.#log({ event: 'drained' })
  }

  #look(): Omit<Snapshot, 'usage'> {
    const sockets = { host: 0, joiner: 0, listener: 0, none: 0 }
    let { bufferedBytes } = this.#serverRelays
    for (const connection of this.#connections.values()) {
      sockets[connection.role] += 1
      bufferedBytes += connection.bufferedBytes
    }
    const { mailboxes } = this.#context
    const { maxWsConnections, maxSessions } = this.#config
    return {
      sockets,
      bufferedBytes,
      handshakes: this.#handshakes.size,
      mailboxes: mailboxes.total,
      serverRelays: this.#serverRelays.total.clients,
      webRelays: this.#serverRelays.total.pages,
      isDraining: this.#left !== null,
      nodes: this.#state.nodes,
      limits: { sockets: maxWsConnections, sessions: maxSessions, mailboxes: mailboxes.limit },
    }
  }

  /** Called again after a proxy has named the connection's origin in a PROXY header. */
  #onConnection(socket: Socket): void {
    const peer = this.#proxies.peerOf(socket)
    // A proxy's clients can't be told apart yet, and the proxy has its own deadlines.
    const address = this.#proxies.has(peer) ? null : addressKey(peer)
    if (address !== null && !this.#admission.startHandshake(address)) {
      this.#monitor.counts.dropped.add()
      socket.destroy()
      return
    }
    const known = this.#handshakes.get(socket)
    this.#handshakes.set(socket, { since: known?.since ?? this.#clock.now(), address })
    if (known === undefined) socket.once('close', () => this.#endHandshake(socket))
  }

  #onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Node removes its own listener before this event; a reset would otherwise end the process.
    socket.on('error', () => socket.destroy())
    const { address, isUnnamed } = this.#proxies.originOf(request)
    const refusal = this.#pages.refusalOf(request)
    // A client's headers can hide those of its proxy, but such a request is refused.
    if (isUnnamed && refusal === null) this.#log({ event: 'unnamed-client' })
    const ticket = this.#serverRelays.ticketIn(request)
    const error =
      refusal ??
      (request.url === signalingPath || ticket !== null ? null : 404) ??
      // An unidentified client would share the limits of all unidentified clients.
      (address === null ? 400 : this.#refusalOf(ticket, request, address))
    if (error !== null || address === null) {
      this.#refuse(socket, error ?? 400, address)
      return
    }
    const opening = this.#admission.open(address)
    if (opening === 'full' || opening === 'too-many') {
      this.#refuse(socket, opening === 'full' ? 503 : 429, address)
      return
    }
    socket.once('close', () => this.#admission.close(address))
    if (ticket !== null) {
      this.#serverRelays.upgrade({ request, socket, head }, { ticket, address })
      this.#endHandshake(socket)
      return
    }
    this.#webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      this.#endHandshake(socket)
      cutWhenLate(webSocket)
      const isReserved = opening === 'reserved'
      const isGuest = this.#guests.has(socket)
      const isPage = request.headers.origin !== undefined
      this.#welcome(webSocket, request, { address, isReserved, isGuest, isPage })
    })
  }

  /** Accepts a ticket without a password, because only clients with a password receive tickets. */
  #refusalOf(ticket: string | null, request: IncomingMessage, address: string) {
    return ticket === null
      ? this.#passwords.refusalOf(authorizationOf(request), address)
      : this.#serverRelays.refusalOf(ticket, address)
  }

  #refuse(socket: Duplex, status: number, address: string | null): void {
    this.#log({ event: 'upgrade-refused', status, ...this.#context.nameAddress(address) })
    const challenge = status === 401 ? `${passwordChallenge}\r\n` : ''
    const headers = `${challenge}Connection: close\r\nContent-Length: 0\r\n`
    socket.end(`HTTP/1.1 ${status} Refused\r\n${headers}\r\n`)
  }

  #welcome(webSocket: WebSocket, { headers }: IncomingMessage, origin: ConnectionOrigin): void {
    const id = this.#state.connectionId()
    const join = headers[joinHeader]
    const facts = { id, ...origin, joins: join !== undefined, key: this.#key }
    const connection = new Connection(facts, webSocket, this.#context)
    this.#connections.set(id, connection)
    // It counts like a frame, and precedes all of them.
    if (join !== undefined) webSocket.emit('message', Buffer.from(String(join), 'base64url'), false)
    void connection.ended.then(() => {
      this.#connections.delete(id)
      if (this.#visibleHosts.delete(id)) this.#updateEntrance()
    })
  }

  #updateEntrance(): void {
    if (this.#left === null) this.#entrance?.set(this.#visibleHosts.size > 0, this.#clock.now())
  }

  #endHandshake(socket: Duplex): void {
    const address = this.#handshakes.get(socket)?.address
    this.#handshakes.delete(socket)
    if (address !== undefined && address !== null) this.#admission.endHandshake(address)
  }

  #deliver(effects: readonly Effect[]): void {
    for (const effect of effects) {
      const connection = this.#connections.get(effect.to)
      if (connection !== undefined) connection.carryOut(effect)
      else if (effect.type === 'assign') this.#giveUp(effect.to, effect.nameplate)
    }
  }

  /** Gives up an assignment for a socket that ended while the store was asked. */
  #giveUp(who: ConnectionId, nameplate: string): void {
    this.#note(this.#pendingCloses.run(who, () => this.#rendezvous.drop(who, nameplate)))
  }

  #dismiss(): void {
    for (const connection of this.#connections.values()) connection.close(closeCodes.goingAway)
  }

  /** Logs the failure of `work`, unless the store is unavailable. */
  #note(work: Promise<unknown>): void {
    work.catch((reason: unknown) => {
      if (!(reason instanceof StoreError)) this.#log({ event: 'failed', stack: String(reason) })
    })
  }

  #armTick(): void {
    this.#cancelTick = this.#clock.after(tickMs, () => {
      this.#armTick()
      this.#tick()
    })
  }

  #tick(): void {
    const now = this.#clock.now()
    this.#entrance?.tick(now)
    for (const connection of this.#connections.values()) connection.tick()
    this.#serverRelays.tick()
    const cut = endHeaviest(this.#connections.values(), this.#config.maxHeldBytes)
    if (cut > 0) this.#log({ event: 'heaviest-cut', sockets: cut })
    for (const [socket, { since }] of this.#handshakes) {
      const { handshakeMs, fileMs } = httpLimits
      if (now - since >= (this.#files.has(socket) ? fileMs : handshakeMs)) socket.destroy()
    }
    if (now - this.#keyedAt >= keyMs) {
      this.#key = new ChannelKey()
      this.#keyedAt = now
    }
    this.#note(this.#pendingCloses.settle())
    if (now - this.#sweptAt < sweepMs) return
    this.#sweptAt = now
    this.#note(this.#rendezvous.sweep())
  }
}
