import { describe, expect, it } from 'vitest'
import { AddressRates, RateLimiter } from '#signaling/limits/rate-limiter'

const rate = { perMinute: 60, burst: 3 }

const takeAll = (limiter: RateLimiter, key: string, now: number): number => {
  let taken = 0
  while (limiter.take(key, now)) taken += 1
  return taken
}

describe('RateLimiter', () => {
  it('allows a burst, then as much as refills', () => {
    const limiter = new RateLimiter(rate)
    expect(takeAll(limiter, 'a', 0)).toBe(3)
    expect(takeAll(limiter, 'a', 999)).toBe(0)
    expect(takeAll(limiter, 'a', 1000)).toBe(1)
    expect(takeAll(limiter, 'a', 60_000)).toBe(3)
  })

  it('counts each key separately', () => {
    const limiter = new RateLimiter(rate)
    takeAll(limiter, 'a', 0)
    expect(takeAll(limiter, 'b', 0)).toBe(3)
  })

  it('accepts returned tokens up to a burst', () => {
    const limiter = new RateLimiter(rate)
    limiter.take('a', 0)
    limiter.giveBack('a')
    limiter.giveBack('a')
    limiter.giveBack('unheard of')
    expect(takeAll(limiter, 'a', 0)).toBe(3)
  })

  it('forgets keys that are full again', () => {
    const limiter = new RateLimiter(rate)
    for (let key = 0; key < 100; key += 1) limiter.take(String(key), 0)
    for (let key = 0; key < 100; key += 1) limiter.take('now', 3000 + key * 1000)
    expect(limiter.size).toBe(1)
  })

  it('SIG-11: forgets no partly used bucket, however many keys are added', () => {
    const limiter = new RateLimiter(rate)
    takeAll(limiter, 'guilty', 0)
    for (let key = 0; key < 100_000; key += 1) limiter.take(String(key), 1)
    expect(limiter.take('guilty', 1)).toBe(false)
  })
})

it('remembers a limited number of keys, the last used ones', () => {
  const limiter = new RateLimiter(rate, 100)
  for (let key = 0; key < 1000; key += 1) takeAll(limiter, String(key), 0)
  expect(limiter.size).toBe(100)
  expect(limiter.take('900', 0)).toBe(false)
  expect(limiter.take('899', 0)).toBe(true)
})

describe('rates of addresses', () => {
  const rates = (burst = 2, all = 1_000_000) =>
    new AddressRates({
      each: { perMinute: 60, burst },
      all: { perMinute: 60 * all, burst: all },
    })
  const letIn = (limiter: AddressRates, addresses: readonly string[], now = 0): number =>
    addresses.filter((address) => limiter.take(address, now)).length
  const of64 = (count: number, head = '2001:db8:0') =>
    Array.from({ length: count }, (_, index) => `${head}:${index.toString(16)}::/64`)

  it('give a /56 four times and a /48 sixteen times what a /64 has', () => {
    expect(letIn(rates(), Array<string>(9).fill('2001:db8:0:1::/64'))).toBe(2)
    expect(letIn(rates(), of64(256))).toBe(8)
    expect(letIn(rates(), of64(65_536))).toBe(32)
  })

  it('give a /24 of IPv4 sixteen times what one address has', () => {
    const addresses = Array.from({ length: 256 }, (_, index) => `203.0.113.${index}`)
    expect(letIn(rates(), addresses)).toBe(32)
    expect(letIn(rates(), ['203.0.112.1'])).toBe(1)
  })

  it('have one global bucket for all networks', () => {
    const networks = Array.from({ length: 100 }, (_, index) => `203.0.${index}.1`)
    expect(letIn(rates(2, 10), networks)).toBe(10)
  })

  it('take nothing from any bucket if one is empty', () => {
    const limiter = rates()
    letIn(limiter, Array<string>(50).fill('2001:db8:0:1::/64'))
    expect(letIn(limiter, of64(256, '2001:db8:0').slice(2))).toBe(6)
  })

  it('accept returned tokens', () => {
    const limiter = rates(1, 1)
    expect(limiter.take('203.0.113.7', 0)).toBe(true)
    limiter.giveBack('203.0.113.7')
    expect(limiter.take('203.0.113.7', 0)).toBe(true)
    expect(limiter.take('203.0.113.7', 0)).toBe(false)
  })

  it('count an address per scope, and together in the global bucket', () => {
    const limiter = rates(1, 2)
    expect(limiter.take('203.0.113.7', 0, { scope: '4821 ' })).toBe(true)
    expect(limiter.take('203.0.113.7', 0, { scope: '4821 ' })).toBe(false)
    expect(limiter.take('203.0.113.7', 0, { scope: '4822 ' })).toBe(true)
    expect(limiter.take('203.0.113.7', 0, { scope: '4823 ' })).toBe(false)
  })

  it('remember no more buckets than the global one admits', () => {
    const limiter = rates(1, 50)
    for (let index = 0; index < 10_000; index += 1) limiter.take(`10.0.${index % 256}.1`, 0)
    expect(limiter.size).toBeLessThanOrEqual(100)
  })
})

it('applies a new rate without forgetting a bucket too early', () => {
  const limiter = new RateLimiter({ perMinute: 60, burst: 2 })
  expect(limiter.take('a', 0)).toBe(true)
  expect(limiter.take('a', 0)).toBe(true)
  limiter.rate = { perMinute: 1, burst: 2 }
  expect(limiter.take('a', 1000)).toBe(false)
  expect(limiter.take('b', 30_000)).toBe(true)
  expect(limiter.size).toBe(2)
  expect(limiter.take('a', 60_000)).toBe(true)
  expect(limiter.take('a', 60_000)).toBe(false)
})
