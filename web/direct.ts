/**
 * A stream of datagrams to the other computer itself, by WebTransport (docs/protocol.md#webtransport). Only pages that
 * came by TLS have it.
 */

/** A WebTransport session, as far as the page uses one. */
export type DirectSession = Pick<
  WebTransport,
  'close' | 'closed' | 'createBidirectionalStream' | 'ready'
>

/** Opens a session with the server whose certificate has this SHA-256. */
export type OpenSession = (url: string, hash: Uint8Array<ArrayBuffer>) => DirectSession

/** Events of a direct stream. */
export type DirectEvents = {
  /** The other side uses this stream alone; `bytes` of it follow. */
  readonly ready: () => void
  readonly bytes: (bytes: Uint8Array) => void
  /** The stream has ended after `ready`. */
  readonly over: () => void
}

/** An address at which the other side listens. */
type Place = {
  readonly address: string
  readonly port: string
  readonly hash: Uint8Array<ArrayBuffer>
  readonly token: Uint8Array<ArrayBuffer>
}

/** The other side names four addresses of its own, and those that routers map to them. */
const maxCalls = 8

/** Bytes from which a copy is kept for reuse: browsers take long to provide and clear large ones. */
const minSpareBytes = 64 * 1024
/** Size of a spare, which holds the largest output of the module. */
const spareBytes = 384 * 1024

const readBytes = 256 * 1024

/** Time for the last bytes, ms; browsers drop what is unsent when a session ends. */
const lastMs = 1000

/** Sessions in this browser; `null` if it has none, as on a page without TLS. */
const ownSessions: OpenSession | null =
  'WebTransport' in globalThis
    ? (url, value) =>
        new WebTransport(url, { serverCertificateHashes: [{ algorithm: 'sha-256', value }] })
    : null

/** The 32 bytes of base64url; `null` if the text is something else. */
function bytesOf(text: string | undefined): Uint8Array<ArrayBuffer> | null {
  if (text === undefined || !/^[\w-]{43}$/.test(text)) return null
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(plain, (each) => each.charCodeAt(0))
}

/** Reads more; the bytes are valid until the next call. */
type Reads = () => Promise<ReadableStreamReadResult<Uint8Array<ArrayBuffer>>>

/** Reads into one buffer, or into new ones where the browser can't do that. */
function readsOf(readable: ReadableStream<Uint8Array<ArrayBuffer>>): Reads {
  try {
    const reader = readable.getReader({ mode: 'byob' })
    let buffer = new ArrayBuffer(readBytes)
    return async () => {
      const result = await reader.read(new Uint8Array(buffer))
      if (result.value !== undefined) buffer = result.value.buffer
      return result
    }
  } catch {
    const reader = readable.getReader()
    return () => reader.read()
  }
}

/** Calls every address that the other side names, and keeps the first that answers. */
export class Direct {
  readonly #events: DirectEvents
  readonly #open: OpenSession | null
  readonly #places = new Map<string, Place>()
  readonly #calls = new Set<DirectSession>()
  #used: DirectSession | null = null
  #writer: WritableStreamDefaultWriter<Uint8Array> | null = null
  #bufferedBytes = 0
  /** Copies that were sent. Their number is limited, because the module waits while much is buffered. */
  readonly #spares: Uint8Array<ArrayBuffer>[] = []
  #isReady = false
  #isOver = false

  constructor(events: DirectEvents, open: OpenSession | null = ownSessions) {
    this.#events = events
    this.#open = open
  }

  /** The other side carries everything by this stream. */
  get isReady(): boolean {
    return this.#isReady
  }

  /** Bytes that wait to be sent. */
  get bufferedAmount(): number {
    return this.#bufferedBytes
  }

  /** Takes a candidate line of the other side. */
  add(line: string): void {
    const place = this.#placeOf(line)
    if (this.#open === null || place === null || this.#isOver || this.#used !== null) return
    const key = `${place.address} ${place.port}`
    if (this.#places.size === maxCalls || this.#places.has(key)) return
    this.#places.set(key, place)
    const host = place.address.includes(':') ? `[${place.address}]` : place.address
    try {
      void this.#call(this.#open(`https://${host}:${place.port}/`, place.hash), place)
    } catch {
      // The browser refuses the address.
    }
  }

  /** Sends bytes, which are only valid during the call; only once ready. */
  send(bytes: Uint8Array<ArrayBuffer>): void {
    const { length } = bytes
    const isLarge = length >= minSpareBytes && length <= spareBytes
    const spare = isLarge ? (this.#spares.pop() ?? new Uint8Array(spareBytes)) : null
    spare?.set(bytes)
    this.#bufferedBytes += length
    this.#writer?.write(spare?.subarray(0, length) ?? bytes.slice()).then(
      () => {
        this.#bufferedBytes -= length
        if (spare !== null) this.#spares.push(spare)
      },
      () => this.#end(),
    )
  }

  /** Ends all sessions, the used one once its last bytes are sent; no event follows. */
  close(): void {
    this.#isOver = true
    this.#writer?.close().catch(() => undefined)
    for (const call of this.#calls)
      if (call !== this.#used || this.#writer === null) this.#hangUp(call)
      else setTimeout(() => this.#hangUp(call), lastMs)
  }

  /** A mapped address leads to one that was named before. */
  #placeOf(line: string): Place | null {
    const [, , , , address, port, , type, ...rest] = line.split(' ')
    if (address === undefined || port === undefined) return null
    const more = new Map(rest.flatMap((name, at) => (at % 2 === 0 ? [[name, rest[at + 1]]] : [])))
    if (type === 'srflx') {
      const own = this.#places.get(`${more.get('raddr')} ${more.get('rport')}`)
      return own === undefined ? null : { ...own, address, port }
    }
    const hash = bytesOf(more.get('webtransport'))
    const token = bytesOf(more.get('token'))
    return hash === null || token === null ? null : { address, port, hash, token }
  }

  async #call(session: DirectSession, { token }: Place): Promise<void> {
    this.#calls.add(session)
    session.closed.catch(() => undefined)
    try {
      await session.ready
      if (this.#isOver || this.#used !== null) return
      this.#used = session
      for (const other of this.#calls) if (other !== session) this.#hangUp(other)
      const { readable, writable } = await session.createBidirectionalStream()
      this.#writer = writable.getWriter() as WritableStreamDefaultWriter<Uint8Array>
      await this.#writer.write(token)
      await this.#read(readsOf(readable as ReadableStream<Uint8Array<ArrayBuffer>>))
    } catch {
      // The relay still carries.
    } finally {
      this.#calls.delete(session)
      this.#hangUp(session)
      if (session === this.#used) this.#end()
    }
  }

  async #read(next: Reads): Promise<void> {
    for (;;) {
      const { value, done } = await next()
      if (done) return
      if (this.#isOver) continue
      if (!this.#isReady) {
        this.#isReady = true
        this.#events.ready()
      }
      this.#events.bytes(value)
    }
  }

  #hangUp(session: DirectSession): void {
    try {
      session.close()
    } catch {
      // It has failed already.
    }
  }

  #end(): void {
    const wasReady = this.#isReady && !this.#isOver
    this.#isOver = true
    if (wasReady) this.#events.over()
  }
}
