/** Checks the folder of a receive before connecting. */
import { constants } from 'node:fs'
import { access, lstat, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type AppError, appError } from '#shared/errors'

/** The file system calls of the check; tests replace them. */
export type Files = {
  /** Rejects if nothing is there, or only a dangling link. */
  readonly isFolder: (path: string) => Promise<boolean>
  readonly isLink: (path: string) => Promise<boolean>
  /** Rejects if this account can't create anything in the folder. */
  readonly checkWritable: (path: string) => Promise<void>
}

const system: Files = {
  isFolder: async (path) => (await stat(path)).isDirectory(),
  isLink: (path) =>
    lstat(path).then(
      (status) => status.isSymbolicLink(),
      () => false,
    ),
  checkWritable: (path) => access(path, constants.W_OK | constants.X_OK),
}

/**
 * Returns why nothing can be written below `directory`, which need not exist yet, or `null` if it
 * seems possible. Error: `E_TARGET_NOT_WRITABLE`.
 */
export async function checkTarget(
  directory: string,
  files: Files = system,
): Promise<AppError | null> {
  for (let path = resolve(directory); ; path = dirname(path)) {
    const isFolder = await files.isFolder(path).catch(() => null)
    if (isFolder === false) {
      return appError('E_TARGET_NOT_WRITABLE', 'ENOTDIR', path)
    }
    if (isFolder === null && (await files.isLink(path))) {
      return appError('E_TARGET_NOT_WRITABLE', 'a link that leads nowhere', path)
    }
    if (isFolder === null && path !== dirname(path)) continue
    return files.checkWritable(path).then(
      () => null,
      (reason: unknown) => appError('E_TARGET_NOT_WRITABLE', codeOf(reason), resolve(directory)),
    )
  }
}

const codeOf = (reason: unknown): string =>
  reason instanceof Error && 'code' in reason ? String(reason.code) : ''
