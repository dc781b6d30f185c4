/** Checks a qlog folder before connecting, because a later failure would go unnoticed. */
import { accessSync, constants, lstatSync, mkdirSync } from 'node:fs'

/**
 * Returns why no log can be written to `path`, or `null` if it seems possible. Creates a missing
 * folder. Like the engine, it refuses a link, whose target could change.
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
