/**
 * The page's part of the signaling protocol (docs/signaling.md): it joins, passes payloads, and receives the ticket of a
 * server relay.
 */
import { type ErrorCode } from '#shared/errors'
import { limits } from '#shared/limits'
import {
  type ClientMessage,
  closeCodes,
  decodeServerMessage,
  encode,
  pageProtocol,
  passwordProtocol,
  type ServerMessage,
  SIGNALING_VERSION,
  travelsSealed,
  type UnknownMessage,
  type WebLimits,
} from '#shared/signaling/messages'
import { signalingPath } from '#shared/signaling/paths'
import { SealedLine } from './sealed-line'

/** A WebSocket, as far as the page uses one. */
export type PageSocket = Pick<
  WebSocket,
  'binaryType' | 'bufferedAmount' | 'close' | 'onclose' | 'onmessage' | 'send'
>

/** Opens a WebSocket that offers these subprotocols, in which a page shows tickets and passwords. */
export type OpenSocket = (url: string, protocols?: readonly string[]) => PageSocket

/** Events of an introduction. */
export type IntroductionEvents = {
  /** The server is ready for `join`; `limits` are its own for pages, if it has any. */
  readonly ready: (limits: WebLimits | null) => void
  /** A payload of the other side. */
  readonly payload: (body: string) => void
  /** A server relay to the other side: the path below the server's address, and a ticket for one use. */
  readonly relay: (ticket: string, node: string) => void
  /** No more follows. */
  readonly over: (code: ErrorCode) => void
}

const toBase64url = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

/** One socket to the signaling server. */
export class Introduction {
  readonly #socket: PageSocket
  readonly #nameplate: string
  readonly #events: IntroductionEvents
  #line: SealedLine | null = null
  #hasJoined = false
  #peer: string | null = null
  /** Payloads from before the other side was found; a pairing has few. */
  #waiting: string[] = []
  #isOver = false

  /** `server` is the server's `ws:` or `wss:` address without a path; `password` is empty at an open one. */
  constructor(
    { server, password }: { readonly server: string; readonly password: string },
    nameplate: string,
    { openSocket, events }: { openSocket: OpenSocket; events: IntroductionEvents },
  ) {
    this.#nameplate = nameplate
    this.#events = events
    const shown =
      password === '' ? [] : [pageProtocol, `${passwordProtocol}${toBase64url(password)}`]
    this.#socket = openSocket(`${server}${signalingPath}`, shown)
    this.#socket.onmessage = ({ data }: { data: unknown }) => this.#read(data)
    this.#socket.onclose = ({ code }: { code: number }) =>
      this.#end(code === closeCodes.ended ? 'E_NO_SUCH_CODE' : 'E_SERVER_UNREACHABLE')
  }

  /** Sends a payload to the other side; the first one joins. */
  send(body: string): void {
    if (this.#line !== null && !this.#hasJoined) {
      this.#hasJoined = true
      this.#write({
        t: 'join',
        v: SIGNALING_VERSION,
        nameplate: this.#nameplate,
        key: this.#line.publicKey,
        body,
      })
    } else if (this.#peer === null) this.#waiting.push(body)
    else this.#write({ t: 'relay', to: this.#peer, body })
  }

  /** Ends the page's part: the connection needs the server no longer. */
  leave(): void {
    if (this.#isOver) return
    this.#isOver = true
    if (this.#peer !== null) this.#write({ t: 'leave' })
    this.#socket.close()
  }

  #write(message: ClientMessage): void {
    this.#socket.send(encode(message))
  }

  #read(data: unknown): void {
    if (this.#isOver) return
    const message =
      typeof data === 'string' && data.length <= limits.signalingFrameBytes
        ? this.#opened(data)
        : null
    if (message === null) this.#end('E_SERVER_PROTOCOL')
    else this.#take(message)
  }

  /** Decodes a message, out of its box if it has one; `null` breaks the protocol. */
  #opened(text: string): ServerMessage | UnknownMessage | null {
    const outer = decodeServerMessage(text)
    if (!outer.ok) return null
    if (outer.value.t === 'unknown') return outer.value
    if (outer.value.t !== 'sealed') return travelsSealed(outer.value) ? null : outer.value
    const inside = this.#line?.open(outer.value.box) ?? null
    const inner = inside === null ? null : decodeServerMessage(inside)
    return inner?.ok === true && inner.value.t !== 'sealed' ? inner.value : null
  }

  #take(message: ServerMessage | UnknownMessage): void {
    switch (message.t) {
      case 'welcome':
        this.#greet(message)
        break
      case 'joined':
        this.#peer = message.peer
        for (const body of this.#waiting.splice(0)) this.send(body)
        break
      case 'relay':
        if (message.from === this.#peer) this.#events.payload(message.body)
        break
      case 'server-relay':
        if (message.peer === this.#peer) this.#events.relay(message.ticket, message.node ?? '')
        break
      case 'error':
        if (message.peer === undefined) this.#end(message.code)
        break
      default:
        break
    }
  }

  #greet({ key, nonce, web }: Extract<ServerMessage, { readonly t: 'welcome' }>): void {
    if (this.#line !== null) {
      this.#end('E_SERVER_PROTOCOL')
      return
    }
    try {
      this.#line = new SealedLine(key, nonce)
    } catch {
      this.#end('E_SERVER_PROTOCOL')
      return
    }
    this.#events.ready(web ?? null)
  }

  #end(code: ErrorCode): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#socket.close()
    this.#events.over(code)
  }
}
