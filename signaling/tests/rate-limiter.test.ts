import { describe, expect, it } from 'vitest'
import { RateLimiter } from '#signaling/rate-limiter'

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

  it('counts each key alone', () => {
    const limiter = new RateLimiter(rate)
    takeAll(limiter, 'a', 0)
    expect(takeAll(limiter, 'b', 0)).toBe(3)
  })

  it('takes back what was not needed, never more than a burst', () => {
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

  it('SIG-11: never remembers more than 50,000 keys', () => {
    const limiter = new RateLimiter(rate)
    for (let key = 0; key < 60_000; key += 1) limiter.take(String(key), 0)
    expect(limiter.size).toBe(50_000)
  })
})
