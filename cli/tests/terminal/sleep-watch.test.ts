import { expect, it, vi } from 'vitest'
import { ManualClock } from '#client/testing/manual-clock'
import { watchSleep } from '../../terminal/sleep-watch'

it('detects each sleep once, and ignores a busy computer', () => {
  const clock = new ManualClock()
  const onWake = vi.fn()
  const stop = watchSleep(clock, onWake)
  clock.advance(60_000)
  clock.sleep(9000)
  expect(onWake).not.toHaveBeenCalled()
  clock.sleep(3_600_000)
  expect(onWake).toHaveBeenCalledTimes(1)
  clock.advance(60_000)
  clock.sleep(60_000)
  expect(onWake).toHaveBeenCalledTimes(2)
  stop()
  clock.sleep(60_000)
  expect(onWake).toHaveBeenCalledTimes(2)
  expect(clock.delays).toEqual([])
})
