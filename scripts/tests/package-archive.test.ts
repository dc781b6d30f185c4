import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { folderOfTest } from '#client/testing/temporary-folder'
import { integrityOf } from '../deps/node-runtime.mjs'
import { packTarXz, sourceDate } from '../package/archive.mjs'

let dir: string

beforeEach(() => {
  dir = folderOfTest()
})

/** Packs a small folder whose files were written in this order, with this mode and time. */
async function packed(place: string, names: readonly string[], mode: number, time: number) {
  const folder = join(dir, place, 'thing-1.0')
  mkdirSync(join(folder, 'bin'), { recursive: true })
  for (const name of names) {
    writeFileSync(join(folder, 'bin', name), name)
    chmodSync(join(folder, 'bin', name), mode)
    utimesSync(join(folder, 'bin', name), time, time)
  }
  const file = join(dir, `${place}.tar.xz`)
  await packTarXz({ folder, file, date: 1_700_000_000, log: join(dir, 'log') })
  return file
}

describe.skipIf(process.platform !== 'linux')('an archive', () => {
  it('has the same bytes for the same files, whatever their times and modes', async () => {
    const one = await packed('one', ['a', 'b'], 0o700, 1_000_000)
    const other = await packed('other', ['b', 'a'], 0o755, 2_000_000)
    expect(integrityOf(readFileSync(one))).toBe(integrityOf(readFileSync(other)))
  })

  it('has the given time, root as owner, and modes that let all users read', async () => {
    const file = await packed('one', ['a'], 0o700, 1_000_000)
    const listed = execFileSync('tar', ['-tvf', file, '--numeric-owner', '--utc'], {
      encoding: 'utf8',
    })
    expect(listed.trim().split('\n')).toEqual([
      'drwxr-xr-x 0/0               0 2023-11-14 22:13 thing-1.0/',
      'drwxr-xr-x 0/0               0 2023-11-14 22:13 thing-1.0/bin/',
      '-rwxr-xr-x 0/0               1 2023-11-14 22:13 thing-1.0/bin/a',
    ])
  })
})

describe('the time in packages', () => {
  it('is what SOURCE_DATE_EPOCH says', () => {
    expect(sourceDate({ SOURCE_DATE_EPOCH: '1700000000' })).toBe(1_700_000_000)
  })

  it.each(['', 'yesterday', '-1', '1e9'])('is not "%s"', (value) => {
    expect(() => sourceDate({ SOURCE_DATE_EPOCH: value })).toThrow('must be seconds since 1970')
  })
})
