import { execFileSync } from 'node:child_process'
import { mkdtempSync, openAsBlob, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 as zlibCrc32 } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crc32 } from '../storage/crc32'
import { check, entry, file, hasUnzip, listed, pack, unzip, writeSparse } from './zip-files'

describe('a ZIP file', () => {
  let folder: string
  let path: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'thru-zip-'))
    path = join(folder, 'all.zip')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each([true, false])('has every file and folder under its own name', async (hasCopies) => {
    const large = new Blob([new Uint8Array(2 << 20).fill(7)])
    const zip = await pack(
      [
        file('album/휴가 🏖.txt', 'holiday'),
        file('album/a?.txt', 'question'),
        file('album/A*.txt', 'star'),
        file('album/large.bin', large),
        file('album/empty.txt', ''),
      ],
      [entry('folder', 'album', 0), entry('folder', 'album/nothing', 0)],
      hasCopies,
    )
    await writeSparse(path, zip)
    check(path)
    const { bad, names, sizes, texts } = listed(path)
    expect(bad).toBeNull()
    expect(sizes['album/large.bin']).toBe(large.size)
    expect(names.slice(0, 2)).toEqual(['album/', 'album/nothing/'])
    expect(texts).toEqual({
      'album/': '',
      'album/nothing/': '',
      'album/휴가 🏖.txt': 'holiday',
      'album/a_.txt': 'question',
      // Some systems don't distinguish upper and lower case.
      'album/A_ (2).txt': 'star',
      'album/empty.txt': '',
    })
  })

  it.skipIf(!hasUnzip)('has the time and the mode of each entry', async () => {
    const old = { ...entry('file', 'old.txt', 0), modifiedMs: Date.UTC(1975, 10, 5) }
    const files = [file('a.txt', 'a'), { entry: old, content: new Blob() }]
    await writeSparse(path, await pack(files, [entry('folder', 'b', 0)]))
    const env = { ...process.env, TZ: 'UTC' }
    const lines = execFileSync(unzip, ['-Z', '-T', path], { encoding: 'utf8', env }).split('\n')
    const found = lines.filter((line) => / (a|old)\.txt$| b\/$/.test(line))
    expect(found).toHaveLength(3)
    expect(found[0]).toMatch(/^drwxr-xr-x .* 20240506\.070809 b\/$/)
    expect(found[1]).toMatch(/^-rw-r--r-- .* 20240506\.070809 a\.txt$/)
    expect(found[2]).toMatch(/ 19751105\.000000 old\.txt$/)
  })

  // Other programs need some time for them.
  it(
    'has more entries than two bytes can count',
    { tags: ['full'], timeout: 300_000 },
    async () => {
      const count = 66_000
      const files = Array.from({ length: count }, (_, at) => file(`many/${at}.txt`, `${at}`))
      await writeSparse(path, await pack(files, []))
      check(path)
      const { sizes, texts } = listed(path)
      expect(Object.keys(sizes)).toHaveLength(count)
      expect(texts[`many/${count - 1}.txt`]).toBe(`${count - 1}`)
    },
  )

  it('reports the bytes that it has read', async () => {
    const content = new Blob([new Uint8Array(9 << 20)])
    const read: number[] = []
    await pack([file('a', content), file('b', 'b')], [], true, (bytes) => read.push(bytes))
    expect(read.at(-1)).toBe(content.size + 1)
    expect(read.length).toBeGreaterThan(2)
  })

  it('fails if a file can not be read', async () => {
    const changed = join(folder, 'changed.txt')
    writeFileSync(changed, 'before')
    const content = await openAsBlob(changed)
    writeFileSync(changed, 'afterwards')
    await expect(pack([file('changed.txt', content)], [])).rejects.toThrow('could not be read')
  })
})

describe('a CRC-32', () => {
  it('is that of zlib, whatever the length and the pieces', () => {
    const bytes = Uint8Array.from({ length: 100 }, (_, at) => (at * 37) ^ (at >> 2))
    for (let length = 0; length <= bytes.length; length += 1)
      for (const cut of [0, 1, 7, 8, 50]) {
        const first = crc32(bytes.subarray(0, Math.min(cut, length)))
        const sum = crc32(bytes.subarray(Math.min(cut, length), length), first)
        expect(sum).toBe(zlibCrc32(bytes.subarray(0, length)))
      }
  })
})
