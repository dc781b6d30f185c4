/** The home folder of this account. */
import { homedir } from 'node:os'
import { isAbsolute, resolve } from 'node:path'

/**
 * An absolute path. An account that is only a number has no home folder. It gets the system's root, as in login shells,
 * where it has no files and can't keep any.
 */
export function homeFolder(ask: () => string = homedir): string {
  try {
    const home = ask()
    if (isAbsolute(home)) return home
  } catch {
    // The system has no home folder for this account.
  }
  return resolve('/')
}
