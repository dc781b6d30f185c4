import { describe, expect, it } from 'vitest'
import { forgetSendIds, sendIdsOf } from '../storage/send-ids'

/** A browser's storage. */
function storage(): Pick<Storage, 'getItem' | 'setItem'> {
  const items = new Map<string, string>()
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
  }
}

describe('the ids of a sending', () => {
  it('are two, and neither is in the other', () => {
    const { join, share } = sendIdsOf('1-a-b-c', storage())
    expect(join).toMatch(/^[0-9a-f]{32}$/)
    expect(share).toMatch(/^[0-9a-f]{32}$/)
    expect(join).not.toBe(share)
  })

  it('stay the same for a code until they are forgotten', () => {
    const kept = storage()
    const first = sendIdsOf('1-a-b-c', kept)
    expect(sendIdsOf('1-a-b-c', kept)).toEqual(first)
    expect(sendIdsOf('2-a-b-c', kept)).not.toEqual(first)
    forgetSendIds('1-a-b-c', kept)
    const next = sendIdsOf('1-a-b-c', kept)
    expect(next.join).not.toBe(first.join)
    expect(next.share).not.toBe(first.share)
  })
})
