/** A private copy of a package, for a program of the system that only takes files. */
import { rm } from 'node:fs/promises'
import { diskError } from '#client/update/download'
import { copyHashed } from '#client/update/hash-file'
import type { Ready } from '#client/update/updater'
import { err, ok, type Result } from '#shared/result'
import { type UpdateError, updateError } from '#shared/update/update-error'

/** Copies what is ready to `to`, in place of what is there, and checks that copy. Error: nothing is there. */
export async function checkedCopy(
  { path, manifest }: Pick<Ready, 'path' | 'manifest'>,
  to: string,
  mode: number,
): Promise<Result<null, UpdateError>> {
  try {
    await rm(to, { force: true })
    if ((await copyHashed(path, to, mode)) === manifest.sha512) return ok(null)
    await rm(to, { force: true })
    return err(updateError('E_UPDATE_DAMAGED', 'changed since it was downloaded'))
  } catch (reason) {
    await rm(to, { force: true }).catch(() => undefined)
    return err(diskError(reason))
  }
}
