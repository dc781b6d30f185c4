import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4 } from 'node:net'

/** The key of `::1`; nothing that arrives over a network shares its /64. */
const loopback6 = '0:0:0:0::/64'

/**
 * The part of an address that one customer holds: IPv4 whole, IPv6 as its /64. Limits count by it.
 * Anything that is no address shares the key `unknown`, so that it can't escape the limits.
 */
export function addressKey(address: string | undefined): string {
  const literal = (address ?? '').replace(/%.*$/, '').toLowerCase()
  const mapped = literal.replace(/^::ffff:(?=\d+\.)/, '')
  if (isIPv4(mapped)) return mapped
  return isIP(literal) === 6 ? `${groups(literal).slice(0, 4).join(':')}::/64` : 'unknown'
}

/** A key shortened to /24 or /48, which says where trouble comes from without naming a person. */
export function addressForLog(key: string): string {
  return isIPv4(key)
    ? key.replace(/\d+$/, '0/24')
    : key.replace(/^((?:[0-9a-f]+:){3}).*$/, '$1:/48')
}

/** True for this computer's own addresses. */
export const isLoopback = (key: string): boolean => /^127\./.test(key) || key === loopback6

/**
 * Where a request comes from. Behind a reverse proxy that is what the last hop wrote at the end of
 * X-Forwarded-For; everything before it is the client's own claim.
 */
export function clientAddress(request: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? request.headers['x-forwarded-for'] : undefined
  const last = [forwarded ?? []].flat().join(',').split(',').pop()?.trim()
  return addressKey(last === undefined || last === '' ? request.socket.remoteAddress : last)
}

/** The eight groups of an IPv6 literal, without leading zeros. */
function groups(literal: string): readonly string[] {
  const [head = '', tail] = literal.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const hole = tail === undefined ? 0 : 8 - front.length - back.length
  return [...front, ...Array<string>(Math.max(hole, 0)).fill('0'), ...back].map((group) =>
    group.replace(/^0+(?=.)/, ''),
  )
}
