import { expect, it } from 'vitest'
import { scopeOfAddress } from '#client/signaling/address-scope'

it.each([
  ['::1', 'loopback'],
  ['127.0.0.1', 'loopback'],
  ['fd00::1', 'private'],
  ['2606:4700::1', 'public'],
  ['::7f00:1', null],
  ['::', null],
  ['64:ff9b::a00:1', null],
  ['64:ff9b:1::a00:1', null],
  ['100::1', null],
  ['2001:0:53aa::1', null],
  ['2002:7f00:1::1', null],
  ['fec0::1', null],
])('has %s as %s', (address, scope) => {
  expect(scopeOfAddress(address)).toBe(scope)
})
