import { expect, it } from 'vitest'
import { systemRandom } from '#signaling/random'
import { addressNames } from '#signaling/socket/address-names'

const addresses = ['203.0.113.7', '203.0.113.8', '2001:db8:0:0::/64']

it('names no address by default', () => {
  const name = addressNames('none', systemRandom)
  for (const address of [...addresses, null]) expect(name(address)).toEqual({})
})

it('distinguishes addresses by a code that changes with each start', () => {
  const name = addressNames('hashed', systemRandom)
  const codes = addresses.map((address) => name(address).address)
  expect(new Set(codes).size).toBe(3)
  for (const code of codes) expect(code).toMatch(/^[0-9a-f]{12}$/)
  expect(addresses.map((address) => name(address).address)).toEqual(codes)
  const other = addressNames('hashed', systemRandom)
  for (const [at, address] of addresses.entries()) {
    expect(other(address).address).not.toBe(codes[at])
  }
  expect(name(null)).toEqual({ address: 'unknown' })
})

it('names networks', () => {
  const name = addressNames('network', systemRandom)
  expect(name('203.0.113.7')).toEqual({ address: '203.0.113.0/24' })
  expect(name('2001:db8:0:0::/64')).toEqual({ address: '2001:db8:0::/48' })
})
