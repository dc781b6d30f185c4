/** A small file of this account: read within bounds, and replaced as a whole or not at all. */
import { constants } from 'node:fs'
import { closeSync, fchmodSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { writeDurably } from '#client/state/durable-file'
import { renamePatiently } from '#client/state/patient-rename'
import { isOwn } from '#client/state/private-directory'

/** Never waits for a pipe in the file's place, never follows a link. */
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** The code of `readPrivately` for a file of another account. */
const foreign = 'FOREIGN'

/** What an error of `readPrivately` with this code means. */
export function troubleKind(code: string | undefined): 'unsafe' | 'inaccessible' | 'damaged' {
  if (code === 'ELOOP' || code === foreign) return 'unsafe'
  return code === undefined || code === 'EISDIR' ? 'damaged' : 'inaccessible'
}

/** Throws what the system says, and an error without a code for what is no file of ours. */
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
    // What the system says about it, "too many symbolic links", leads people astray.
    throw code === 'ELOOP' ? Object.assign(new Error('it is a link'), { code }) : reason
  }
}

/**
 * Replaces the file at `path` in `directory`, for this account only, and resolves when that is on the disk.
 * Rejects with what the system says; then the old file is there. `beforeRename` may move it away.
 */
export async function replacePrivately(
  directory: string,
  path: string,
  text: string,
  beforeRename: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const temporary = `${path}.tmp`
  try {
    // What an earlier program left half written is in the way.
    await rm(temporary, { force: true, recursive: true })
    await writeDurably(temporary, text, 0o600)
    await beforeRename()
    await renamePatiently(temporary, path)
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
