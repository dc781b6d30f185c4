// Packages that are the same from the same commit: every file has the commit's time and one of three modes.
import { chmodSync, lstatSync, lutimesSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../lib/cache.mjs'
import { capture } from '../../lib/run.mjs'

/** The time of the commit in seconds since 1970, or what SOURCE_DATE_EPOCH says. */
export function sourceDate() {
  const given = process.env.SOURCE_DATE_EPOCH
  return Number(given || capture('git', ['log', '-1', '--format=%ct'], { cwd: root }) || 0)
}

/** Evens out modes and times of everything below `folder`, and of itself. */
export function evenOut(folder, date = sourceDate()) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const found = lstatSync(path)
    if (found.isDirectory()) evenOut(path, date)
    else {
      if (!found.isSymbolicLink()) chmodSync(path, found.mode & 0o100 ? 0o755 : 0o644)
      lutimesSync(path, date, date)
    }
  }
  chmodSync(folder, 0o755)
  lutimesSync(folder, date, date)
}
