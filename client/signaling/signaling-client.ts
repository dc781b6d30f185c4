/**
 * One WebSocket to the signaling server, replaced whenever it is lost. It manages connections, not sessions: each new
 * socket begins with `hello`, and the owner decides in `onDown` whether another attempt follows.
 */
import type { ClientRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import { type RawData, WebSocket } from 'ws'
import type { Clock } from '#client/clock'
import { throughProxy } from '#client/proxy/tunnel'
import { SendAllowance } from '#client/session/send-allowance'
import { scopeOfAddress } from '#client/signaling/address-scope'
import type { Lookup } from '#client/signaling/ice-servers'
import { OfferedRelays, type TurnMessage } from '#client/signaling/offered-relays'
import type { ServerRelayMessage } from '#client/signaling/offered-server-relay'
import {
  isInsecure,
  passwordError,
  type ReachedServer,
  remoteOf,
  type ServerAddress,
  type ServerLocator,
} from '#client/signaling/server-locator'
import { passwordHeaders } from '#client/signaling/server-password'
import { isStaleAddress } from '#client/signaling/stale-address'
import { isUntrusted, serverTrust } from '#client/signaling/trusted-authorities'
import { withTimeout } from '#client/with-timeout'
import { type AppError, appError } from '#shared/errors'
import { limits } from '#shared/limits'
import { err } from '#shared/result'
import {
  type ClientMessage,
  closeCodes,
  decodeServerMessage,
  encode,
  frameLimits,
  joinHeader,
  type ServerMessage,
  travelsSealed,
  type UnknownMessage,
} from '#shared/signaling/messages'
import type { Greeting } from '#shared/signaling/owner-proof'
import { ChannelKey, type SecureChannel } from '#shared/signaling/secure-channel'
import { serverName } from '#shared/signaling/server-url'

/** Dependencies and callbacks of a signaling client. */
export type SignalingOptions = {
  readonly server: ServerLocator & { readonly open?: OpenConnection }
  /** The nameplate of a join, which meeting points need before its first message. */
  readonly joining?: string
  /** True to listen on mailboxes. */
  readonly listens?: true
  /** The key that resumes an earlier receive, by which meeting points find the sender; it is never sent. */
  readonly resumeKey?: string
  /** The keys of a host's receivers that may return, the latest last; for meeting points, and never sent. */
  readonly returning?: () => readonly string[]
  /** True if people already have the nameplate of a host. */
  readonly isRestored?: boolean
  readonly clock: Clock
  /** Returns a number in [0, 1). */
  readonly random: () => number
  /** Resolves names of relays; the system's resolver by default. */
  readonly lookup?: Lookup
  /** Trusted authorities for `wss://`; `serverTrust` by default. */
  readonly trust?: () => SecureContext
  /** True if this computer has lost an address; `isStaleAddress` by default. */
  readonly hasMoved?: (address: string) => boolean
  /** Makes the first message of every socket; each `greeting` is unique. */
  readonly hello: (greeting: Greeting) => ClientMessage
  /**
   * Makes the first message of the first socket as soon as the server is reached, so that it travels in the upgrade.
   * It may only be a `join` without a pass. `hello` makes the message instead if this returns `null`.
   */
  readonly early?: () => ClientMessage | null
  /** Called for a socket's first answer, before its `onMessage`; `hasPage`: browsers receive at this server. */
  readonly onUp: (server: ReachedServer, hasPage?: boolean) => void
  /**
   * Receives messages. An `error` is passed only if it concerns one peer or mailbox; others cause `onDown`. A `turn` is
   * passed once its URLs are checked, after later messages, see `relaysOf`; a `server-relay` as a `ServerRelayMessage`.
   */
  readonly onMessage: (message: ServerMessage | ServerRelayMessage) => void
  /** The socket is lost or could not be opened. The next attempt follows unless `close` is called. */
  readonly onDown: (error: AppError, url: string) => void
}

/** The methods of a `SignalingClient` by which a session uses it, which other kinds of places have, too. */
export type SignalingConnection = Pick<
  SignalingClient,
  'start' | 'send' | 'accuse' | 'onWake' | 'close'
> & { noteWrongGuess?(peer: string): void; onReturning?(): void }

type OpenConnection = (options: SignalingOptions) => SignalingConnection

/** The connection to a place: a signaling client, unless the place is no server. */
export const openSignaling = (options: SignalingOptions): SignalingConnection =>
  options.server.open?.(options) ?? new SignalingClient(options)

type Welcome = Extract<ServerMessage, { readonly t: 'welcome' }>

/** The limit for the server's first answer since the first packet; refusing a code may take 0.6 s. */
const answerTimeoutMs = 10_000

/** The silence after which we ping; below the usual 60 s after which routers drop a connection. */
const pingAfterMs = 30_000

/** A connection that takes longer for a pong is considered lost. */
const pongTimeoutMs = 15_000

/** The limit after a wake-up, when a loss is likely. */
const pongAfterWakeMs = 3000

/** Limits the bytes of unsent pongs to a server that doesn't read; it has the same bound for us. */
const maxBufferedBytes = 256 * 1024

/** Limits locating or starting the embedded server, which takes milliseconds. */
const locateTimeoutMs = 15_000

/** Limits either side's farewell before the socket is cut. */
const farewellMs = 1000

const firstDelayMs = 1000
const delayGrowth = 1.5
const maxDelayMs = 30_000
/** Spreads the reconnections of a restarted server's clients. */
const jitter = 0.3

/** Delay before attempt `failures` + 1, in milliseconds. */
export function reconnectDelayMs(failures: number, random: () => number): number {
  const delayMs = Math.min(maxDelayMs, firstDelayMs * delayGrowth ** (failures - 1))
  return delayMs * (1 + jitter * (2 * random() - 1))
}

/** The socket of one session, with its replacements. */
export class SignalingClient {
  #options: SignalingOptions
  /** Sends the hello on a socket that was opened ahead of its session; `null` on others, and before the welcome. */
  #sayHello: (() => void) | null = null
  #isAhead = false
  #socket: WebSocket | null = null
  /** The connection under the current WebSocket. */
  #tcp: Socket | null = null
  #allowance: SendAllowance<ClientMessage> | null = null
  #channel: SecureChannel | null = null
  /** Ends the current socket with an error. */
  #cut: (error: AppError) => void = () => undefined
  #cancelTimer: (() => void) | null = null
  #failures = 0
  /** True while the next attempt is scheduled. */
  #isPausing = false
  /** True if the current socket is being replaced immediately, without a pause. */
  #isReplaced = false
  #isClosed = false

  constructor(options: SignalingOptions) {
    this.#options = options
  }

  /** Makes the first attempt. */
  start(): void {
    void this.#connect()
  }

  /** Starts ahead of a session: the socket is silent until `adopt`, for which servers wait at most 10 s. */
  startAhead(): void {
    this.#isAhead = true
    this.start()
  }

  /** Gives the client to a session, and sends the session's hello as soon as possible. */
  adopt(options: SignalingOptions): void {
    this.#options = options
    this.#isAhead = false
    if (this.#socket !== null) this.#awaitAnswer(this.#socket)
    this.#sayHello?.()
    this.#sayHello = null
  }

  /** Sends a message; without a socket it is lost, as the peer's messages are. */
  send(message: ClientMessage): void {
    this.#allowance?.push(message)
  }

  /** Leaves a server whose message only the session can recognize as wrong; `onDown` follows. */
  accuse(detail: string): void {
    this.#cut(appError('E_SERVER_PROTOCOL', detail))
  }

  /**
   * Checks the connection after sleep or a change of networks, when the server may have silently dropped this socket.
   * An open socket is pinged, one with a lost address is replaced, and a scheduled attempt starts immediately.
   */
  onWake(): void {
    if (this.#isClosed) return
    if (this.#isPausing) {
      this.#after(0, () => void this.#connect())
    } else if (this.#socket?.readyState === WebSocket.OPEN) {
      const { hasMoved = isStaleAddress } = this.#options
      const address = this.#tcp?.localAddress
      this.#isReplaced = address !== undefined && hasMoved(address)
      if (this.#isReplaced) this.#socket.terminate()
      else this.#ask(this.#socket, pongAfterWakeMs)
    }
  }

  /**
   * Says goodbye and ends; no callback is called afterwards. Resolves once the system has all data, which it delivers
   * even if the program ends; the server's answer would change nothing. A session that `returns` says no goodbye: the
   * server keeps its state for a while.
   */
  async close(farewell: 'leaves' | 'returns' = 'leaves'): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#cancelTimer?.()
    this.#allowance?.stop()
    const socket = this.#socket
    if (socket === null || socket.readyState === WebSocket.CLOSED) return
    await new Promise<void>((resolve) => {
      const cancel = this.#options.clock.after(farewellMs, () => socket.terminate())
      socket.once('close', () => {
        cancel()
        resolve()
      })
      if (socket.readyState !== WebSocket.OPEN) socket.terminate()
      else if (farewell === 'leaves') socket.send(encode({ t: 'leave' }))
      socket.close(closeCodes.normal)
      this.#tcp?.destroySoon()
    })
  }

  async #connect(): Promise<void> {
    this.#isPausing = false
    const { server, clock } = this.#options
    const place = await withTimeout(clock, locateTimeoutMs, server.locate(), () =>
      err(appError('E_SERVER_UNREACHABLE', 'not found in time', serverName(server.url))),
    )
    if (this.#isClosed) return
    if (place.ok) this.#open(place.value)
    else this.#down(place.error, server.url)
  }

  #open(address: ServerAddress): void {
    const { url, embedded, dial, proxy, password } = address
    const { trust = serverTrust, clock } = this.#options
    const attempt = new AbortController()
    const { signal } = attempt
    const own = new ChannelKey()
    let early: ClientMessage | null = null
    const socket = new WebSocket(url, {
      ...frameLimits,
      maxPayload: limits.signalingFrameBytes,
      perMessageDeflate: false,
      followRedirects: false,
      headers: passwordHeaders(password),
      finishRequest: (request) =>
        onceReached(request, url, () => {
          early = this.#earlyMessage(own)
          if (early !== null) request.setHeader(joinHeader, inHeader(early))
          request.end()
        }),
      ...(url.startsWith('wss:') && { secureContext: trust() }),
      ...(dial !== undefined && { createConnection: () => connect(dial) }),
      ...(proxy !== undefined &&
        throughProxy({ proxy, url, clock, trust, signal }, (error) => {
          failure ??= error
        })),
    })
    let failure: AppError | null = null
    let isUp = false
    let hasPage = false
    let insecure = false
    let relays = new OfferedRelays('public', this.#options.lookup)
    let remote = ''
    this.#socket = socket
    const cut = (error: AppError): void => {
      failure ??= { ...error, subject: serverName(url) }
      socket.terminate()
    }
    this.#cut = cut
    this.#awaitAnswer(socket)
    const onHeard = (): void => this.#after(pingAfterMs, () => this.#ask(socket, pongTimeoutMs))

    socket.on('upgrade', ({ socket: tcp }) => {
      this.#tcp = tcp
      remote = remoteOf(url, { proxy, remoteAddress: tcp.remoteAddress })
      const scope = scopeOfAddress(remote) ?? 'public'
      insecure = isInsecure(url, remote)
      relays = new OfferedRelays(scope, this.#options.lookup)
    })
    socket.on('pong', () => {
      if (isUp && failure === null) onHeard()
    })
    socket.on('ping', () => {
      if (socket.bufferedAmount > maxBufferedBytes) socket.terminate()
    })
    socket.on('message', (data, isBinary) => {
      if (this.#isClosed || failure !== null) return
      const message = this.#read(isBinary ? '' : textOf(data))
      if (!message.ok) {
        cut(message.error)
      } else if (message.value.t === 'welcome') {
        hasPage = message.value.web !== undefined
        const error = this.#greet(socket, own, message.value, early)
        if (error !== null) cut(error)
      } else if (isFinal(message.value)) {
        failure = appError(message.value.code, 'refused by the server')
        this.#after(farewellMs, () => socket.terminate())
      } else if (message.value.t !== 'unknown' && (this.#channel === null || this.#isAhead)) {
        // No hello was sent, so a missing answer would go unnoticed.
        cut(appError('E_SERVER_PROTOCOL', `${message.value.t} before a hello`))
      } else if (message.value.t !== 'unknown') {
        onHeard()
        if (!isUp) {
          isUp = true
          this.#failures = 0
          this.#options.onUp({ url, embedded, insecure }, hasPage)
        }
        if (message.value.t === 'peer') this.#allowance?.grant()
        if (message.value.t === 'turn') void this.#passRelays(socket, relays, message.value)
        else if (message.value.t === 'server-relay')
          this.#options.onMessage({ ...message.value, server: { url, address: remote } })
        else this.#options.onMessage(message.value)
      }
    })
    socket.on('unexpected-response', (_request, response) => {
      failure = refusedUpgrade(response.statusCode ?? 0, address)
      if (failure.code === 'E_SERVER_PASSWORD') this.#options.server.noteRefusal?.(address)
      socket.terminate()
    })
    socket.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      failure ??= appError(
        isUntrusted(code) ? 'E_SERVER_IDENTITY' : 'E_SERVER_UNREACHABLE',
        // If several addresses failed, there is only the code.
        message === '' ? (code ?? '') : message,
        serverName(url),
      )
    })
    socket.on('close', (code) => {
      attempt.abort()
      this.#down(failure ?? closedBy(code, serverName(url)), url)
    })
  }

  #awaitAnswer(socket: WebSocket): void {
    this.#after(answerTimeoutMs, () => socket.terminate())
  }

  #ask(socket: WebSocket, patienceMs: number): void {
    socket.ping()
    this.#after(patienceMs, () => socket.terminate())
  }

  /**
   * Handles the welcome and sends the hello, or `early` unless the server has read it in the upgrade. Error: the
   * welcome has no key, or is a second one.
   */
  #greet(
    socket: WebSocket,
    own: ChannelKey,
    { nonce, key: serverKey, joins }: Welcome,
    early: ClientMessage | null,
  ): AppError | null {
    const channel = own.channelTo(serverKey, nonce, 'client')
    if (channel === null || this.#channel !== null)
      return appError('E_SERVER_PROTOCOL', 'a bad welcome')
    this.#channel = channel
    this.#allowance = new SendAllowance(this.#options.clock, (message: ClientMessage) =>
      socket.send(encode(sealedAsNeeded(message, own.publicKey, channel))),
    )
    const sayHello = (): void =>
      this.send(early ?? this.#options.hello({ nonce, serverKey, clientKey: own.publicKey }))
    if (early !== null && joins === true) return null
    if (this.#isAhead) this.#sayHello = sayHello
    else sayHello()
    return null
  }

  /** The message for the upgrade; only the first attempt has one, because a link doesn't lose many. */
  #earlyMessage(own: ChannelKey): ClientMessage | null {
    const isFirst = this.#failures === 0 && !this.#isAhead && !this.#isClosed
    const message = isFirst ? this.#options.early?.() : null
    return message?.t === 'join' ? { ...message, key: own.publicKey } : null
  }

  /** Decodes one message, unsealing it if necessary. Error: `E_SERVER_PROTOCOL`. */
  #read(text: string): ReturnType<typeof decodeServerMessage> {
    const outer = decodeServerMessage(text)
    if (!outer.ok || outer.value.t === 'unknown') return outer
    if (outer.value.t !== 'sealed') {
      return travelsSealed(outer.value)
        ? err(appError('E_SERVER_PROTOCOL', `${outer.value.t} in no box`))
        : outer
    }
    const opened = this.#channel?.open(outer.value.box) ?? null
    const inner = opened === null ? null : decodeServerMessage(opened)
    return inner === null || (inner.ok && inner.value.t === 'sealed')
      ? err(appError('E_SERVER_PROTOCOL', 'a box that can not be opened'))
      : inner
  }

  async #passRelays(socket: WebSocket, relays: OfferedRelays, offer: TurnMessage): Promise<void> {
    const message = await relays.check(offer)
    if (message !== null && !this.#isClosed && this.#socket === socket) {
      this.#options.onMessage(message)
    }
  }

  /** Sets the only deadline: for an answer, a ping, a pong or the next attempt. */
  #after(delayMs: number, run: () => void): void {
    this.#cancelTimer?.()
    this.#cancelTimer = this.#options.clock.after(delayMs, run)
  }

  #down(error: AppError, url: string): void {
    this.#cancelTimer?.()
    this.#allowance?.stop()
    this.#allowance = null
    this.#channel = null
    this.#socket = null
    this.#tcp = null
    this.#sayHello = null
    this.#cut = () => undefined
    if (this.#isClosed) return
    this.#failures += 1
    this.#isPausing = true
    const delayMs = this.#isReplaced ? 0 : reconnectDelayMs(this.#failures, this.#options.random)
    this.#isReplaced = false
    this.#after(delayMs, () => void this.#connect())
    this.#options.onDown(error, url)
  }
}

