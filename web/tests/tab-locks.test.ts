import { describe, expect, it } from 'vitest'
import { browser } from './tabs'

describe('locks that tabs ask each other for', () => {
  it('belong to one tab until it releases them', async () => {
    const { tab, settle } = browser()
    const [first, second] = [tab(), tab()]
    const taken = first.take('a')
    settle()
    expect(await taken).toBe(true)
    expect(await first.take('a')).toBe(true)
    const refused = second.take('a')
    const other = second.take('b')
    settle()
    expect(await refused).toBe(false)
    expect(await other).toBe(true)
    first.release('a')
    const free = second.take('a')
    settle()
    expect(await free).toBe(true)
  })

  it('go to one of several tabs that ask at the same time', async () => {
    const { tab, settle } = browser()
    const asked = Array.from({ length: 5 }, tab).map((each) => each.take('a'))
    settle()
    expect((await Promise.all(asked)).filter((isTaken) => isTaken)).toHaveLength(1)
  })

  it('are told to tabs that only ask, also while they are being taken', async () => {
    const { tab, settle } = browser()
    const [first, second, third] = [tab(), tab(), tab()]
    const taken = first.take('a')
    const seen = second.heldElsewhere(['a', 'b'])
    const own = first.heldElsewhere(['a'])
    settle()
    expect(await taken).toBe(true)
    expect([...(await seen)]).toEqual(['a'])
    expect(await own).toEqual(new Set())
    const free = third.take('b')
    settle()
    expect(await free).toBe(true)
  })
})
