/** This computer's places on local networks. */
import { isIPv4 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { scopeOfAddress } from '#client/signaling/address-scope'

/** One address of one interface. */
export type NearAddress = {
  /** The interface's name, its zone in IPv6. */
  readonly name: string
  readonly family: 4 | 6
  /** With the zone where it means nothing without: `fe80::1%eth0`. */
  readonly address: string
}

type Told = ReturnType<typeof networkInterfaces>

/** Bridges and containers have many; more than these are not looked at. */
const maxAddresses = 16

/** The addresses that others on a network can reach and that no one further away can, as `told` by the system. */
export function nearAddresses(told: Told = networkInterfaces()): readonly NearAddress[] {
  const near = Object.entries(told).flatMap(([name, addresses = []]) =>
    addresses.flatMap(({ address, internal, scopeid = 0 }) => {
      if (internal || scopeOfAddress(address) !== 'private') return []
      const isFour = isIPv4(address)
      const zone = isFour || scopeid === 0 ? '' : `%${zoneOf(name, scopeid)}`
      return [{ name, family: isFour ? 4 : 6, address: `${address}${zone}` } as const]
    }),
  )
  return near.slice(0, maxAddresses)
}

/** The zone of an interface: Windows knows it by its number. */
export const zoneOf = (name: string, index: number): string =>
  process.platform === 'win32' ? String(index) : name
