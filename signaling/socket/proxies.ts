/** Reverse proxies in front of the server, and their clients' addresses. */
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv4, type Socket } from 'node:net'
import { addressKey, plainAddress } from '#signaling/socket/address'

/** A network as `10.0.0.0/8` or `2001:db8::/32`, or one address. */
type Cidr = { readonly address: string; readonly prefix: number; readonly family: 4 | 6 }

/** `null` for invalid text, and for a whole address family, which would trust every client. */
function parseCidr(text: string): Cidr | null {
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  if (more.length > 0 || (family !== 4 && family !== 6)) return null
  const widest = family === 4 ? 32 : 128
  const prefix = bits === undefined ? widest : /^\d{1,3}$/.test(bits) ? Number(bits) : 0
  return prefix >= 1 && prefix <= widest ? { address, prefix, family } : null
}

/** True when every text names a network. */
export const areNetworks = (texts: readonly unknown[]): boolean =>
  texts.every((text) => typeof text === 'string' && parseCidr(text) !== null)

/** The origin of a request. */
export type Origin = {
  /** The key of `addressKey`; `null` if a proxy named something other than an address. */
  readonly address: string | null
  /** True if a proxy forwarded the request without naming its client. */
  readonly isUnnamed: boolean
}

/** The proxies that are trusted to name their clients. */
export class Proxies {
  readonly #trusted = new BlockList()
  readonly #isAlone: boolean
  readonly #sourceOf: (socket: object) => string | undefined

  /** `networks` must satisfy `areNetworks`; `sourceOf` returns the source in a connection's PROXY header. */
  constructor(
    networks: readonly string[],
    sourceOf: (socket: object) => string | undefined = () => undefined,
  ) {
    this.#sourceOf = sourceOf
    this.#isAlone = networks.length === 0
    for (const text of networks) {
      const cidr = parseCidr(text)
      if (cidr === null) continue
      this.#trusted.addSubnet(cidr.address, cidr.prefix, cidr.family === 4 ? 'ipv4' : 'ipv6')
    }
  }

  /** True for the address of a proxy. */
  has(address: string | undefined): boolean {
    if (this.#isAlone) return false
    const plain = plainAddress(address)
    return plain !== '' && this.#trusted.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6')
  }

  /** The source of a connection, as known before any request. */
  peerOf(socket: Socket): string | undefined {
    return this.#sourceOf(socket) ?? socket.remoteAddress
  }

  /**
   * Follows X-Forwarded-For from its end, where the last proxy wrote, while the writer is trusted:
   * a client can fake everything further left.
   */
  originOf(request: IncomingMessage): Origin {
    const entries = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',')
    let hop = this.peerOf(request.socket) ?? ''
    let isUnnamed = false
    while (this.has(hop)) {
      const entry = entries.pop()?.trim() ?? ''
      isUnnamed = entry === ''
      if (isUnnamed) break
      hop = hostOf(entry)
    }
    return { address: addressKey(hop), isUnnamed }
  }
}

/** The address of `1.2.3.4:5678`, `[2001:db8::1]:5678`, `[2001:db8::1]` or a bare address. */
function hostOf(entry: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(entry) ?? []
  return bracketed ?? plain ?? entry
}
