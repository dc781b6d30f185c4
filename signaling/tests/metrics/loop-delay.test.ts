import { expect, it } from 'vitest'
import { delayEveryMs, watchLoopDelay } from '#signaling/metrics/loop-delay'

/** A clock with one timer that the test fires. */
function lateClock() {
  let now = 1000
  let timer: (() => void) | null = null
  return {
    now: () => now,
    wallTime: () => now,
    after: (delayMs: number, run: () => void) => {
      expect(delayMs).toBe(delayEveryMs)
      timer = run
      return () => (timer = null)
    },
    /** Fires the timer after `afterMs`. */
    fire: (afterMs: number) => {
      now += afterMs
      timer?.()
    },
    isArmed: () => timer !== null,
  }
}

it('reports the delay of each timer until it is canceled', () => {
  const clock = lateClock()
  const delays: number[] = []
  const stop = watchLoopDelay(clock, (seconds) => delays.push(seconds))
  clock.fire(delayEveryMs)
  clock.fire(delayEveryMs + 250)
  clock.fire(delayEveryMs - 1)
  expect(delays).toEqual([0, 0.25, 0])
  stop()
  expect(clock.isArmed()).toBe(false)
})
