/**
 * Checks each configured TURN server (RFC 8656): requests a relayed address and releases it
 * immediately. The password stays here; it only signs requests.
 */
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls, type SecureContext } from 'node:tls'
import { type Clock, systemClock } from '#client/clock'
import type { ProxyFor } from '#client/proxy/proxy-choice'
import { openTunnel } from '#client/proxy/tunnel'
import { type Lookup, parseIceConfig, type TurnServer } from '#client/signaling/ice-servers'
import { serverTrust } from '#client/signaling/trusted-authorities'
import { withTimeout } from '#client/with-timeout'
import { type Finding, finding } from '#shared/state/network-check'
import { endpointsOf } from './endpoints'
import { measureRelay } from './relay-rate'
import {
  attributes,
  type Endpoint,
  endpointIn,
  errorOf,
  longTermKey,
  methods,
  type StunAttribute,
} from './stun-message'
import {
  type OpenStunSocket,
  openStunSocket,
  type StunAnswer,
  type StunSocket,
} from './stun-socket'
import { streamSocket } from './turn-stream'

const timeoutMs = 1500
const connectTimeoutMs = 2500

/** The functions that the check uses; tests replace them. */
export type RelaySeams = {
  readonly lookUp: Lookup
  readonly proxyFor: ProxyFor
  readonly clock?: Clock
  readonly open?: OpenStunSocket
  readonly trust?: () => SecureContext
  /** Also measures the rate of each relay, for a second. */
  readonly measures?: boolean
}

/** Checks these TURN servers. The server check reports invalid lines. */
export async function checkRelays(
  turn: readonly string[],
  seams: RelaySeams,
): Promise<readonly Finding[]> {
  if (turn.length === 0) return [finding('relay', 'none', {})]
  const parsed = parseIceConfig({ stun: [], turn })
  if (!parsed.ok) return []
  const found = await Promise.all(parsed.value.turn.map((server) => checkRelay(server, seams)))
  return found.flat()
}

