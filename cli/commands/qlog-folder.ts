/** Looks at the folder of `--qlog` before anything is connected: later nobody would notice. */
import { accessSync, constants, lstatSync, mkdirSync } from 'node:fs'

/**
 * Why no log can be written to `path`, which is made when it is missing; `null` when it seems to be possible. A link
 * is refused, as by the engine: it could lead anywhere by then.
 */
export function whyNoLogFolder(path: string): string | null {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    const status = lstatSync(path)
    if (status.isSymbolicLink()) return 'ELOOP'
    if (!status.isDirectory()) return 'ENOTDIR'
    accessSync(path, constants.W_OK | constants.X_OK)
    return null
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  }
}
