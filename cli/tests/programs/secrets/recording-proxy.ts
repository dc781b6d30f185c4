/** Relays between programs and a signaling server, and records every message. */
import type { AddressInfo } from 'node:net'
import { type RawData, WebSocket, WebSocketServer } from 'ws'
import type { Trace } from './evidence'

/** A proxy that records messages. */
export class RecordingProxy {
  readonly #server: WebSocketServer
  readonly #target: string
  readonly #frames: string[] = []

  /** `target` is the server's address without a path. */
  static async open(target: string): Promise<RecordingProxy> {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
    await new Promise((resolve) => server.once('listening', resolve))
    return new RecordingProxy(server, target)
  }

  private constructor(server: WebSocketServer, target: string) {
    this.#server = server
    this.#target = target
    server.on('connection', (near, { url, rawHeaders }) => {
      this.#frames.push(`${url ?? ''}\n${rawHeaders.join('\n')}`)
      const far = new WebSocket(`${this.#target}${url ?? ''}`, { perMessageDeflate: false })
      const isOpen = new Promise((resolve) => far.once('open', resolve))
      this.#pass(near, far, isOpen)
      this.#pass(far, near, Promise.resolve())
    })
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Every message so far, in both directions, and the preceding requests. */
  get traces(): readonly Trace[] {
    return this.#frames.map((text) => ({ place: 'frame', name: '', content: Buffer.from(text) }))
  }

  /** The values of the field `name` in messages of a type that have it. */
  fieldsOf(type: string, name: string): readonly string[] {
    return this.#frames
      .filter((text) => text.startsWith('{'))
      .map((text) => JSON.parse(text) as Readonly<Record<string, unknown>>)
      .filter((message) => message['t'] === type && name in message)
      .map((message) => String(message[name]))
  }

  close(): void {
    for (const socket of this.#server.clients) socket.terminate()
    this.#server.close()
  }

  #pass(from: WebSocket, to: WebSocket, isOpen: Promise<unknown>): void {
    from.on('message', (data: RawData) => {
      const text = (data as Buffer).toString('utf8')
      this.#frames.push(text)
      void isOpen.then(() => to.send(text))
    })
    from.on('error', () => undefined)
    from.on('close', (code) => {
      void isOpen.then(() => {
        if (code === 1005 || code === 1006) to.terminate()
        else to.close(code)
      })
    })
  }
}
