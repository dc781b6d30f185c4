import { describe, expect, it } from 'vitest'
import { choicesFor, keyOf } from '../choices'
import type { OfferedEntry } from '../engine/module'
import { KeptFiles } from '../storage/kept-files'
import { gaps, type Part, without, withPart } from '../storage/ranges'
import type { Records } from '../storage/records'

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
const file = (index: number, path: string, size: number): OfferedEntry => ({
  index,
  kind: 'file',
  isText: false,
  bytes: size,
  modifiedMs: 1000,
  path,
})
const part = (offset: number, length: number, at: number | null): Part => ({
  offset,
  length,
  at,
  blob: 0,
})

describe('files in memory', () => {
  it('give back each content from its runs, whatever their order', async () => {
    const files = await KeptFiles.open('x', null)
    files.add('a', 3, bytes('def'))
    files.add('b', 0, bytes('other'))
    await files.kept()
    files.add('a', 0, bytes('abc'))
    await files.kept()
    expect(files.has('a', 6)).toBe(true)
    expect(files.has('b', 6)).toBe(false)
    const content = await files.contents()
    expect(await content('a', 6).text()).toBe('abcdef')
    expect(await content('b', 5).text()).toBe('other')
    expect(content('c', 0).size).toBe(0)
  })

  it('are kept there if the database takes no Blobs, up to what memory may hold', async () => {
    const records = {
      of: () => Promise.resolve([]),
      holdsBlobs: () => Promise.resolve(false),
    } as unknown as Records
    const files = await KeptFiles.open('x', records, 5)
    expect(files.keptIn).toBe('memory')
    files.add('a', 0, bytes('abcdef'))
    await expect(files.kept()).rejects.toThrow('no room')
  })

  it('refuse more than they may keep', async () => {
    const files = await KeptFiles.open('x', null, 5)
    files.add('a', 0, bytes('abc'))
    await files.kept()
    files.add('a', 3, bytes('def'))
    await expect(files.kept()).rejects.toThrow('no room')
  })

  it('have zeros where nothing arrived, and where a file has a hole', async () => {
    const size = 3 * 1024 * 1024 + 5
    const files = await KeptFiles.open('x', null)
    files.addZeros('a', 0, size - 1)
    files.add('a', size - 1, bytes('z'))
    await files.kept()
    expect(files.has('a', size)).toBe(true)
    const whole = new Uint8Array(await (await files.contents())('a', size).arrayBuffer())
    expect(whole.length).toBe(size)
    expect(whole.at(-1)).toBe('z'.charCodeAt(0))
    expect(whole.subarray(0, -1).every((byte) => byte === 0)).toBe(true)
    const read: number[] = []
    for await (const some of files.read('a', size - 3, size)) read.push(...some)
    expect(read).toEqual([0, 0, 'z'.charCodeAt(0)])
  })
})

/** A database that forgets everything, or has no room. */
const databaseOf = (add: () => Promise<void>): Records =>
  ({
    ...{ add, of: () => Promise.resolve([]), delete: () => Promise.resolve() },
    holdsBlobs: () => Promise.resolve(true),
  }) as unknown as Records

describe('files in a database', () => {
  it('have no part that there was no room for', async () => {
    const files = await KeptFiles.open(
      'x',
      databaseOf(() => Promise.reject(new Error('no room'))),
    )
    expect(files.keptIn).toBe('database')
    files.add('a', 0, bytes('abc'))
    expect(files.has('a', 3)).toBe(true)
    await expect(files.kept()).rejects.toThrow('no room')
    expect(files.has('a', 3)).toBe(false)
  })

  it('are not made up if the browser has lost them', async () => {
    const files = await KeptFiles.open(
      'x',
      databaseOf(() => Promise.resolve()),
    )
    files.add('a', 0, bytes('abc'))
    await files.kept()
    expect(files.has('a', 3)).toBe(true)
    const content = await files.contents()
    expect(() => content('a', 3)).toThrow('no longer kept')
    await expect(files.read('a', 0, 3).next()).rejects.toThrow('no longer kept')
  })
})

describe('the answer to an offer', () => {
  it('claims what is here, and requests the rest', async () => {
    const large = 20 * 1024 * 1024
    const entries = [
      file(0, 'done.txt', 4),
      file(1, 'begun.bin', large),
      file(2, 'small.bin', 100),
      file(3, 'album/a.jpg', 10),
      file(4, 'other.txt', 1),
    ]
    const [whole, begun, small] = entries.map(keyOf)
    const files = await KeptFiles.open('x', null)
    files.add(whole ?? '', 0, bytes('done'))
    files.add(begun ?? '', 5, bytes('fghij'))
    files.add(begun ?? '', 20, bytes('uvwxyz'))
    files.setValidator(begun ?? '', new Uint8Array(16).fill(7))
    files.add(small ?? '', 0, bytes('part'))
    await files.kept()
    const { unwanted, complete, claims } = choicesFor(entries, ['album'], files)
    expect(unwanted).toEqual([{ first: 3, count: 1 }])
    expect(complete).toEqual([{ first: 0, count: 1 }])
    expect(claims).toMatchObject([
      {
        index: 1,
        offset: 26,
        hashBegin: 20,
        missing: [
          { offset: 0, length: 5 },
          { offset: 10, length: 10 },
        ],
      },
    ])
    const hashed: Uint8Array[] = []
    for await (const some of claims[0]?.hashed ?? []) hashed.push(some)
    expect(Buffer.concat(hashed).toString()).toBe('uvwxyz')
    // Nothing vouches for the version of the small one.
    expect(files.parts(small ?? '')).toEqual([])
  })
})

describe('parts of a file', () => {
  it('become one if their bytes follow each other', () => {
    const parts = [part(0, 5, 0), part(5, 5, 5), part(20, 5, 10)].reduce<Part[]>(withPart, [])
    expect(parts).toEqual([part(0, 10, 0), part(20, 5, 10)])
    expect(gaps(parts, 30)).toEqual([
      { offset: 10, length: 10 },
      { offset: 25, length: 5 },
    ])
  })

  it('give way to later ones', () => {
    const parts = withPart([part(0, 10, 0), part(10, 10, null)], part(5, 10, 100))
    expect(parts).toEqual([part(0, 5, 0), part(5, 10, 100), part(15, 5, null)])
    expect(without(parts, 0, 7)).toEqual([part(7, 8, 102), part(15, 5, null)])
  })
})
