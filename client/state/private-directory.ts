/** A folder in which only this account reads and writes. */
import { chmodSync, mkdirSync, type Stats, statSync } from 'node:fs'

const sticky = 0o1000
const others = 0o077

/** True for what belongs to this account; always where accounts have no numbers. */
export const isOwn = ({ uid }: Pick<Stats, 'uid'>): boolean =>
  process.getuid === undefined || uid === process.getuid()

/**
 * Why `path` must not hold secrets, or `null` when it may; the permissions of a folder of this account
 * are corrected. A link counts as the folder that it leads to. Throws what the system says, for
 * example `ENOENT` unless it may `create` the folder.
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
