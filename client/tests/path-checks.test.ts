import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { systemClock } from '#client/clock'
import { PathChecks } from '#client/path-checks'
import { sourceChecks } from '#client/session/share/source-checks'
import { ManualClock } from '#client/testing/manual-clock'
import { folderOfFile } from '#client/testing/temporary-folder'
import type { AppError } from '#shared/errors'

const folder = folderOfFile()

describe('a check of sources', () => {
  it('keeps the order of usable sources and reports why others are not', async () => {
    const file = join(folder, 'file')
    const inner = join(folder, 'inner')
    const missing = join(folder, 'missing')
    const below = join(file, 'below')
    const pipe = join(folder, 'pipe')
    writeFileSync(file, '')
    mkdirSync(inner)
    execFileSync('mkfifo', [pipe])
    const checked = await sourceChecks(systemClock).check([inner, missing, file, pipe, below])
    expect(checked.usable).toEqual([inner, file])
    expect(checked.problems.map(({ path, error }) => [path, error.code])).toEqual([
      [missing, 'E_PATH_NOT_FOUND'],
      [pipe, 'E_PATH_UNSUPPORTED'],
      [below, 'E_PATH_NOT_FOUND'],
    ])
  })

  it.skipIf(process.getuid?.() === 0)('reports unreadable files', async () => {
    const secret = join(folder, 'secret')
    writeFileSync(secret, '')
    chmodSync(secret, 0)
    const checked = await sourceChecks(systemClock).check([secret])
    expect(checked.problems[0]?.error.code).toBe('E_PATH_UNREADABLE')
  })
})

/** Checks in which paths below `/dead` wait for `answer`. */
function rig() {
  const clock = new ManualClock()
  const checkedPaths: string[] = []
  const hanging: ((error: AppError | null) => void)[] = []
  const check = (path: string): Promise<AppError | null> => {
    checkedPaths.push(path)
    return path.startsWith('/dead')
      ? new Promise((resolve) => hanging.push(resolve))
      : Promise.resolve(null)
  }
  const checks = new PathChecks(clock, { check, maxUnanswered: 2, timeoutMs: 20_000 })
  const answer = (): void => {
    for (const resolve of hanging.splice(0)) resolve(null)
  }
  return { clock, checks, checkedPaths, answer }
}

const dead = ['/dead/a', '/dead/b', '/dead/c', '/dead/d']

describe('a disk that does not respond', () => {
  it('is tried twice at a time, and delays no other source', async () => {
    const { clock, checks, checkedPaths } = rig()
    const checked = checks.check([...dead, '/home/good', '/home/better'])
    await clock.untilDelay(20_000)
    // Two other folders are checked before the dead one gets another thread.
    while (!checkedPaths.includes('/dead/b')) await Promise.resolve()
    expect(checkedPaths).toEqual(['/dead/a', '/home/good', '/home/better', '/dead/b'])
    clock.advance(20_000)
    const { usable, problems } = await checked
    expect(usable).toEqual(['/home/good', '/home/better'])
    expect(problems.map(({ path, error }) => [path, error.code])).toEqual(
      dead.map((path) => [path, 'E_DISK_IO']),
    )
    expect(checkedPaths).toHaveLength(4)
  })

  it('leaves later sources to the engine until it responds', async () => {
    const { clock, checks, checkedPaths, answer } = rig()
    const first = checks.check(dead)
    clock.advance(20_000)
    await first
    const later = await checks.check(['/dead/e', '/home/good'])
    expect(later.usable).toEqual(['/home/good'])
    expect(later.problems).toMatchObject([{ path: '/dead/e', error: { code: 'E_DISK_IO' } }])
    expect(checkedPaths).toEqual(['/dead/a', '/dead/b'])
    answer()
    await Promise.resolve()
    await Promise.resolve()
    expect((await checks.check(['/home/good'])).usable).toEqual(['/home/good'])
    expect(checkedPaths).toEqual(['/dead/a', '/dead/b', '/home/good'])
  })
})
