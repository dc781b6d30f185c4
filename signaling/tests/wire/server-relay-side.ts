/** Sides of server relays for tests. */
import { once } from 'node:events'
import { type ClientOptions, WebSocket } from 'ws'
import { serverRelayPathOf } from '#shared/signaling/paths'
import type { TestServer } from './test-server.ts'

/** The request options for a ticket. */
export const showing = (ticket: string): ClientOptions => ({
  headers: { authorization: `Bearer ${ticket}` },
  perMessageDeflate: false,
})

/** One side of a server relay, which queues its messages. */
export class Side {
  readonly socket: WebSocket
  readonly closed: Promise<number>
  received = 0
  readonly #messages: Buffer[] = []
  #waiting: ((message: Buffer) => void) | null = null

  constructor({ port }: TestServer, ticket: string, node: string) {
    const url = `ws://127.0.0.1:${port}${serverRelayPathOf(node)}`
    this.socket = new WebSocket(url, showing(ticket))
    this.socket.on('error', () => undefined)
    this.closed = new Promise((resolve) => this.socket.once('close', resolve))
    this.socket.on('message', (data: Buffer) => {
      this.received += data.length
      const waiting = this.#waiting
      this.#waiting = null
      if (waiting === null) this.#messages.push(data)
      else waiting(data)
    })
  }

  /** Opens a side at the node of this name; empty for a single node. */
  static async open(server: TestServer, ticket: string, node = ''): Promise<Side> {
    const side = new Side(server, ticket, node)
    await once(side.socket, 'open')
    return side
  }

  next(): Promise<Buffer> {
    const message = this.#messages.shift()
    if (message !== undefined) return Promise.resolve(message)
    return new Promise((resolve) => (this.#waiting = resolve))
  }

  get unread(): number {
    return this.#messages.length
  }

  /** Resolves when the server has read everything sent before. */
  async processed(): Promise<void> {
    const pong = once(this.socket, 'pong')
    this.socket.ping()
    await pong
  }
}
