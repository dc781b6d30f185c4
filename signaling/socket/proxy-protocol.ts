/**
 * PROXY protocol, version 2: a load balancer that forwards bytes prefixes them with their source. The header is read only
 * from trusted proxies, which must send it.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

const signature = Buffer.from('0d0a0d0a000d0a515549540a', 'hex')
const headBytes = 16

/** Addresses take at most 36 bytes, and the rest is details; an honest balancer sends less than this. */
const maxBytes = 2048

/** The result of reading a header; `source` is `null` for the proxy's own connections, such as health checks. */
export type Beginning =
  | { readonly is: 'incomplete' }
  | { readonly is: 'wrong' }
  | { readonly is: 'header'; readonly length: number; readonly source: string | null }

const wrong = { is: 'wrong' } as const
const incomplete = { is: 'incomplete' } as const

/** Reads the header at the beginning of `bytes`. */
export function readBeginning(bytes: Buffer): Beginning {
  const known = Math.min(bytes.length, signature.length)
  if (!bytes.subarray(0, known).equals(signature.subarray(0, known))) return wrong
  if (bytes.length < headBytes) return incomplete
  const [versionAndCommand = 0, familyAndProtocol = 0] = bytes.subarray(12)
  const length = headBytes + bytes.readUInt16BE(14)
  if (versionAndCommand >> 4 !== 2 || length > maxBytes) return wrong
  if (bytes.length < length) return incomplete
  const command = versionAndCommand & 0x0f
  if (command === 0) return { is: 'header', length, source: null }
  if (command !== 1) return wrong
  const source = sourceOf(familyAndProtocol, bytes.subarray(headBytes, length))
  return source === null ? wrong : { is: 'header', length, source }
}

/** The client's address for TCP over IPv4 or IPv6; `null` for anything else. */
function sourceOf(familyAndProtocol: number, body: Buffer): string | null {
  if (familyAndProtocol === 0x11 && body.length >= 12) return [...body.subarray(0, 4)].join('.')
  if (familyAndProtocol !== 0x21 || body.length < 36) return null
  const groups = Array.from({ length: 8 }, (_, at) => body.readUInt16BE(2 * at).toString(16))
  return groups.join(':')
}

/** The peers that must send a header, and the callback after one, which may end the connection. */
export type Naming = {
  readonly isProxy: (address: string | undefined) => boolean
  readonly onNamed: (socket: Socket) => void
}

/** Sources of the connections from proxies. */
export class ProxiedSockets {
  readonly #sources = new WeakMap<object, string>()

  /** The source in a connection's header; `undefined` without one. */
  sourceOf(socket: object): string | undefined {
    return this.#sources.get(socket)
  }

  /**
   * Reads the headers of connections before `server` does. Ends connections that must send one and send
   * something else. Call this before adding other listeners.
   */
  readBefore(server: Server, { isProxy, onNamed }: Naming): void {
    const listeners = server.listeners('connection') as ((socket: Socket) => void)[]
    server.removeAllListeners('connection')
    server.on('connection', (socket: Socket) => {
      const pass = (): void => {
        for (const listener of listeners) listener.call(server, socket)
      }
      if (!isProxy(socket.remoteAddress)) pass()
      else {
        this.#read(socket, () => {
          onNamed(socket)
          if (!socket.destroyed) pass()
        })
      }
    })
  }

  #read(socket: Socket, pass: () => void): void {
    let bytes = Buffer.alloc(0)
    const onError = (): void => {
      socket.destroy()
    }
    const onData = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk])
      const beginning = readBeginning(bytes)
      if (beginning.is === 'incomplete') return
      socket.off('data', onData)
      socket.pause()
      if (beginning.is === 'wrong') {
        socket.destroy()
        return
      }
      if (beginning.source !== null) this.#sources.set(socket, beginning.source)
      if (bytes.length > beginning.length) socket.unshift(bytes.subarray(beginning.length))
      socket.off('error', onError)
      pass()
      socket.resume()
    }
    socket.on('error', onError)
    socket.on('data', onData)
  }
}
