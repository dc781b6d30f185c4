/** Recognizes hosts on the networks of this computer. */
import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { scopeOfHost } from '#client/signaling/address-scope'

const linkLocal = new BlockList()
linkLocal.addSubnet('169.254.0.0', 16, 'ipv4')
linkLocal.addSubnet('fe80::', 10, 'ipv6')

/**
 * True for this computer, for mDNS names and for addresses on a network of an interface. Other
 * private addresses may be behind a proxy, such as those of a company.
 */
export function isOnThisNetwork(
  host: string,
  interfaces: ReturnType<typeof networkInterfaces> = networkInterfaces(),
): boolean {
  if (scopeOfHost(host) === 'loopback') return true
  const version = isIP(host)
  if (version === 0) return /\.local\.?$/i.test(host)
  const family = version === 4 ? 'ipv4' : 'ipv6'
  if (linkLocal.check(host, family)) return true
  const own = new BlockList()
  for (const { cidr } of Object.values(interfaces).flatMap((addresses = []) => addresses)) {
    const [address = '', prefix = ''] = cidr?.split('/') ?? []
    // A prefix of 0 would match everything.
    if (isIP(address) === version && Number(prefix) > 0) {
      own.addSubnet(address, Number(prefix), family)
    }
  }
  return own.check(host, family)
}
