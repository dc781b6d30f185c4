import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { addressForLog, addressKey, clientAddress, isLoopback } from '#signaling/address'

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:0:1::7', '2001:db8:0:1::/64'],
  ['2001:0DB8:0000:0001:1:2:3:4', '2001:db8:0:1::/64'],
  ['2001:db8::', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['not an address', 'unknown'],
  ['', 'unknown'],
  [undefined, 'unknown'],
])('counts %s as %s', (address, key) => {
  expect(addressKey(address)).toBe(key)
})

it.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['2001:db8:0:1::/64', '2001:db8:0::/48'],
  ['unknown', 'unknown'],
])('logs %s as %s', (key, logged) => {
  expect(addressForLog(key)).toBe(logged)
})

it.each([
  ['127.0.0.1', true],
  ['127.8.8.8', true],
  ['::1', true],
  ['128.0.0.1', false],
  ['2001:db8::1', false],
])('knows whether %s is this computer', (address, expected) => {
  expect(isLoopback(addressKey(address))).toBe(expected)
})

it.each([
  ['ignores a header that anybody can send', false, '203.0.113.7', '192.0.2.1'],
  ['believes the last hop behind a proxy', true, '10.0.0.1, 203.0.113.7', '203.0.113.7'],
  ['has the proxy itself when it says nothing', true, undefined, '192.0.2.1'],
  ['does not believe what is no address', true, '10.0.0.1, nonsense', 'unknown'],
])('%s', (_what, trustProxy, forwarded, expected) => {
  const request = {
    headers: { 'x-forwarded-for': forwarded },
    socket: { remoteAddress: '192.0.2.1' },
  } as unknown as IncomingMessage
  expect(clientAddress(request, trustProxy)).toBe(expected)
})
