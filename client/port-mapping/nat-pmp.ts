/** The NAT Port Mapping Protocol (RFC 6886), for UDP. */
import { leaseSeconds, type Mapping, type MappingProtocol, type RouterEndpoint } from './router'
import { askRouter } from './router-question'

const version = 0
const opcodes = { address: 0, mapUdp: 1 } as const
const isResponse = 0x80
const success = 0

/** Asks for the router's external address (section 3.2). */
export const addressRequest: Buffer = Buffer.from([version, opcodes.address])

/** Requests one mapping; a lifetime of 0 deletes it (sections 3.3 and 3.4). */
export function encodeMap(port: number, wanted: number, lifetimeSeconds: number): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.set([version, opcodes.mapUdp])
  bytes.writeUInt16BE(port, 4)
  bytes.writeUInt16BE(wanted, 6)
  bytes.writeUInt32BE(lifetimeSeconds, 8)
  return bytes
}

const answers = (answer: Buffer, opcode: number, bytes: number): boolean =>
  answer.length === bytes && answer[0] === version && answer[1] === (isResponse | opcode)

/** The router's external address; `null` if this is not such an answer. */
export const decodeAddress = (answer: Buffer): string | null =>
  answers(answer, opcodes.address, 12) && answer.readUInt16BE(2) === success
    ? answer.subarray(8).join('.')
    : null

/** The external port that `port` is mapped to; `null` if this is not such an answer, `'refused'` for an error. */
export function decodeMap(
  answer: Buffer,
  port: number,
): Omit<Mapping, 'address'> | 'refused' | null {
  // A router refuses an unsupported version in eight bytes.
  if (!answers(answer, opcodes.mapUdp, 16)) return null
  if (answer.readUInt16BE(8) !== port) return null
  if (answer.readUInt16BE(2) !== success) return 'refused'
  return { port: answer.readUInt16BE(10), lifetimeSeconds: answer.readUInt32BE(12) }
}

/** Detects NAT-PMP; `null` if the router does not support it. */
export async function findNatPmp(place: RouterEndpoint): Promise<MappingProtocol | null> {
  const outside = await askRouter(place, { request: addressRequest, decode: decodeAddress })
  return outside === null ? null : new NatPmp(place, outside)
}

class NatPmp implements MappingProtocol {
  readonly name = 'NAT-PMP'
  readonly outside: string
  readonly #place: RouterEndpoint

  constructor(place: RouterEndpoint, outside: string) {
    this.#place = place
    this.outside = outside
  }

  async map(port: number, before: Mapping | null): Promise<Mapping | null> {
    const [mapped, address] = await Promise.all([
      this.#ask(port, before?.port ?? port, leaseSeconds),
      askRouter(this.#place, { request: addressRequest, decode: decodeAddress }),
    ])
    return mapped === null || mapped === 'refused' || address === null
      ? null
      : { ...mapped, address }
  }

  async unmap(port: number): Promise<void> {
    await this.#ask(port, 0, 0)
  }

  #ask(port: number, wanted: number, lifetimeSeconds: number) {
    return askRouter(this.#place, {
      request: encodeMap(port, wanted, lifetimeSeconds),
      decode: (answer) => decodeMap(answer, port),
    })
  }
}
