/** Replaces the running AppImage; a complete one exists at every moment. */
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { open, readdir, realpath, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { copyHashed } from '#client/update/hash-file'
import { updateErrorOf } from '#client/update/refusal'
import { err, ok, type Result } from '#shared/result'
import { type UpdateError, updateError } from '#shared/update/update-error'

/** A file that an interrupted replacement leaves next to the AppImage; the next replacement removes it. */
const temporaryName = (target: string): string => `.${basename(target)}.new-`

/** Every type 2 AppImage has these bytes after the first eight of its ELF header. */
const magic = Buffer.from([0x41, 0x49, 0x02])
const magicAt = 8

/** A file with the SHA-512 it had, in base64. */
export type Checked = { readonly path: string; readonly sha512: string }

/**
 * Replaces `target` with `wanted` if that still has its hash. A private copy next to the target is verified and renamed
 * over it. `isWanted` confirms, also right before the rename, that the target may be replaced. On error, nothing has
 * changed.
 */
export async function replaceAppImage(
  target: string,
  wanted: Checked,
  isWanted: () => boolean = () => true,
): Promise<Result<null, UpdateError>> {
  const isOther = () => err(updateError('E_UPDATE_INSTALL', 'another AppImage has taken its place'))
  if (!isWanted()) return isOther()
  let copy: string | null = null
  try {
    const place = await realpath(target)
    const directory = dirname(place)
    // The environment names the file, and must not trick us into replacing any other program.
    if (!(await isAppImage(place))) {
      return err(updateError('E_UPDATE_NOT_WRITABLE', 'no AppImage at its place'))
    }
    await removeLeft(directory, temporaryName(place))
    copy = join(directory, temporaryName(place) + randomBytes(8).toString('hex'))
    if ((await copyHashed(wanted.path, copy, 0o755)) !== wanted.sha512) {
      return err(updateError('E_UPDATE_DAMAGED', 'changed since it was downloaded'))
    }
    if (!isWanted()) return isOther()
    await rename(copy, place)
    copy = null
    await syncFolder(directory)
    return ok(null)
  } catch (reason) {
    return err(updateErrorOf(reason, 'E_UPDATE_NOT_WRITABLE'))
  } finally {
    if (copy !== null) await rm(copy, { force: true }).catch(() => undefined)
  }
}

async function isAppImage(path: string): Promise<boolean> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    if (!(await file.stat()).isFile()) return false
    const { buffer } = await file.read(Buffer.alloc(magic.length), 0, magic.length, magicAt)
    return buffer.equals(magic)
  } finally {
    await file.close()
  }
}

async function removeLeft(directory: string, prefix: string): Promise<void> {
  const left = (await readdir(directory)).filter((name) => name.startsWith(prefix))
  await Promise.all(left.map((name) => rm(join(directory, name), { force: true })))
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
