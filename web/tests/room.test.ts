/** Estimates of browsers. */
import { expect, it } from 'vitest'
import { roomOf } from '../storage/room'

const gibibyte = 1024 ** 3

it('believes a real estimate', () => {
  expect(roomOf({ quota: 5_000_000_000, usage: 1_000_000 })).toBe(4_999_000_000)
  // Firefox allows a site this much.
  expect(roomOf({ quota: 10 * gibibyte, usage: 0 })).toBe(10 * gibibyte)
  expect(roomOf({ quota: 40 * gibibyte + 1961, usage: 1961 })).toBe(40 * gibibyte)
})

it('ignores the one that Chromium makes up', () => {
  expect(roomOf({ quota: 10 * gibibyte + 1961, usage: 1961 })).toBeNull()
  // A smaller one is that of a small disk.
  expect(roomOf({ quota: 3 * gibibyte + 1961, usage: 1961 })).toBe(3 * gibibyte)
})

it('knows nothing without one', () => {
  expect(roomOf({})).toBeNull()
})