/** True for an error after which the server ends the socket. */
const isFinal = (
  message: ServerMessage | UnknownMessage,
): message is Extract<ServerMessage, { readonly t: 'error' }> =>
  message.t === 'error' && message.peer === undefined && message.mailbox === undefined

/** Seals `message` if necessary; boxes are counted, so it must be sent immediately. */
function sealedAsNeeded(
  message: ClientMessage,
  key: string,
  channel: SecureChannel,
): ClientMessage {
  if (travelsSealed(message)) return { t: 'sealed', key, box: channel.seal(encode(message)) }
  return message.t === 'host' || message.t === 'join' ? { ...message, key } : message
}

/** Calls `run` when the socket under `request` is open, and the server is the right one if it uses TLS. */
function onceReached(request: ClientRequest, url: string, run: () => void): void {
  request.once('socket', (socket) => {
    if (url.startsWith('wss:')) socket.once('secureConnect', run)
    else if (socket.connecting) socket.once('connect', run)
    else run()
  })
}

const inHeader = (message: ClientMessage): string =>
  Buffer.from(encode(message)).toString('base64url')

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8')
  return (data instanceof ArrayBuffer ? Buffer.from(data) : data).toString('utf8')
}

/** The error of a proxy or a full server, which responds before there is a WebSocket. */
function refusedUpgrade(status: number, { url, password }: ServerAddress): AppError {
  const detail = `HTTP status ${status}`
  const name = serverName(url)
  if (status === 401) return passwordError(url, password)
  if (status === 429) return appError('E_RATE_LIMITED', detail, name)
  if (status === 503) return appError('E_SERVER_BUSY', detail, name)
  return appError(status >= 500 ? 'E_SERVER_UNREACHABLE' : 'E_SERVER_PROTOCOL', detail, name)
}

function closedBy(code: number, name: string): AppError {
  const detail = `closed with code ${code}`
  switch (code) {
    case closeCodes.binary:
    case closeCodes.malformed:
    case closeCodes.policy:
    case closeCodes.tooLarge:
    case closeCodes.order:
      return appError('E_SERVER_PROTOCOL', detail, name)
    case closeCodes.tooManyMessages:
      return appError('E_RATE_LIMITED', detail, name)
    // `replaced`: another program has the owner's key, and competing for the nameplate would never end.
    case closeCodes.ended:
    case closeCodes.replaced:
      return appError('E_NO_SUCH_CODE', detail)
    default:
      return appError('E_SERVER_UNREACHABLE', detail, name)
  }
}