const shownEndpoint = ({ host, port }: Endpoint): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`

async function checkRelay(server: TurnServer, seams: RelaySeams): Promise<readonly Finding[]> {
  const { lookUp, clock = systemClock } = seams
  const name = shownEndpoint(server)
  const transport = server.transport.toUpperCase()
  const endpoints = await endpointsOf(server, lookUp, clock)
  const endpoint = endpoints?.[4] ?? endpoints?.[6] ?? null
  if (endpoint === null) return [finding('relay', 'nameless', { server: name })]
  const opened = await openSocket(server, endpoint, seams)
  if (typeof opened === 'string') {
    return [finding('relay', 'silent', { server: name, transport, detail: opened })]
  }
  try {
    return await tryRelay(server, { name, transport, endpoint, socket: opened }, seams)
  } finally {
    opened.close()
  }
}

type Opened = {
  readonly name: string
  readonly transport: string
  readonly endpoint: Endpoint
  readonly socket: StunSocket
}

async function tryRelay(
  { user, password }: TurnServer,
  { name, transport, endpoint, socket }: Opened,
  { clock = systemClock, open = openStunSocket, measures = false }: RelaySeams,
): Promise<readonly Finding[]> {
  // 17 is the protocol number of UDP.
  const wanted: StunAttribute = [attributes.requestedTransport, Buffer.from([17, 0, 0, 0])]
  const question = { method: methods.allocate, timeoutMs }
  const first = await socket.ask(endpoint, { ...question, carried: [wanted] })
  if (first === null) {
    return [finding('relay', 'silent', { server: name, transport, detail: '' })]
  }
  const { attributes: said } = first.message
  const [realm, nonce] = [said.get(attributes.realm), said.get(attributes.nonce)]
  if (errorOf(first.message) !== unauthorized || realm === undefined || nonce === undefined) {
    return [refusal(first, name)]
  }
  const credentials: readonly StunAttribute[] = [
    [attributes.username, Buffer.from(user)],
    [attributes.realm, realm],
    [attributes.nonce, nonce],
  ]
  const key = longTermKey(user, realm.toString(), password)
  const ask = (method: number, carried: readonly StunAttribute[]) =>
    socket.ask(endpoint, { method, carried: [...carried, ...credentials], key, timeoutMs })
  const second = await ask(methods.allocate, [wanted])
  const relayed = second === null ? null : endpointIn(second.message, attributes.relayedAddress)
  if (second === null || relayed === null) {
    if (second === null)
      return [finding('relay', 'silent', { server: name, transport, detail: '' })]
    return [refusal(second, name)]
  }
  const works = finding('relay', 'works', { server: name, transport, ms: first.ms })
  const bytesPerSecond = measures
    ? await measureRelay({ socket, endpoint, allocation: { relayed, ask }, open, clock })
    : null
  // Otherwise the allocation stays until it expires; the answer is awaited like any other.
  await ask(methods.refresh, [[attributes.lifetime, Buffer.alloc(4)]])
  if (bytesPerSecond === null) return [works]
  return [works, finding('relay', 'fast', { server: name, transport, bytesPerSecond })]
}

const unauthorized = 401

function refusal({ message }: StunAnswer, server: string): Finding {
  const error = errorOf(message)
  // A second "unauthorized", or wrong credentials.
  if (error === unauthorized || error === 441) return finding('relay', 'password', { server })
  // Allocation quota reached, or insufficient capacity.
  if (error === 486 || error === 508) return finding('relay', 'full', { server })
  const detail = message.kind === 'error' ? `error ${error}` : 'no TURN server'
  return finding('relay', 'refused', { server, detail })
}

/** Returns the reason if the connection fails. */
async function openSocket(
  server: TurnServer,
  endpoint: Endpoint,
  { clock = systemClock, open = openStunSocket, proxyFor, trust = serverTrust }: RelaySeams,
): Promise<StunSocket | string> {
  if (server.transport === 'udp') {
    return (await open(endpoint.host.includes(':') ? 6 : 4, clock)) ?? 'no socket'
  }
  const url = `wss://${shownEndpoint(endpoint)}`
  const proxy = await proxyFor(url)
  if (!proxy.ok) return proxy.error.detail
  const isSecure = isTls(server)
  const secured = (socket: Socket) =>
    isSecure ? secure(socket, server.host, trust, clock) : socket
  if (proxy.value === null) return socketOver(await dial(endpoint, clock), secured, clock)
  const attempt = new AbortController()
  const tunnel = openTunnel({ proxy: proxy.value, url, clock, trust, signal: attempt.signal })
  const opened = await withTimeout(clock, connectTimeoutMs, tunnel, () => null)
  if (opened === null) attempt.abort()
  if (opened === null) return 'no answer in time'
  return opened.ok ? socketOver(opened.value, secured, clock) : opened.error.detail
}

const isTls = ({ transport }: { readonly transport: string }): boolean => transport === 'tls'

async function socketOver(
  dialed: Socket | string,
  secured: (socket: Socket) => Socket | Promise<Socket | string>,
  clock: Clock,
): Promise<StunSocket | string> {
  const ready = typeof dialed === 'string' ? dialed : await secured(dialed)
  return typeof ready === 'string' ? ready : streamSocket(ready, clock)
}

/** Returns the reason if the certificate isn't trusted. */
function secure(
  socket: Socket,
  host: string,
  trust: () => SecureContext,
  clock: Clock,
): Promise<Socket | string> {
  const servername = isIP(host) === 0 ? host : ''
  return opening(
    connectTls({ socket, host, servername, secureContext: trust() }),
    'secureConnect',
    clock,
  )
}

const dial = (endpoint: Endpoint, clock: Clock): Promise<Socket | string> =>
  opening(connect(endpoint), 'connect', clock)

/** The open stream, or the reason why it failed. */
const opening = (
  stream: Socket,
  event: 'connect' | 'secureConnect',
  clock: Clock,
): Promise<Socket | string> =>
  new Promise((resolve) => {
    const end = (why: string): void => {
      cancel()
      stream.destroy()
      resolve(why)
    }
    const cancel = clock.after(connectTimeoutMs, () => end('no answer in time'))
    // Stays attached: an abandoned stream may still fail.
    stream.on('error', (reason: NodeJS.ErrnoException) => end(reason.code ?? reason.message))
    stream.once(event, () => {
      cancel()
      resolve(stream)
    })
  })
