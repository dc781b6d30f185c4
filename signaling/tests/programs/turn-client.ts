/** A minimal TURN client (RFC 8656) that tests the destinations of a relay. */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'

const cookie = Buffer.from([0x21, 0x12, 0xa4, 0x42])
const types = {
  allocate: 0x003,
  refresh: 0x004,
  permit: 0x008,
  bind: 0x009,
  connect: 0x00a,
  /** An indication, which has no response. */
  send: 0x016,
} as const
const attributes = {
  username: 0x0006,
  integrity: 0x0008,
  error: 0x0009,
  channel: 0x000c,
  peer: 0x0012,
  data: 0x0013,
  realm: 0x0014,
  nonce: 0x0015,
  family: 0x0017,
  transport: 0x0019,
} as const

type Attribute = readonly [type: number, value: Buffer]
type Answer = { readonly code: number; readonly attributes: ReadonlyMap<number, Buffer> }

const encoded = ([type, value]: Attribute): Buffer => {
  const head = Buffer.alloc(4)
  head.writeUInt16BE(type, 0)
  head.writeUInt16BE(value.length, 2)
  return Buffer.concat([head, value, Buffer.alloc((4 - (value.length % 4)) % 4)])
}

/** The 16 bytes of an IPv6 literal without an embedded IPv4 address. */
function bytesOf6(literal: string): Buffer {
  const [head = '', tail = ''] = literal.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === '' ? [] : tail.split(':')
  const hole = Array<string>(8 - front.length - back.length).fill('0')
  const bytes = Buffer.alloc(16)
  for (const [at, group] of [...front, ...hole, ...back].entries()) {
    bytes.writeUInt16BE(parseInt(group, 16), 2 * at)
  }
  return bytes
}

/** The port of the relay's peers in tests. */
export const peerPort = 4007

function peerAddress(address: string, id: Buffer): Buffer {
  const is6 = isIPv6(address)
  const bytes = is6 ? bytesOf6(address) : Buffer.from(address.split('.').map(Number))
  const mask = Buffer.concat([cookie, id])
  const head = Buffer.from([0, is6 ? 2 : 1, 0, 0])
  head.writeUInt16BE(peerPort ^ 0x2112, 2)
  return Buffer.concat([head, bytes.map((byte, at) => byte ^ (mask[at] ?? 0))])
}

/** The pause before repeating a request, the first one in RFC 8489. */
const againMs = 500

/** Resolves when a server answers at this port of this computer, or in the network of `open`. */
export async function answers(
  port: number,
  open: (onMessage: (data: Buffer) => void) => Datagrams | Promise<Datagrams> = udpSocket,
): Promise<void> {
  const request = Buffer.concat([Buffer.from([0, 1, 0, 0]), cookie, randomBytes(12)])
  let onAnswer = (): void => undefined
  const answered = new Promise<void>((resolve) => (onAnswer = resolve))
  const socket = await open(() => onAnswer())
  const ask = (): void => socket.send(request, port, '127.0.0.1')
  const timer = setInterval(ask, againMs)
  ask()
  await answered
  clearInterval(timer)
  socket.close()
}

/** Sends datagrams to a relay. */
export type Datagrams = {
  send(data: Buffer, port: number, address: string): void
  close(): void
}

/** One allocation. */
export class TurnClient {
  readonly #datagrams: Datagrams
  readonly #port: number
  readonly #username: string
  readonly #password: string
  readonly #waiting = new Map<string, (answer: Answer) => void>()
  #realm: Buffer = Buffer.alloc(0)
  #nonce: Buffer = Buffer.alloc(0)

  /** `datagrams` passes incoming data to `onMessage`; without it, the client opens its own socket. */
  constructor(
    port: number,
    { username, credential }: { username: string; credential: string },
    datagrams?: Datagrams,
  ) {
    this.#port = port
    this.#username = username
    this.#password = credential
    this.#datagrams = datagrams ?? udpSocket((data) => this.onMessage(data))
  }

  /** Handles a datagram from the relay; ignores data without a matching request. */
  onMessage(data: Buffer): void {
    const id = data.subarray(8, 20).toString('hex')
    this.#waiting.get(id)?.(decode(data))
    this.#waiting.delete(id)
  }

