import { describe, expect, it } from 'vitest'
import { joined, MemoryStore, partsOf, type Run } from '../storage/store'

const run = (index: number, offset: number, text: string): Run => ({
  index,
  offset,
  bytes: new TextEncoder().encode(text),
})

describe('a store in memory', () => {
  it('gives back each file from its runs, whatever their order', async () => {
    const store = new MemoryStore(100)
    await store.keep([run(1, 3, 'def'), run(2, 0, 'other')])
    await store.keep([run(1, 0, 'abc')])
    expect(await (await store.file(1, 6)).text()).toBe('abcdef')
    expect(await (await store.file(2, 5)).text()).toBe('other')
    expect((await store.file(3, 0)).size).toBe(0)
  })

  it('refuses more than it may keep', async () => {
    const store = new MemoryStore(5)
    await store.keep([run(1, 0, 'abc')])
    await expect(store.keep([run(1, 3, 'def')])).rejects.toThrow('no room')
  })

  it('forgets everything', async () => {
    const store = new MemoryStore(5)
    await store.keep([run(1, 0, 'abc')])
    await store.clear()
    await store.keep([run(1, 0, 'vwxyz')])
    expect(await (await store.file(1, 5)).text()).toBe('vwxyz')
  })
})

describe('the parts of a file', () => {
  it('are joined with zeros for what was not sent', async () => {
    const bytes = 3 * 1024 * 1024 + 5
    const whole = joined([{ offset: bytes - 1, blob: new Blob(['z']) }], bytes)
    const content = new Uint8Array(await whole.arrayBuffer())
    expect(content.length).toBe(bytes)
    expect(content.at(-1)).toBe('z'.charCodeAt(0))
    expect(content.subarray(0, -1).every((byte) => byte === 0)).toBe(true)
  })

  it('are as few as its runs allow', () => {
    const parts = partsOf([run(1, 0, 'a'), run(1, 1, 'b'), run(1, 5, 'c'), run(2, 6, 'd')])
    expect(parts.map(({ index, offset, blob }) => [index, offset, blob.size])).toEqual([
      [1, 0, 2],
      [1, 5, 1],
      [2, 6, 1],
    ])
  })
})
