/** This computer's addresses on local networks. */
import { isIPv4 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { scopeOfAddress } from '#client/signaling/address-scope'

/** One address of one interface. */
export type NearAddress = {
  /** The interface's name, which is its zone in IPv6. */
  readonly name: string
  readonly family: 4 | 6
  /** The literal address, with its zone where needed: `fe80::1%eth0`. */
  readonly address: string
}

type Told = ReturnType<typeof networkInterfaces>

/** Limits the addresses considered; bridges and containers can have many. */
const maxAddresses = 16

/** The addresses, as `told` by the system, that only computers on a local network can reach. */
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

/** The zone of an interface: its number on Windows, its name elsewhere. */
export const zoneOf = (name: string, index: number): string =>
  process.platform === 'win32' ? String(index) : name
