import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { type ClientOptions, WebSocket } from 'ws'
import {
  type ClientMessage,
  decodeServerMessage,
  encode,
  type ServerMessage,
  travelsSealed,
  type UnknownMessage,
} from '#shared/signaling/messages'
import type { Greeting, OwnerKey } from '#shared/signaling/owner-proof'
import { ChannelKey, type SecureChannel } from '#shared/signaling/secure-channel'
import type { Clock } from '#signaling/clock'
import { drainMs } from '#signaling/limits/limits'
import type { LogEvent } from '#signaling/log'
import type { StateFactory } from '#signaling/rooms/shared-state'
import {
  type SignalingServer,
  type SignalingServerOptions,
  startSignalingServer,
} from '#signaling/server'
import { FakeClock } from '../fake-clock.ts'

/** A server on a free port, its clock and log, and functions that create clients. */
export type TestServer = {
  readonly port: number
  readonly clock: FakeClock
  readonly log: readonly LogEvent[]
  readonly close: () => Promise<void>
  readonly reload: SignalingServer['reload']
  readonly connect: (options?: ClientOptions) => Promise<TestClient>
  /** The HTTP status that refuses an upgrade. */
  readonly refusedWith: (options?: ClientOptions, path?: string) => Promise<number>
  readonly host: () => Promise<{ client: TestClient; nameplate: string }>
  /** A host and a joiner, with their ids for each other. */
  readonly pair: () => Promise<TestPair>
}

/** Two clients that were introduced to each other. */
type TestPair = {
  readonly host: TestClient
  readonly joiner: TestClient
  readonly nameplate: string
  readonly joinerId: string
  readonly hostId: string
}

/** An external state for the servers of a test file. */
type TestState = {
  readonly make: (clock: Clock) => StateFactory
  /** Resolves when it has no pending requests. */
  readonly settled: () => Promise<void>
}

let testState: TestState | null = null

/** Makes servers without their own store use this state. */
export function keepStateIn(state: TestState): void {
  testState = state
}

/** Starts a server that ends with the test. Limits per address are active, as in a deployment. */
export async function startTestServer(options: SignalingServerOptions = {}): Promise<TestServer> {
  const clock = new FakeClock()
  const log: LogEvent[] = []
  const started = await startSignalingServer({
    host: '127.0.0.1',
    port: 0,
    clock,
    log: (event) => log.push(event),
    ...(testState !== null && options.store === undefined && { state: testState.make(clock) }),
    ...options,
  })
  if (!started.ok) throw new Error(started.error.detail)
  const { port, reload } = started.value
  const close = async () => {
    const closed = started.value.close()
    clock.advance(drainMs)
    await closed
  }
  onTestFinished(close)

  const dial = (clientOptions: ClientOptions = {}, path = '/v1') =>
    new WebSocket(`ws://127.0.0.1:${port}${path}`, clientOptions)
  const open = (clientOptions?: ClientOptions) => greeted(dial(clientOptions))
  const host = async () => {
    const client = await open()
    client.send({ t: 'host', v: 1, key: client.key })
    const { nameplate } = await client.next('hosted')
    return { client, nameplate }
  }
  const pair = async () => {
    const { client, nameplate } = await host()
    const joiner = await open()
    joiner.send({ t: 'join', v: 1, nameplate, key: joiner.key })
    const { peer: hostId } = await joiner.next('joined')
    const { peer: joinerId } = await client.next('peer')
    return { host: client, joiner, nameplate, joinerId, hostId }
  }
  const refusedWith = (clientOptions?: ClientOptions, path?: string) =>
    new Promise<number>((resolve, reject) => {
      const socket = dial(clientOptions, path)
      socket.on('error', () => undefined)
      socket.once('open', () => reject(new Error('the upgrade was accepted')))
      socket.once('unexpected-response', (request, response) => {
        request.destroy()
        resolve(response.statusCode ?? 0)
      })
    })
  return { port, clock, log, close, reload, connect: open, refusedWith, host, pair }
}

/** A client on this socket, after the server's welcome. */
export async function greeted(socket: WebSocket): Promise<TestClient> {
  const client = new TestClient(socket)
  await client.opened
  await client.welcomed
  return client
}

/** A client that listens on these mailboxes. */
export async function listen(server: TestServer, ...mailboxes: string[]): Promise<TestClient> {
  const client = await server.connect()
  client.send({ t: 'listen', v: 1, mailboxes })
  await client.next('listening')
  return client
}

