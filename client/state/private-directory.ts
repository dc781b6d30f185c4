/** Folders that only this account can read and write. */
import { chmodSync, mkdirSync, type Stats, statSync } from 'node:fs'

const sticky = 0o1000
const others = 0o077

/** True for a file of this account, and always on systems without user ids. */
export const isOwn = ({ uid }: Pick<Stats, 'uid'>): boolean =>
  process.getuid === undefined || uid === process.getuid()

/**
 * The reason why `path` must not hold secrets, or `null`. Corrects the permissions of this account's folders and
 * follows links. Throws the system's error, for example `ENOENT` unless it may `create` the folder.
 */
export function preparePrivateDirectory(
  path: string,
  whenMissing: 'create' | 'leave',
): string | null {
  if (whenMissing === 'create') mkdirSync(path, { recursive: true, mode: 0o700 })
  const status = statSync(path)
  if (!status.isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' })
  if (process.platform === 'win32') return null
  if (!isOwn(status)) return `the folder ${path} belongs to another account`
  if ((status.mode & sticky) !== 0) return `the folder ${path} is shared by all accounts`
  if ((status.mode & others) !== 0) chmodSync(path, 0o700)
  return null
}
