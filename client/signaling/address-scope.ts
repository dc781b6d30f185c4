/** The scope in which an address or a name can be reached. */
import { BlockList, isIP, isIPv4 } from 'node:net'
import { parseServerUrl } from '#shared/signaling/server-url'

/** Reachable from the internet, this network, or this computer only. */
export type AddressScope = 'public' | 'private' | 'loopback'

type Subnet = readonly [address: string, prefix: number]

const listOf = (subnets: readonly Subnet[]): BlockList => {
  const list = new BlockList()
  for (const [address, prefix] of subnets) {
    list.addSubnet(address, prefix, isIPv4(address) ? 'ipv4' : 'ipv6')
  }
  return list
}

const loopback = listOf([
  ['127.0.0.0', 8],
  ['::1', 128],
])

const privateUse = listOf([
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['fc00::', 7],
  ['fe80::', 10],
])

/** Addresses of no host or of many, deprecated ones, and embedded IPv4 addresses; `BlockList` handles `::ffff:0:0/96`. */
const unusable = listOf([
  ['0.0.0.0', 8],
  ['192.0.0.0', 24],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 32],
  ['2002::', 16],
  ['fec0::', 10],
  ['ff00::', 8],
])

/** The scope of a literal address; `null` if it is not the address of one host. */
export function scopeOfAddress(address: string): AddressScope | null {
  const literal = address.replace(/%.*$/, '')
  const family = isIP(literal) === 4 ? 'ipv4' : 'ipv6'
  if (isIP(literal) === 0) return null
  if (loopback.check(literal, family)) return 'loopback'
  if (unusable.check(literal, family)) return null
  return privateUse.check(literal, family) ? 'private' : 'public'
}

/**
 * The scope that a host's text claims; the address of a name must be checked, too. `null` for invalid hosts such as
 * `127.1`, which some resolvers accept as an address.
 */
export function scopeOfHost(host: string): AddressScope | null {
  if (isIP(host) !== 0) return scopeOfAddress(host)
  const labels = host.toLowerCase().replace(/\.$/, '').split('.')
  const last = labels[labels.length - 1] ?? ''
  if (labels.includes('') || /^(?:[0-9]+|0x[0-9a-f]*)$/.test(last)) return null
  if (last === 'localhost') return 'loopback'
  return labels.length === 1 || localDomains.has(last) ? 'private' : 'public'
}

/** The scope that a server's URL claims; `null` for an invalid one, too. */
export function scopeOfServer(url: string): AddressScope | null {
  const parsed = parseServerUrl(url)
  return parsed.ok ? scopeOfHost(new URL(parsed.value).hostname.replace(/^\[|\]$/g, '')) : null
}

const localDomains: ReadonlySet<string> = new Set(['local', 'lan', 'internal', 'home', 'arpa'])

const reach: { readonly [scope in AddressScope]: number } = { public: 0, private: 1, loopback: 2 }

/** True if a peer at `from` may name an address at `to`: it must be at least as public. */
export const mayName = (from: AddressScope, to: AddressScope | null): boolean =>
  to !== null && reach[to] <= reach[from]
