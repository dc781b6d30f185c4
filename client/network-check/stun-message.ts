/** Encodes and decodes STUN and TURN messages (RFC 8489, RFC 8656), as needed for a check of the network. */
import { createHash, createHmac } from 'node:crypto'

/** The numbers of methods. */
export const methods = {
  binding: 0x001,
  allocate: 0x003,
  refresh: 0x004,
  send: 0x006,
  data: 0x007,
  createPermission: 0x008,
} as const

/** The numbers of attributes. */
export const attributes = {
  changeRequest: 0x0003,
  username: 0x0006,
  messageIntegrity: 0x0008,
  errorCode: 0x0009,
  lifetime: 0x000d,
  peerAddress: 0x0012,
  data: 0x0013,
  realm: 0x0014,
  nonce: 0x0015,
  relayedAddress: 0x0016,
  requestedTransport: 0x0019,
  mappedAddress: 0x0020,
  otherAddress: 0x802c,
} as const

export type StunKind = 'request' | 'indication' | 'success' | 'error'

export type Endpoint = { readonly host: string; readonly port: number }

export type StunMessage = {
  readonly kind: StunKind
  readonly method: number
  readonly transaction: Buffer
  /** The first attribute of each type. */
  readonly attributes: ReadonlyMap<number, Buffer>
}

/** One attribute of a message to send. */
export type StunAttribute = readonly [type: number, value: Buffer]

const cookie = Buffer.from('2112a442', 'hex')
const headerBytes = 20
const integrityBytes = 20
/** The class bits of a message type (RFC 8489, section 5). */
const kinds: Readonly<Record<StunKind, number>> = {
  request: 0x000,
  indication: 0x010,
  success: 0x100,
  error: 0x110,
}

/** Attributes are padded to a multiple of four bytes. */
const padded = (length: number): number => (length + 3) & ~3

function bytesOf([type, value]: StunAttribute): Buffer {
  const bytes = Buffer.alloc(4 + padded(value.length))
  bytes.writeUInt16BE(type, 0)
  bytes.writeUInt16BE(value.length, 2)
  value.copy(bytes, 4)
  return bytes
}

/** The long-term key of a user in a realm (RFC 8489, section 9.2.2). */
export const longTermKey = (user: string, realm: string, password: string): Buffer =>
  createHash('md5').update(`${user}:${realm}:${password}`).digest()

/** Encodes a message, signed if there is a `key`. */
export function encodeStun(
  kind: StunKind,
  method: number,
  transaction: Buffer,
  carried: readonly StunAttribute[] = [],
  key?: Buffer,
): Buffer {
  const body = Buffer.concat(carried.map(bytesOf))
  const header = Buffer.alloc(headerBytes)
  header.writeUInt16BE(kinds[kind] | method, 0)
  header.writeUInt16BE(body.length, 2)
  cookie.copy(header, 4)
  transaction.copy(header, 8)
  if (key === undefined) return Buffer.concat([header, body])
  // The signed header already includes the length of the signature.
  header.writeUInt16BE(body.length + 4 + integrityBytes, 2)
  const digest = createHmac('sha1', key).update(header).update(body).digest()
  return Buffer.concat([header, body, bytesOf([attributes.messageIntegrity, digest])])
}

/** The length of the message at the start of `bytes`; `null` if there is none, 0 if its length isn't here yet. */
export function stunLength(bytes: Buffer): number | null {
  if (bytes.length < headerBytes) return 0
  const isStun = bytes.readUInt16BE(0) < 0x4000 && bytes.subarray(4, 8).equals(cookie)
  return isStun ? headerBytes + bytes.readUInt16BE(2) : null
}

/** The message in `bytes`; `null` if they are not exactly one. */
export function decodeStun(bytes: Buffer): StunMessage | null {
  if (bytes.length < headerBytes || bytes.length % 4 !== 0) return null
  if (stunLength(bytes) !== bytes.length) return null
  const type = bytes.readUInt16BE(0)
  const kind = (Object.keys(kinds) as StunKind[]).find((one) => kinds[one] === (type & 0x110))
  if (kind === undefined) return null
  const found = new Map<number, Buffer>()
  for (let at = headerBytes; at + 4 <= bytes.length;) {
    const [name, length] = [bytes.readUInt16BE(at), bytes.readUInt16BE(at + 2)]
    const end = at + 4 + length
    if (end > bytes.length) return null
    if (!found.has(name)) found.set(name, bytes.subarray(at + 4, end))
    at += 4 + padded(length)
  }
  return { kind, method: type & 0x00f, transaction: bytes.subarray(8, 20), attributes: found }
}

/** The place in an attribute, masked or not; `null` if there is none. */
export function endpointIn(
  { attributes: carried, transaction }: StunMessage,
  type: number,
): Endpoint | null {
  const value = carried.get(type)
  if (value === undefined || value.length < 8) return null
  const size = value[1] === 1 ? 4 : value[1] === 2 ? 16 : 0
  if (size === 0 || value.length !== 4 + size) return null
  const isMasked = type !== attributes.otherAddress
  const mask = Buffer.concat([cookie, transaction])
  const address = Buffer.from(value.subarray(4))
  if (isMasked)
    for (let at = 0; at < size; at += 1) address[at] = address.readUInt8(at) ^ mask.readUInt8(at)
  const port = value.readUInt16BE(2) ^ (isMasked ? mask.readUInt16BE(0) : 0)
  return { host: size === 4 ? [...address].join('.') : textOfSix(address), port }
}

/** An IPv4 place as a masked attribute value. */
export function maskedEndpoint({ host, port }: Endpoint): Buffer {
  const value = Buffer.from([0, 1, 0, 0, ...host.split('.').map(Number)])
  value.writeUInt16BE(port ^ cookie.readUInt16BE(0), 2)
  for (let at = 0; at < 4; at += 1) value[4 + at] = value.readUInt8(4 + at) ^ cookie.readUInt8(at)
  return value
}

/** The code of an error response; 0 if it has none. */
export function errorOf({ attributes: carried }: StunMessage): number {
  const value = carried.get(attributes.errorCode)
  return value === undefined || value.length < 4
    ? 0
    : (value.readUInt8(2) & 7) * 100 + value.readUInt8(3)
}

/** The canonical text of an IPv6 address (RFC 5952), so that equal addresses have equal texts. */
function textOfSix(address: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, index) =>
    address.readUInt16BE(index * 2).toString(16),
  )
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}
