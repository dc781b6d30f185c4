import { expect, it } from 'vitest'
import { addressForLog, addressKey, isLoopback, networksOf } from '#signaling/socket/address'

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['0:0:0:0:0:FFFF:CB00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:7f00:1', '127.0.0.1'],
  ['64:ff9b::203.0.113.7', '203.0.113.7'],
  ['2002:cb00:7107:5::1', '203.0.113.7'],
  ['2001:0:c000:201:8000:63bf:34ff:8ef8', '203.0.113.7'],
  ['2002:7f00:1::1', '2002:7f00:1:0::/64'],
  ['64:ff9b::127.0.0.1', '64:ff9b:0:0::/64'],
  ['2001:db8:0:1::7', '2001:db8:0:1::/64'],
  ['2001:0DB8:0000:0001:1:2:3:4', '2001:db8:0:1::/64'],
  ['2001:db8::', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0:0:0:0:1'],
  ['fd00:7::aB', 'fd00:7:0:0:0:0:0:ab'],
  ['::1', '0:0:0:0::/64'],
  ['not an address', null],
  ['', null],
  [undefined, null],
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
  ['0:0:0:0:0:ffff:cb00:7107', false],
])('knows whether %s is this computer', (address, expected) => {
  expect(isLoopback(addressKey(address) ?? '')).toBe(expected)
})

it.each([
  ['203.0.113.7', ['203.0.113.7', '203.0.113.0/24']],
  ['2001:db8:0:1234::/64', ['2001:db8:0:1234::/64', '2001:db8:0:1200::/56', '2001:db8:0::/48']],
  ['2001:db8:0:5::/64', ['2001:db8:0:5::/64', '2001:db8:0:0::/56', '2001:db8:0::/48']],
  ['fe80:0:0:0:0:0:0:1', ['fe80:0:0:0:0:0:0:1', 'fe80:0:0:0::/64']],
])('counts %s in every network around it', (key, networks) => {
  expect(networksOf(key).map((network) => network.key)).toEqual(networks)
})
