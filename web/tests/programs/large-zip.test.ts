/** A ZIP file that needs ZIP64 for the number of its entries. Other programs need some time for them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { zipOf } from '../../storage/zip'
import { check, file, listed, writeSparse } from '../zip-files'

describe('a large ZIP file', { tags: ['full'], timeout: 300_000 }, () => {
  let folder: string
  let path: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'thru-zip-'))
    path = join(folder, 'all.zip')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('has more entries than two bytes can count', async () => {
    const count = 66_000
    const files = Array.from({ length: count }, (_, at) => file(`many/${at}.txt`, `${at}`))
    await writeSparse(path, await zipOf(files, []))
    check(path)
    const { sizes, texts } = listed(path)
    expect(Object.keys(sizes)).toHaveLength(count)
    expect(texts[`many/${count - 1}.txt`]).toBe(`${count - 1}`)
  })
})
