import { expect, it } from 'vitest'
import { addressesElsewhere } from '../serve'

const address = (text: string, family: 'IPv4' | 'IPv6', internal = false) =>
  ({ address: text, family, internal, netmask: '', mac: '', cidr: null, scopeid: 0 }) as never
const interfaces = {
  lo: [address('127.0.0.1', 'IPv4', true), address('::1', 'IPv6', true)],
  eth0: [address('192.0.2.10', 'IPv4'), address('fe80::1', 'IPv6'), address('2001:db8::1', 'IPv6')],
}

it('names the addresses that other computers need', () => {
  expect(addressesElsewhere('', 8080, interfaces)).toEqual([
    'ws://192.0.2.10:8080',
    'ws://[2001:db8::1]:8080',
  ])
  expect(addressesElsewhere('0.0.0.0', 8080, interfaces)).toEqual(['ws://192.0.2.10:8080'])
  expect(addressesElsewhere('192.0.2.10', 8080, interfaces)).toEqual(['ws://192.0.2.10:8080'])
})

it('names none when only this computer reaches the server', () => {
  expect(addressesElsewhere('127.0.0.1', 8080, interfaces)).toEqual([])
})
