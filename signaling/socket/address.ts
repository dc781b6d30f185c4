/** Where a client is, as limits and logs see it. */
import { isIP, isIPv4 } from 'node:net'

/** The key of `::1`; nothing that arrives over a network shares its /64. */
const loopback6 = '0:0:0:0::/64'

/** What an IPv6 address that only carries one of IPv4 begins with, the group where that begins, and whether its bits are turned over. */
const carriers = [
  /** Mapped (RFC 4291): IPv4 on a socket of both. */
  { prefix: '0:0:0:0:0:ffff:', at: 6, turned: 0 },
  /** Translated (RFC 6052): IPv4 on its way to a network without it. */
  { prefix: '64:ff9b:0:0:0:0:', at: 6, turned: 0 },
  /** 6to4 (RFC 3056): whoever has an IPv4 address has 65,536 networks of these, too. */
  { prefix: '2002:', at: 1, turned: 0 },
  /** Teredo (RFC 4380): the network in front is that of a server, which the client names. */
  { prefix: '2001:0:', at: 6, turned: 0xffff },
] as const

/**
 * An address in one form: without a zone, IPv6 with eight groups, and IPv4 where it is only mapped, however that is
 * written. Empty for what is no address.
 */
export function plainAddress(address = ''): string {
  const literal = address.replace(/%.*$/, '').toLowerCase()
  if (isIP(literal) !== 6) return isIPv4(literal) ? literal : ''
  const all = groups(literal)
  return carriedBy(all, carriers[0]) ?? all.join(':')
}

/**
 * The part of an address that one customer holds: IPv4 whole, also where IPv6 only carries it, IPv6 as its /64, and whole on a
 * local network, where a /64 is all computers of it. `null` for what is no address; nobody is let in under it.
 */
export function addressKey(address: string | undefined): string | null {
  const plain = plainAddress(address)
  if (plain === '' || isIPv4(plain)) return plain || null
  const all = plain.split(':')
  const carried = carriers.map((carrier) => carriedBy(all, carrier)).find((found) => found !== null)
  // This computer itself is behind none of them.
  if (carried !== undefined && !isLoopback(carried)) return carried
  return isLocal(all) ? plain : `${all.slice(0, 4).join(':')}::/64`
}

/** The IPv4 address that these groups carry in this way; `null` for none. */
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

/** A network, and how many addresses' worth of everything it may have. */
export type Network = { readonly key: string; readonly worth: 1 | 4 | 16 }

/**
 * The networks that somebody with this key may hold whole: a line has an IPv4 address or a /64, a
 * customer a /56, a company or a free tunnel a /48, and a /24 is the least that is routed. Wider
 * ones hold more people, and so have more, but far less than all of their addresses together. So does
 * the one network of computers that are near each other, whoever makes up addresses there.
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

/** A key shortened to /24 or /48, which says where trouble comes from without naming a person. */
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
