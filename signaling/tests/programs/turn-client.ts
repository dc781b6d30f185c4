/** As much of a TURN client (RFC 8656) as it takes to ask a relay where it leads. */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'

const cookie = Buffer.from([0x21, 0x12, 0xa4, 0x42])
const types = { allocate: 0x003, permit: 0x008 } as const
const attributes = {
  username: 0x0006,
  integrity: 0x0008,
  error: 0x0009,
  peer: 0x0012,
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

function peerAddress(address: string, id: Buffer): Buffer {
  const is6 = isIPv6(address)
  const bytes = is6 ? bytesOf6(address) : Buffer.from(address.split('.').map(Number))
  const mask = Buffer.concat([cookie, id])
  const head = Buffer.from([0, is6 ? 2 : 1, 0, 0])
  head.writeUInt16BE(9 ^ 0x2112, 2)
  return Buffer.concat([head, bytes.map((byte, at) => byte ^ (mask[at] ?? 0))])
}

/** The pause before a request is repeated, the first one of RFC 8489. */
const againMs = 500

/** Resolves when somebody answers at this port of this computer. */
export function answers(port: number): Promise<void> {
  const socket = createSocket('udp4')
  const request = Buffer.concat([Buffer.from([0, 1, 0, 0]), cookie, randomBytes(12)])
  const ask = (): void => socket.send(request, port, '127.0.0.1')
  const timer = setInterval(ask, againMs)
  ask()
  return new Promise((resolve) => {
    // Nobody listens yet: the system says so.
    socket.on('error', () => undefined)
    socket.once('message', () => {
      clearInterval(timer)
      socket.close()
      resolve()
    })
  })
}

/** One allocation. */
export class TurnClient {
  readonly #socket: Socket = createSocket('udp4')
  readonly #port: number
  readonly #username: string
  readonly #password: string
  #realm: Buffer = Buffer.alloc(0)
  #nonce: Buffer = Buffer.alloc(0)

  constructor(port: number, { username, credential }: { username: string; credential: string }) {
    this.#port = port
    this.#username = username
    this.#password = credential
  }

  /** Asks for a relayed address of a family; 0, or the code of the error. */
  async allocate(family: 4 | 6): Promise<number> {
    const wants: readonly Attribute[] = [
      [attributes.transport, Buffer.from([17, 0, 0, 0])],
      [attributes.family, Buffer.from([family === 4 ? 1 : 2, 0, 0, 0])],
    ]
    const first = await this.#ask(types.allocate, () => wants, false)
    this.#realm = first.attributes.get(attributes.realm) ?? this.#realm
    this.#nonce = first.attributes.get(attributes.nonce) ?? this.#nonce
    return (await this.#ask(types.allocate, () => wants, true)).code
  }

  /** Asks to reach an address; 0, or the code of the error. */
  async permit(address: string): Promise<number> {
    const wants = (id: Buffer): readonly Attribute[] => [
      [attributes.peer, peerAddress(address, id)],
    ]
    return (await this.#ask(types.permit, wants, true)).code
  }

  close(): void {
    this.#socket.close()
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
    const head = (length: number): Buffer => {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt16BE(type, 0)
      bytes.writeUInt16BE(length, 2)
      return Buffer.concat([bytes, cookie, id])
    }
    const key = createHash('md5')
      .update(`${this.#username}:${this.#realm.toString()}:${this.#password}`)
      .digest()
    const code = createHmac('sha1', key)
      .update(Buffer.concat([head(body.length + 24), body]))
      .digest()
    const message = isSigned
      ? Buffer.concat([head(body.length + 24), body, encoded([attributes.integrity, code])])
      : Buffer.concat([head(body.length), body])
    return new Promise((resolve) => {
      this.#socket.once('message', (answer) => resolve(decode(answer)))
      this.#socket.send(message, this.#port, '127.0.0.1')
    })
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
