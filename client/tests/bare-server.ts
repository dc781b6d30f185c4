import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { fixedServer, type ServerLocator } from '#client/signaling/server-locator'
import { SignalingClient, type SignalingOptions } from '#client/signaling/signaling-client'
import { ManualClock } from '#client/testing/manual-clock'
import type { AppError } from '#shared/errors'
import {
  encode,
  joinHeader,
  type ServerMessage,
  SIGNALING_VERSION,
  travelsSealed,
} from '#shared/signaling/messages'
import { ChannelKey, type SecureChannel } from '#shared/signaling/secure-channel'

/** Records items in order, so that tests can wait for them. */
export class Journal<T> {
  readonly #items: T[] = []
  #wake: (() => void)[] = []

  add(item: T): void {
    this.#items.push(item)
    for (const resolve of this.#wake.splice(0)) resolve()
  }

  get isEmpty(): boolean {
    return this.#items.length === 0
  }

  async next(): Promise<T> {
    for (;;) {
      const item = this.#items.shift()
      if (item !== undefined) return item
      await new Promise<void>((resolve) => this.#wake.push(resolve))
    }
  }
}

/** Listens on a free port of this computer until the test ends; returns the URL. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

const key = new ChannelKey()

const nonce = 'N'.repeat(43)

export const welcome: ServerMessage = { t: 'welcome', nonce, key: key.publicKey }

/** A client's message without its key, which is new each time. */
function withoutKey(text: string): string {
  const { key: _key, ...rest } = JSON.parse(text) as Readonly<Record<string, unknown>>
  return JSON.stringify(rest)
}

/** A bare server that begins with `first`, with its sockets and their messages. */
export async function bareServer(http: Server = createServer(), first: ServerMessage = welcome) {
  const sockets = new Journal<WebSocket>()
  const texts = new Journal<string>()
  /** The joins in upgrades, and `null` for every upgrade without one. */
  const joins = new Journal<string | null>()
  let line: SecureChannel | null = null
  const webSockets = new WebSocketServer({ server: http })
  webSockets.on('connection', (socket, { headers }) => {
    const join = headers[joinHeader]
    joins.add(
      join === undefined ? null : withoutKey(Buffer.from(String(join), 'base64url').toString()),
    )
    line = null
    socket.send(encode(first))
    socket.on('message', (data: Buffer) => {
      const text = data.toString()
      const { key: other = '' } = JSON.parse(text) as { readonly key?: string }
      line ??= key.channelTo(other, nonce, 'server')
      texts.add(withoutKey(text))
    })
    socket.on('close', () => texts.add('closed'))
    sockets.add(socket)
  })
  const url = await listen(http)
  onTestFinished(() => {
    for (const socket of webSockets.clients) socket.terminate()
  })
  /** Encodes a message for the newest socket, which has said hello; sealed if necessary. */
  const packed = (message: ServerMessage): string => {
    if (!travelsSealed(message)) return encode(message)
    if (line === null) throw new Error('the client has said nothing yet')
    return encode({ t: 'sealed', box: line.seal(encode(message)) })
  }
  /** Stops listening, and cuts all connections. */
  const stop = (): void => {
    http.close()
    for (const socket of webSockets.clients) socket.terminate()
  }
  return { url, sockets, texts, joins, packed, stop }
}

export async function said({ texts }: { readonly texts: Journal<string> }) {
  for (;;) {
    const text = await texts.next()
    if (text !== 'closed') return JSON.parse(text) as Readonly<Record<string, unknown>>
  }
}

/** A client of that server, with its reports. */
export function connect(
  place: string | ServerLocator,
  seams: Partial<Pick<SignalingOptions, 'hello' | 'early' | 'lookup' | 'trust' | 'hasMoved'>> = {},
  clock = new ManualClock(),
) {
  const downs = new Journal<AppError>()
  const messages = new Journal<ServerMessage>()
  const client = new SignalingClient({
    server: typeof place === 'string' ? fixedServer(place) : place,
    clock,
    random: () => 0.5,
    hello: () => ({ t: 'host', v: SIGNALING_VERSION }),
    ...seams,
    onUp: () => undefined,
    onMessage: (message) => messages.add(message),
    onDown: (error) => downs.add(error),
  })
  onTestFinished(() => {
    const closed = client.close()
    clock.advance(60_000)
    return closed
  })
  client.start()
  return { client, clock, downs, messages }
}

/** A client of a new bare server, with its first socket there. */
export async function connected(seams?: Parameters<typeof connect>[1]) {
  const server = await bareServer()
  const made = connect(server.url, seams)
  return { server, socket: await server.sockets.next(), ...made }
}
