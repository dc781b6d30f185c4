/** A lock file that admits one program at a time. */
import { createHash, randomBytes } from 'node:crypto'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

/** A holder works for milliseconds; one that takes this long was stopped or is on another computer. */
const staleAfterMs = 30_000

/** The owner's name follows within milliseconds; a lock without one for this long was left by a killed program. */
const namelessAfterMs = 3000

const retryMs = 10

/** Longer than the age at which a stale lock is removed. */
const patienceMs = 45_000

/**
 * Runs `work` while the file `path` names this program as the lock's holder. Rejects with errors of `work` and of the
 * system, and if the lock does not become free.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const id = randomBytes(8).toString('hex')
  const owner = JSON.stringify({ pid: process.pid, host: hostname(), id })
  await acquire(path, owner)
  try {
    return await work()
  } finally {
    // A program that was stopped for long may have lost the lock.
    if ((await contentOf(path)) === owner) await rm(path, { force: true })
  }
}

async function acquire(path: string, owner: string): Promise<void> {
  const giveUpAt = performance.now() + patienceMs
  for (;;) {
    try {
      await writeFile(path, owner, { flag: 'wx', mode: 0o600 })
      // A program that was stopped before it wrote its name may have lost the lock.
      if ((await contentOf(path)) === owner) return
    } catch (reason) {
      const { code } = reason as NodeJS.ErrnoException
      // Windows denies access to a file that is being deleted.
      if (code !== 'EEXIST' && !(code === 'EPERM' && process.platform === 'win32')) throw reason
    }
    if (performance.now() > giveUpAt) throw new Error(`${path} is held by another program`)
    const stale = await staleMark(path)
    if (stale === null) await pause(retryMs)
    else await takeAway(path, stale)
  }
}

/** Identifies the current lock if its owner can no longer release it; else `null`. */
async function staleMark(path: string): Promise<string | null> {
  try {
    const { mtimeMs } = await stat(path)
    const content = await readFile(path, 'utf8')
    const ageMs = Math.abs(Date.now() - mtimeMs)
    const isLeft =
      ageMs > staleAfterMs ||
      (content === '' ? ageMs > namelessAfterMs : isEnded(JSON.parse(content) as Owner))
    if (!isLeft) return null
    return createHash('sha256').update(`${mtimeMs} ${content}`).digest('hex').slice(0, 16)
  } catch {
    // The lock was released meanwhile.
    return null
  }
}

const contentOf = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(() => null)

type Owner = { readonly pid?: unknown; readonly host?: unknown }

function isEnded({ pid, host }: Owner): boolean {
  if (typeof pid !== 'number' || host !== hostname()) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (reason) {
    return (reason as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/**
 * Several programs may find the same stale lock, and a slow one could remove the new lock of a fast one. So one at a
 * time may remove this lock, after checking it again.
 */
const takeAway = (path: string, stale: string): Promise<void> =>
  withFileLock(`${path}.${stale}`, async () => {
    if ((await staleMark(path)) === stale) await rm(path, { force: true })
  })
