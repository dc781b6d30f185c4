// Sets the times of files in a package, the same for every build of a commit.
import { lutimesSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Sets this time, in seconds since 1970, on `folder` and everything below it. */
export function evenTimes(folder, date) {
  for (const entry of readdirSync(folder, { recursive: true })) {
    lutimesSync(join(folder, String(entry)), date, date)
  }
  lutimesSync(folder, date, date)
}
