/** Puts a new AppImage in the place of the one that runs: at every moment a whole one stands there. */
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { open, readdir, realpath, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { copyHashed } from '#client/update/hash-file'
import { updateErrorOf } from '#client/update/refusal'
import { err, ok, type Result } from '#shared/result'
import { type UpdateError, updateError } from '#shared/update/update-error'

/** What an end in the middle leaves beside the AppImage; the next replacement removes it. */
const temporaryName = (target: string): string => `.${basename(target)}.new-`

/** Every AppImage of type 2 has these bytes behind the first eight, which are those of an ELF file. */
const magic = Buffer.from([0x41, 0x49, 0x02])
const magicAt = 8

/** A SHA-512 in base64 and the file that has it. */
export type Checked = { readonly path: string; readonly sha512: string }

/**
 * Gives `target` the content of `wanted`, if that still has its hash: a private copy beside the target is
 * checked, and takes its name by one rename. `isWanted` says, also right before that rename, whether what
 * stands there is what is to be replaced. Error: nothing has changed.
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
    // The environment says which file it is, and must not talk us into replacing any other program.
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