type Message = ServerMessage | UnknownMessage

/** A client that queues its messages. */
export class TestClient {
  readonly opened: Promise<void>
  /** Resolves after the server's welcome. */
  readonly welcomed: Promise<void>
  readonly #key = new ChannelKey()
  #greeting: Greeting | null = null
  #line: SecureChannel | null = null
  readonly closed: Promise<number>
  readonly socket: WebSocket
  readonly #received: Message[] = []
  readonly #waiting: ((message: Message) => void)[] = []

  constructor(socket: WebSocket) {
    this.socket = socket
    this.opened = new Promise((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    this.closed = new Promise((resolve) => socket.once('close', resolve))
    let welcome = (): void => undefined
    this.welcomed = new Promise((resolve) => (welcome = resolve))
    socket.on('message', (data) => {
      const message = this.#read((data as Buffer).toString())
      if (message.t === 'welcome') {
        const { nonce, key } = message
        this.#greeting = { nonce, serverKey: key, clientKey: this.#key.publicKey }
        this.#line = this.#key.channelTo(key, nonce, 'client')
        welcome()
        return
      }
      const waiting = this.#waiting.shift()
      if (waiting === undefined) this.#received.push(message)
      else waiting(message)
    })
  }

  /** The greeting of this socket, for an owner to sign. */
  get greeting(): Greeting {
    if (this.#greeting === null) throw new Error('not greeted yet')
    return this.#greeting
  }

  get key(): string {
    return this.#key.publicKey
  }

  sealed(message: ClientMessage): ClientMessage {
    return { t: 'sealed', key: this.key, box: this.#line?.seal(encode(message)) ?? '' }
  }

  hostAs(owner: OwnerKey, more: { readonly nameplate?: string } = {}): void {
    const { key, greeting } = this
    const proof = owner.prove(greeting)
    this.send({ t: 'host', v: 1, key, owner: owner.publicKey, proof, ...more })
  }

  #read(text: string): Message {
    const decoded = decodeServerMessage(text)
    if (!decoded.ok) throw new Error(decoded.error.detail)
    if (decoded.value.t !== 'sealed') return decoded.value
    const opened = this.#line?.open(decoded.value.box) ?? null
    if (opened === null) throw new Error('a box that can not be opened')
    return this.#read(opened)
  }

  /** Sends a message, in its box if it needs one, or any text. */
  send(message: ClientMessage | string): void {
    if (typeof message === 'string') this.socket.send(message)
    else this.socket.send(encode(travelsSealed(message) ? this.sealed(message) : message))
  }

  receive(): Promise<Message> {
    const received = this.#received.shift()
    if (received !== undefined) return Promise.resolve(received)
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** The next message, which must be a `t`. */
  async next<T extends Message['t']>(t: T): Promise<Extract<Message, { t: T }>> {
    const message = await this.receive()
    if (message.t !== t) throw new Error(`wanted ${t}, got ${JSON.stringify(message)}`)
    return message as Extract<Message, { t: T }>
  }

  get unread(): readonly Message[] {
    return this.#received
  }

  /** Resolves when the server has processed everything sent before. */
  async processed(): Promise<void> {
    const pong = new Promise((resolve) => this.socket.once('pong', resolve))
    this.socket.ping()
    await pong
    await testState?.settled()
  }
}

/** A TCP connection for data that no WebSocket library would send. */
export class RawClient {
  readonly socket: Socket
  readonly connected: Promise<void>
  /** All received data, once the connection has ended. */
  readonly ended: Promise<string>

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1' })
    this.connected = new Promise((resolve) => this.socket.once('connect', resolve))
    let received = ''
    this.socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')))
    // A server may also end a connection by a reset.
    this.socket.on('error', () => undefined)
    this.ended = new Promise((resolve) => this.socket.once('close', () => resolve(received)))
  }

  /** Sends text unchanged and resolves with the whole response. */
  ask(text: string): Promise<string> {
    this.socket.write(text)
    return this.ended
  }
}

export const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])

/** An upgrade request with these additional header lines. */
export const upgradeRequest = (...lines: readonly string[]): string =>
  [
    'GET /v1 HTTP/1.1',
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ...lines,
    '\r\n',
  ].join('\r\n')
