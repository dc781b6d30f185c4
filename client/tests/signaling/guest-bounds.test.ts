import { expect, it } from 'vitest'
import { guestBounds } from '#client/signaling/local-server'
import { AddressCounter } from '#signaling/limits/counter'
import { addressKey } from '#signaling/socket/address'
import { maxGuests } from '#signaling/socket/network-entrance'

it('one computer of a link leaves room for others, however many addresses it uses', () => {
  const counter = new AddressCounter()
  const most = guestBounds.maxWsConnectionsPerAddress
  const fill = (address: string): number => {
    const key = addressKey(address) ?? ''
    let count = 0
    for (; counter.fits(key, most); count += 1) counter.add(key)
    return count
  }
  expect(fill('fe80::1%eth0')).toBe(most)
  expect(fill('fe80::2%eth0')).toBe(most)
  const madeUp = Array.from({ length: 40 }, (_, index) => fill(`fe80::b:${index}`))
  expect(madeUp.reduce((sum, count) => sum + count)).toBe(2 * most)
  expect(fill('192.168.1.7')).toBe(most)
  expect(4 * most).toBeLessThan(maxGuests)
})
