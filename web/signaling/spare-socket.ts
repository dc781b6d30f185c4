/** A WebSocket that is opened before it is needed: that takes three round trips. */
import { limits } from '#shared/limits'
import type { PageSocket } from './introduction'

/** Time after which a spare is closed, ms: servers close sockets without a first message after 10 s. */
const spareMs = 8000

/** One open socket, which keeps the server's greeting until it is taken. */
export class SpareSocket {
  readonly #url: string
  readonly #timer: ReturnType<typeof setTimeout>
  #socket: PageSocket | null
  #greeting: string | null = null

  constructor(url: string, open: (url: string) => PageSocket) {
    this.#url = url
    const socket = open(url)
    this.#socket = socket
    this.#timer = setTimeout(() => this.#drop(), spareMs)
    socket.onmessage = ({ data }: { data: unknown }) => {
      // Before a first message a server says nothing else.
      const isGreeting = typeof data === 'string' && data.length <= limits.signalingFrameBytes
      if (isGreeting && this.#greeting === null) this.#greeting = data
      else this.#drop()
    }
    socket.onclose = () => this.#drop()
  }

  /** Returns the socket once, if it has this URL and is still open. Its owner sets its handlers in the same task. */
  take(url: string): PageSocket | null {
    const socket = this.#socket
    if (socket === null || url !== this.#url) return null
    clearTimeout(this.#timer)
    this.#socket = null
    socket.onclose = null
    const data = this.#greeting
    if (data !== null)
      queueMicrotask(() => {
        const event = new MessageEvent('message', { data })
        if (socket.onmessage !== null) Reflect.apply(socket.onmessage, socket, [event])
      })
    return socket
  }

  #drop(): void {
    clearTimeout(this.#timer)
    this.#socket?.close()
    this.#socket = null
  }
}
