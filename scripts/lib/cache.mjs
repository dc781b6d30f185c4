// Cache paths and keys for builds that outlive a checkout, and a lock between builders.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** The checkout's root folder. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** The user's cache folder for this project. */
export const cacheRoot = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'thruflux')

/** SHA-256 in hex of the given strings or buffers, each framed by its length. */
export function hashOf(...parts) {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${part.length}:`).update(part)
  return hash.digest('hex')
}

/** SHA-256 in hex of a file's bytes, as `sha256sum` prints it. */
export function hashOfFile(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

/** Writes a file atomically: readers see either the old or the new content. */
export function writeAtomically(file, content, options) {
  mkdirSync(dirname(file), { recursive: true })
  const partial = `${file}.${process.pid}.tmp`
  writeFileSync(partial, content, options)
  renameSync(partial, file)
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function holderOf(file) {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** Runs `work` while holding the lock `file`; waits for a live holder, takes over from a dead one. */
export async function withLock(file, work) {
  mkdirSync(dirname(file), { recursive: true })
  for (let announced = false; ;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' })
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    const holder = holderOf(file)
    if (holder && !isAlive(holder)) {
      // Renaming first lets exactly one of several waiters remove the dead holder's file.
      const stale = `${file}.${process.pid}.stale`
      try {
        renameSync(file, stale)
        rmSync(stale)
      } catch (error) {
        if (error.code !== 'ENOENT') throw error
      }
      continue
    }
    if (!announced)
      console.log(`  waiting for process ${holder ?? '?'}, which runs the same step ...`)
    announced = true
    await delay(250)
  }
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}
