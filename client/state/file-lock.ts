/** One program at a time, among those that ask for the same lock. */
import { randomBytes } from 'node:crypto'
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

/** A holder works for milliseconds; one that seems to work so long was stopped or is elsewhere. */
const staleAfterMs = 30_000

const retryMs = 10

/** Beyond the time after which a forgotten lock is taken away. */
const patienceMs = 45_000

/**
 * Runs `work` while the file `path` says that this program holds the lock. Rejects with what `work`
 * throws or the system says, and when the lock does not become free.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  await acquire(path)
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

async function acquire(path: string): Promise<void> {
  const owner = JSON.stringify({ pid: process.pid, host: hostname() })
  const giveUpAt = performance.now() + patienceMs
  for (;;) {
    try {
      await writeFile(path, owner, { flag: 'wx', mode: 0o600 })
      return
    } catch (reason) {
      const { code } = reason as NodeJS.ErrnoException
      // On Windows a file that is just being deleted is denied.
      if (code !== 'EEXIST' && !(code === 'EPERM' && process.platform === 'win32')) throw reason
    }
    if (performance.now() > giveUpAt) throw new Error(`${path} is held by another program`)
    if (await isStale(path)) await takeAway(path)
    else await pause(retryMs)
  }
}

/** True when its owner can no longer release it. */
async function isStale(path: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(path)
    if (Math.abs(Date.now() - mtimeMs) > staleAfterMs) return true
    const owner: unknown = JSON.parse(await readFile(path, 'utf8'))
    return isEnded(owner as { readonly pid?: unknown; readonly host?: unknown })
  } catch {
    // Gone meanwhile, or just being written.
    return false
  }
}

function isEnded({ pid, host }: { readonly pid?: unknown; readonly host?: unknown }): boolean {
  if (typeof pid !== 'number' || host !== hostname()) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (reason) {
    return (reason as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/**
 * Two programs may find the same stale lock, and the slower of them would take the new lock of the
 * faster: what was moved away is looked at again, and put back if it is in use.
 */
async function takeAway(path: string): Promise<void> {
  const aside = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await rename(path, aside)
    if (await isStale(aside)) await rm(aside, { force: true })
    else await rename(aside, path)
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).code !== 'ENOENT') throw reason
  }
}
