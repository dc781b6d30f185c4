/** The home folder of this account. */
import { homedir } from 'node:os'
import { isAbsolute, resolve } from 'node:path'

/**
 * An absolute path. Accounts that are only a number have no home folder; theirs is the system's root, as login shells
 * have it: nothing of theirs is found there, and nothing can be kept.
 */
export function homeFolder(ask: () => string = homedir): string {
  try {
    const home = ask()
    if (isAbsolute(home)) return home
  } catch {
    // The system knows of none.
  }
  return resolve('/')
}