  /** Requests a relayed address of a family; returns 0 or the error code. */
  async allocate(family: 4 | 6, protocol: 'udp' | 'tcp' = 'udp'): Promise<number> {
    const wants: readonly Attribute[] = [
      [attributes.transport, Buffer.from([protocol === 'udp' ? 17 : 6, 0, 0, 0])],
      [attributes.family, Buffer.from([family === 4 ? 1 : 2, 0, 0, 0])],
    ]
    const first = await this.#ask(types.allocate, () => wants, false)
    this.#realm = first.attributes.get(attributes.realm) ?? this.#realm
    this.#nonce = first.attributes.get(attributes.nonce) ?? this.#nonce
    return (await this.#ask(types.allocate, () => wants, true)).code
  }

  /** Requests a permission for an address; returns 0 or the error code. */
  async permit(address: string): Promise<number> {
    const wants = (id: Buffer): readonly Attribute[] => [
      [attributes.peer, peerAddress(address, id)],
    ]
    return (await this.#ask(types.permit, wants, true)).code
  }

  /** Requests a channel to an address; returns 0 or the error code. */
  async bind(address: string, channel: number): Promise<number> {
    const number = Buffer.alloc(4)
    number.writeUInt16BE(channel, 0)
    const wants = (id: Buffer): readonly Attribute[] => [
      [attributes.channel, number],
      [attributes.peer, peerAddress(address, id)],
    ]
    return (await this.#ask(types.bind, wants, true)).code
  }

  /** Requests a TCP connection to an address (RFC 6062); returns 0 or the error code. */
  async connect(address: string): Promise<number> {
    const wants = (id: Buffer): readonly Attribute[] => [
      [attributes.peer, peerAddress(address, id)],
    ]
    return (await this.#ask(types.connect, wants, true)).code
  }

  /** Refreshes the allocation; returns 0 or the error code. */
  async refresh(): Promise<number> {
    return (await this.#ask(types.refresh, () => [], true)).code
  }

  /** Sends data to an address in an indication. */
  send(address: string, data: Buffer): void {
    const id = randomBytes(12)
    const body = Buffer.concat(
      [[attributes.peer, peerAddress(address, id)] as const, [attributes.data, data] as const].map(
        encoded,
      ),
    )
    this.#datagrams.send(Buffer.concat([head(types.send, body.length, id), body]), ...this.#relay)
  }

  sendThrough(channel: number, data: Buffer): void {
    const header = Buffer.alloc(4)
    header.writeUInt16BE(channel, 0)
    header.writeUInt16BE(data.length, 2)
    this.#datagrams.send(Buffer.concat([header, data]), ...this.#relay)
  }

  close(): void {
    this.#datagrams.close()
  }

  get #relay(): readonly [number, string] {
    return [this.#port, '127.0.0.1']
  }

  #ask(
    type: number,
    wants: (id: Buffer) => readonly Attribute[],
    isSigned: boolean,
  ): Promise<Answer> {
    const id = randomBytes(12)
    const known: readonly Attribute[] = [
      [attributes.username, Buffer.from(this.#username)],
      [attributes.realm, this.#realm],
      [attributes.nonce, this.#nonce],
    ]
    const body = Buffer.concat([...wants(id), ...(isSigned ? known : [])].map(encoded))
    const key = createHash('md5')
      .update(`${this.#username}:${this.#realm.toString()}:${this.#password}`)
      .digest()
    const code = createHmac('sha1', key)
      .update(Buffer.concat([head(type, body.length + 24, id), body]))
      .digest()
    const message = isSigned
      ? Buffer.concat([
          head(type, body.length + 24, id),
          body,
          encoded([attributes.integrity, code]),
        ])
      : Buffer.concat([head(type, body.length, id), body])
    const ask = (): void => this.#datagrams.send(message, ...this.#relay)
    return new Promise((resolve) => {
      // A busy relay loses datagrams, and answers a repeated request like the first one.
      const timer = setInterval(ask, againMs)
      this.#waiting.set(id.toString('hex'), (answer) => {
        clearInterval(timer)
        resolve(answer)
      })
      ask()
    })
  }
}

function head(type: number, length: number, id: Buffer): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt16BE(type, 0)
  bytes.writeUInt16BE(length, 2)
  return Buffer.concat([bytes, cookie, id])
}

function udpSocket(onMessage: (data: Buffer) => void): Datagrams {
  const socket = createSocket('udp4')
  socket.on('message', onMessage)
  // The system reports that the relay doesn't listen yet.
  socket.on('error', () => undefined)
  return {
    send: (data, port, address) => socket.send(data, port, address),
    close: () => socket.close(),
  }
}

function decode(answer: Buffer): Answer {
  const found = new Map<number, Buffer>()
  for (let at = 20; at + 4 <= answer.length;) {
    const length = answer.readUInt16BE(at + 2)
    found.set(answer.readUInt16BE(at), answer.subarray(at + 4, at + 4 + length))
    at += 4 + length + ((4 - (length % 4)) % 4)
  }
  const error = found.get(attributes.error)
  return {
    code: error === undefined ? 0 : (error[2] ?? 0) * 100 + (error[3] ?? 0),
    attributes: found,
  }
}
