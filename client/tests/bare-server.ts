import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Lookup } from '#client/ice-servers'
import { fixedServer } from '#client/server-locator'
import { SignalingClient } from '#client/signaling-client'
import { ManualClock } from '#client/testing/manual-clock'
import type { AppError } from '#shared/errors'
import { type ServerMessage, SIGNALING_VERSION } from '#shared/signaling'

/** What happens, in order, for tests to wait for. */
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

/** Listens on a free port of this computer until the test ends; the URL of it. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

/** A bare server: each socket that arrives, and what it says. */
export async function bareServer() {
  const http = createServer()
  const sockets = new Journal<WebSocket>()
  const texts = new Journal<string>()
  const webSockets = new WebSocketServer({ server: http })
  webSockets.on('connection', (socket) => {
    socket.on('message', (data: Buffer) => texts.add(data.toString()))
    socket.on('close', () => texts.add('closed'))
    sockets.add(socket)
  })
  const url = await listen(http)
  onTestFinished(() => {
    for (const socket of webSockets.clients) socket.terminate()
  })
  return { url, sockets, texts }
}

/** A client of the server there, and what it tells. */
export function connect(url: string, lookup?: Lookup) {
  const clock = new ManualClock()
  const downs = new Journal<AppError>()
  const messages = new Journal<ServerMessage>()
  const client = new SignalingClient({
    server: fixedServer(url),
    clock,
    ...(lookup && { lookup }),
    random: () => 0.5,
    hello: () => ({ t: 'host', v: SIGNALING_VERSION }),
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
