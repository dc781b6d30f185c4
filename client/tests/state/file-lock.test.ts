import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { withFileLock } from '#client/state/file-lock'
import { folderOfTest } from '#client/testing/temporary-folder'

let folder: string
let path: string
beforeEach(() => {
  folder = folderOfTest()
  path = join(folder, 'a.lock')
})

/** The id of a process that has ended. */
const { pid } = spawnSync(process.execPath, ['-e', ''])

const forget = (): void => writeFileSync(path, JSON.stringify({ pid, host: hostname() }))

describe('a lock', () => {
  it('has one owner, however many programs find it stale', async () => {
    let owners = 0
    let most = 0
    const own = async (): Promise<void> => {
      owners += 1
      most = Math.max(most, owners)
      await new Promise((resolve) => setImmediate(resolve))
      owners -= 1
    }
    for (let round = 0; round < 5; round += 1) {
      forget()
      await Promise.all(Array.from({ length: 8 }, () => withFileLock(path, own)))
    }
    expect(most).toBe(1)
    expect(readdirSync(folder)).toEqual([])
  })

  it('is taken from a program that was killed before it wrote its name', async () => {
    writeFileSync(path, '')
    // A clock that is ahead prevents the lock from aging out during this test.
    const soon = new Date(Date.now() + 25_000)
    utimesSync(path, soon, soon)
    await withFileLock(path, () => Promise.resolve())
    expect(readdirSync(folder)).toEqual([])
  })

  it('is not released by a program that has lost it', async () => {
    const other = JSON.stringify({ pid: process.pid, host: hostname(), id: 'other' })
    await withFileLock(path, () => {
      writeFileSync(path, other)
      return Promise.resolve()
    })
    expect(readFileSync(path, 'utf8')).toBe(other)
  })
})
