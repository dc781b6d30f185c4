/** The Port Control Protocol (RFC 6887): MAP for UDP over IPv4. */
import { createHmac, randomBytes } from 'node:crypto'
import { leaseSeconds, type Mapping, type MappingProtocol, type RouterEndpoint } from './router'
import { askRouter } from './router-question'

const version = 2
const opcodes = { announce: 0, map: 1 } as const
const isResponse = 0x80
const udp = 17
const success = 0
const requestBytes = 24
const mapBytes = 36
/** Maximum message size (section 7). */
const maxBytes = 1100
const nonceBytes = 12

/** An IPv4-mapped IPv6 address (section 5). */
const mappedAddress = (address: string): readonly number[] => [
  ...[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff],
  ...address.split('.').map(Number),
]

const header = (opcode: number, lifetimeSeconds: number, own: string): Buffer => {
  const bytes = Buffer.alloc(requestBytes)
  bytes.set([version, opcode])
  bytes.writeUInt32BE(lifetimeSeconds, 4)
  bytes.set(mappedAddress(own), 8)
  return bytes
}

/** Asks whether a PCP server is there (section 14.1). */
export const encodeAnnounce = (own: string): Buffer => header(opcodes.announce, 0, own)

/** One mapping, identified by the nonce that only its owner knows. */
export type MapRequest = {
  readonly own: string
  readonly nonce: Buffer
  readonly port: number
  /** A lifetime of 0 deletes the mapping. */
  readonly lifetimeSeconds: number
  /** The preferred external address and port; `null` for any. */
  readonly wanted: { readonly address: string; readonly port: number } | null
}

/** Encodes a MAP request (section 11.1). */
export function encodeMap({ own, nonce, port, lifetimeSeconds, wanted }: MapRequest): Buffer {
  const map = Buffer.alloc(mapBytes)
  map.set(nonce)
  map.writeUInt8(udp, nonceBytes)
  map.writeUInt16BE(port, nonceBytes + 4)
  map.writeUInt16BE(wanted?.port ?? 0, nonceBytes + 6)
  map.set(mappedAddress(wanted?.address ?? '0.0.0.0'), nonceBytes + 8)
  return Buffer.concat([header(opcodes.map, lifetimeSeconds, own), map])
}

/** True for a response to this opcode in this version, with any result (section 8.3). */
const answers = (answer: Buffer, opcode: number): boolean =>
  answer.length >= requestBytes &&
  answer.length <= maxBytes &&
  answer.length % 4 === 0 &&
  answer[0] === version &&
  answer[1] === (isResponse | opcode)

/** True for a router that supports PCP. */
export const decodeAnnounce = (answer: Buffer): true | null =>
  answers(answer, opcodes.announce) && answer[3] === success ? true : null

/** The router's answer to a request; `null` if this is not its answer, `'refused'` for an error. */
export function decodeMap(answer: Buffer, { nonce, port }: MapRequest): Mapping | 'refused' | null {
  if (!answers(answer, opcodes.map) || answer.length < requestBytes + mapBytes) return null
  const map = answer.subarray(requestBytes, requestBytes + mapBytes)
  const isOurs =
    map.subarray(0, nonceBytes).equals(nonce) &&
    map[nonceBytes] === udp &&
    map.readUInt16BE(nonceBytes + 4) === port
  if (!isOurs) return null
  if (answer[3] !== success) return 'refused'
  const outside = map.subarray(nonceBytes + 8)
  if (!outside.subarray(0, 12).equals(Buffer.from(mappedAddress('0.0.0.0')).subarray(0, 12))) {
    return 'refused'
  }
  return {
    address: outside.subarray(12).join('.'),
    port: map.readUInt16BE(nonceBytes + 6),
    lifetimeSeconds: answer.readUInt32BE(4),
  }
}

/** Keeps nonces secret: the nonce of a mapping suffices to delete it. */
const secret = randomBytes(32)

/**
 * The nonce for a port of this computer, stable while the program runs. A router recognizes a
 * mapping's owner by it, even after a new search, and refuses others (section 11.3).
 */
export const nonceOf = (own: string, port: number): Buffer =>
  createHmac('sha256', secret).update(`${own}:${port}`).digest().subarray(0, nonceBytes)

/** Detects PCP; `null` if the router does not support it. */
export async function findPcp(place: RouterEndpoint): Promise<MappingProtocol | null> {
  const request = encodeAnnounce(place.own)
  const found = await askRouter(place, { request, decode: decodeAnnounce })
  return found === null ? null : new Pcp(place)
}

class Pcp implements MappingProtocol {
  readonly name = 'PCP'
  readonly outside = null
  readonly #place: RouterEndpoint

  constructor(place: RouterEndpoint) {
    this.#place = place
  }

  async map(port: number, before: Mapping | null): Promise<Mapping | null> {
    const mapping = await this.#ask(port, leaseSeconds, before)
    return mapping === 'refused' ? null : mapping
  }

  async unmap(port: number, mapping: Mapping): Promise<void> {
    await this.#ask(port, 0, mapping)
  }

  #ask(port: number, lifetimeSeconds: number, wanted: Mapping | null) {
    const { own } = this.#place
    const asked = { own, nonce: nonceOf(own, port), port, lifetimeSeconds, wanted }
    return askRouter(this.#place, {
      request: encodeMap(asked),
      decode: (answer) => decodeMap(answer, asked),
    })
  }
}
