import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { folderOfTest } from '#client/testing/temporary-folder'
import { applyPatches, patchTextOf } from '../deps/patches.mjs'

let folder: string
beforeEach(() => {
  folder = folderOfTest()
})

it('the patches of a library are read in the order of their names', () => {
  const text = patchTextOf('ngtcp2')
  const first = text.indexOf('Acknowledge packets behind hundreds of gaps.')
  expect(first).toBe(0)
  expect(text.indexOf('Distinguish late packets from lost ones.')).toBeGreaterThan(first)
})

it('a library without patches has no text and keeps its source', async () => {
  expect(patchTextOf('zlib')).toBe('')
  await expect(applyPatches('zlib', folder, join(folder, 'log'))).resolves.toBeUndefined()
})

it('a source that does not match the patches is refused', async () => {
  mkdirSync(join(folder, 'lib'))
  writeFileSync(join(folder, 'lib', 'ngtcp2_bbr.c'), 'int main(void) { return 0; }\n')
  await expect(applyPatches('ngtcp2', folder, join(folder, 'log'))).rejects.toThrow(
    'patching ngtcp2 failed',
  )
})
