/** Clients' addresses, as limits and logs use them. */
import { isIP, isIPv4 } from 'node:net'

/** The key of `::1`; no address on a network shares its /64. */
const loopback6 = '0:0:0:0::/64'

/** IPv6 prefixes that carry an IPv4 address, the group where that starts, and a mask if its bits are inverted. */
const carriers = [
  /** Mapped (RFC 4291): IPv4 on a dual-stack socket. */
  { prefix: '0:0:0:0:0:ffff:', at: 6, turned: 0 },
  /** Translated (RFC 6052): IPv4 for a network without it. */
  { prefix: '64:ff9b:0:0:0:0:', at: 6, turned: 0 },
  /** 6to4 (RFC 3056): the holder of an IPv4 address also has 65,536 of these networks. */
  { prefix: '2002:', at: 1, turned: 0 },
  /** Teredo (RFC 4380): the prefix names a server, which the client chooses. */
  { prefix: '2001:0:', at: 6, turned: 0xffff },
] as const

/**
 * The canonical form of an address: no zone, eight groups for IPv6, and plain IPv4 if it is mapped. Empty for
 * anything else.
 */
export function plainAddress(address = ''): string {
  const literal = address.replace(/%.*$/, '').toLowerCase()
  if (isIP(literal) !== 6) return isIPv4(literal) ? literal : ''
  const all = groups(literal)
  return carriedBy(all, carriers[0]) ?? all.join(':')
}

/**
 * The part of an address that belongs to one customer: the whole of an IPv4 address, even carried in IPv6; the /64 of an
 * IPv6 address; and the whole of a local IPv6 address, whose /64 contains many computers. `null` for anything else, which
 * is refused.
 */
export function addressKey(address: string | undefined): string | null {
  const plain = plainAddress(address)
  if (plain === '' || isIPv4(plain)) return plain || null
  const all = plain.split(':')
  const carried = carriers.map((carrier) => carriedBy(all, carrier)).find((found) => found !== null)
  // This computer itself is never behind one of them.
  if (carried !== undefined && !isLoopback(carried)) return carried
  return isLocal(all) ? plain : `${all.slice(0, 4).join(':')}::/64`
}

/** The IPv4 address that these groups carry under this prefix; `null` without one. */
function carriedBy(
  all: readonly string[],
  { prefix, at, turned }: (typeof carriers)[number],
): string | null {
  if (!all.join(':').startsWith(prefix)) return null
  const halves = all.slice(at, at + 2).map((group) => parseInt(group, 16) ^ turned)
  return halves.flatMap((half) => [half >> 8, half & 0xff]).join('.')
}

/** True for addresses of one link, and for unique local ones (RFC 4193). */
const isLocal = ([first = '']: readonly string[]): boolean => /^(?:fe[89ab].|f[cd]..)$/.test(first)

/** A network, and the number of addresses whose limits it may use. */
export type Network = { readonly key: string; readonly worth: 1 | 4 | 16 }

/**
 * The networks that one client with this key may control: a line has an IPv4 address or a /64, a customer
 * a /56, a company or a free tunnel a /48, and a /24 is the smallest routed network. Wider networks contain
 * more people and get higher limits, but far below the sum of their addresses. A local network counts the
 * same way, because its computers can make up addresses.
 */
export function networksOf(key: string): readonly Network[] {
  if (isIPv4(key)) return [one(key), { key: key.replace(/\d+$/, '0/24'), worth: 16 }]
  const [a = '0', b = '0', c = '0', d = '0', ...host] = key.replace('::/64', '').split(':')
  if (host.length > 0) return [one(key), { key: `${a}:${b}:${c}:${d}::/64`, worth: 4 }]
  const upper = (parseInt(d, 16) & 0xff00).toString(16)
  return [
    one(key),
    { key: `${a}:${b}:${c}:${upper}::/56`, worth: 4 },
    { key: `${a}:${b}:${c}::/48`, worth: 16 },
  ]
}

const one = (key: string): Network => ({ key, worth: 1 })

/** A key shortened to /24 or /48, which locates trouble without naming a person. */
export function addressForLog(key: string): string {
  return isIPv4(key)
    ? key.replace(/\d+$/, '0/24')
    : key.replace(/^((?:[0-9a-f]+:){3}).*$/, '$1:/48')
}

/** True for this computer's own addresses. */
export const isLoopback = (key: string): boolean => /^127\./.test(key) || key === loopback6

/** The eight groups of an IPv6 literal, without leading zeros. */
function groups(literal: string): readonly string[] {
  const hex = literal.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_quad, ...parts: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.map(Number)
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  })
  const [head = '', tail] = hex.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const hole = tail === undefined ? 0 : 8 - front.length - back.length
  return [...front, ...Array<string>(Math.max(hole, 0)).fill('0'), ...back].map((group) =>
    group.replace(/^0+(?=.)/, ''),
  )
}
