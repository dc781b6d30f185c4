import type { networkInterfaces } from 'node:os'
import { expect, it } from 'vitest'
import { isStaleAddress } from '#client/signaling/stale-address'

type Interfaces = ReturnType<typeof networkInterfaces>

const four = (address: string, internal = false) =>
  ({ family: 'IPv4', address, internal, netmask: '', mac: '', cidr: null }) as const
const six = (address: string, scopeid: number) =>
  ({ family: 'IPv6', address, scopeid, internal: false, netmask: '', mac: '', cidr: null }) as const
const home: Interfaces = {
  lo: [four('127.0.0.1', true)],
  wlan0: [four('192.168.7.20'), six('fe80::7', 2)],
}

it('keeps a socket whose address still exists', () => {
  for (const address of ['192.168.7.20', 'fe80::7%wlan0', '127.0.0.1']) {
    expect(isStaleAddress(address, home)).toBe(false)
  }
})

it('gives up a socket whose address belongs to another network', () => {
  expect(isStaleAddress('10.0.0.9', home)).toBe(true)
  expect(isStaleAddress('2001:db8::9', home)).toBe(true)
})

it('waits for an address while there is no other network', () => {
  const away: Interfaces = { lo: [four('127.0.0.1', true)], wlan0: [six('fe80::7', 2)] }
  expect(isStaleAddress('192.168.7.20', away)).toBe(false)
})
