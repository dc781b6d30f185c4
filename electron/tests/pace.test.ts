import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPace } from '../main/desktop/pace'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

describe('createPace', () => {
  it('updates immediately, then once a second however often it is requested', () => {
    const update = vi.fn(() => false)
    const ask = createPace(update)
    for (let count = 0; count < 100; count += 1) ask()
    expect(update).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(1000)
    expect(update).toHaveBeenCalledTimes(2)
  })

  it('continues while data is in flight, and leaves no timer afterwards', () => {
    let isMoving = true
    const update = vi.fn(() => isMoving)
    createPace(update)()
    vi.advanceTimersByTime(3000)
    expect(update).toHaveBeenCalledTimes(4)
    isMoving = false
    vi.advanceTimersByTime(2000)
    expect(update).toHaveBeenCalledTimes(5)
    expect(vi.getTimerCount()).toBe(0)
  })
})
