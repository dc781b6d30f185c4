import { expect, it } from 'vitest'
import { createThrottle } from '../main/throttle'

it('lets a burst through, then only the rate, and recovers', () => {
  let nowMs = 0
  const isInTime = createThrottle({ perSecond: 10, burst: 5 }, () => nowMs)
  const passed = (count: number): number =>
    Array.from({ length: count }, isInTime).filter(Boolean).length
  expect(passed(100)).toBe(5)
  nowMs += 300
  expect(passed(100)).toBe(3)
  nowMs += 60_000
  expect(passed(100)).toBe(5)
})
