/** A small file of this account, read within bounds, and replaced completely or not at all. */
import { constants } from 'node:fs'
import { closeSync, fchmodSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { writeDurably } from '#client/state/durable-file'
import { isOwn } from '#client/state/private-directory'
import { renameWithRetry } from '#client/state/rename-with-retry'

/** Never blocks on a pipe at that path, and never follows a link. */
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** The code of `readPrivately` for a file of another account. */
const foreign = 'FOREIGN'

/** The kind of error for an error code of `readPrivately`. */
export function storageErrorKind(code: string | undefined): 'unsafe' | 'inaccessible' | 'damaged' {
  if (code === 'ELOOP' || code === foreign) return 'unsafe'
  return code === undefined || code === 'EISDIR' ? 'damaged' : 'inaccessible'
}

/** Throws the system's error, `FOREIGN` for another account's file, or an error without a code for an unusable one. */
export function readPrivately(path: string, maxBytes: number): Buffer {
  const file = openItself(path)
  try {
    const status = fstatSync(file)
    if (!status.isFile()) throw new Error('not a file')
    if (status.size > maxBytes) throw new Error(`larger than ${maxBytes} bytes`)
    if (!isOwn(status)) throw Object.assign(new Error('of another account'), { code: foreign })
    if (process.platform !== 'win32' && (status.mode & 0o077) !== 0) fchmodSync(file, 0o600)
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

function openItself(path: string): number {
  try {
    return openSync(path, readFlags)
  } catch (reason) {
    const { code } = reason as NodeJS.ErrnoException
    // The system's text, "too many symbolic links", would be misleading.
    throw code === 'ELOOP' ? Object.assign(new Error('it is a link'), { code }) : reason
  }
}

/**
 * Replaces the file at `path` in `directory`, readable by this account only. Resolves when it is on disk. Rejects with
 * the system's error and keeps the old file. `beforeRename` may move that away.
 */
export async function replacePrivately(
  directory: string,
  path: string,
  text: string,
  beforeRename: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const temporary = `${path}.tmp`
  try {
    // An interrupted write may have left this file.
    await rm(temporary, { force: true, recursive: true })
    await writeDurably(temporary, text, 0o600)
    await beforeRename()
    await renameWithRetry(temporary, path)
  } catch (reason) {
    await rm(temporary, { force: true })
    throw reason
  }
  await syncDirectory(directory)
}

/** Makes a rename durable; Windows neither needs nor allows it. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
