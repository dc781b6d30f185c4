import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { areNetworks, Proxies } from '#signaling/socket/proxies'

const origin = (trusted: readonly string[], remoteAddress: string, forwarded?: string) => {
  const request = { headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress } }
  return new Proxies(trusted).originOf(request as unknown as IncomingMessage)
}
const near = ['127.0.0.0/8', '::1/128']
const far = [...near, '192.0.2.0/24', '2001:db8:cd::/48']

it.each([
  ['ignores a header that any client can send', [], '192.0.2.1', '203.0.113.7', '192.0.2.1'],
  ['ignores it from elsewhere than the proxies', near, '192.0.2.1', '203.0.113.7', '192.0.2.1'],
  ['believes what its proxy wrote', near, '127.0.0.1', '203.0.113.7', '203.0.113.7'],
  ['knows its proxy by a mapped address', near, '::ffff:127.0.0.1', '203.0.113.7', '203.0.113.7'],
  ['knows it by any form of that', near, '0:0:0:0:0:ffff:7f00:1', '203.0.113.7', '203.0.113.7'],
  ['tells mapped ones apart', near, '127.0.0.1', '::ffff:cb00:7107', '203.0.113.7'],
  [
    'trusts no address that a tunnel carries',
    near,
    '2002:7f00:1::1',
    '9.9.9.9',
    '2002:7f00:1:0::/64',
  ],
  ['believes only the last entry of one', near, '::1', '10.0.0.1, 203.0.113.7', '203.0.113.7'],
  [
    'walks over several proxies',
    far,
    '127.0.0.1',
    '9.9.9.9, 203.0.113.7, 192.0.2.9',
    '203.0.113.7',
  ],
  ['walks over one in IPv6', far, '::1', '203.0.113.7, 2001:db8:cd::1', '203.0.113.7'],
  ['takes a port off', near, '127.0.0.1', '203.0.113.7:5678', '203.0.113.7'],
  ['takes brackets off', near, '127.0.0.1', '[2001:db8::7]', '2001:db8:0:0::/64'],
  ['takes brackets and a port off', near, '127.0.0.1', '[2001:db8::7]:5678', '2001:db8:0:0::/64'],
  ['takes an address without brackets', near, '127.0.0.1', '2001:db8::7', '2001:db8:0:0::/64'],
  ['has nobody for what is no address', near, '127.0.0.1', '203.0.113.7, unknown', null],
  ['has nobody for a hidden one', near, '127.0.0.1', '_hidden', null],
])('%s', (_what, trusted, remoteAddress, forwarded, address) => {
  expect(origin(trusted, remoteAddress, forwarded)).toEqual({ address, isUnnamed: false })
})

it.each([
  ['without the header', undefined],
  ['with an empty one', ''],
  ['with an empty last entry', '203.0.113.7, '],
])('tells of a proxy that names nobody, %s', (_how, forwarded) => {
  expect(origin(near, '127.0.0.1', forwarded)).toEqual({ address: '127.0.0.1', isUnnamed: true })
})

it.each([
  ['10.0.0.0/8', true],
  ['10.0.0.1', true],
  ['2001:db8::/32', true],
  ['0.0.0.0/0', false],
  ['::/0', false],
  ['10.0.0.0/33', false],
  ['10.0.0.0/8/8', false],
  ['10.0.0.0/', false],
  ['proxy.example', false],
  ['', false],
])('takes %s for a network: %s', (text, expected) => {
  expect(areNetworks([text])).toBe(expected)
})
