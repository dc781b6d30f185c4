// Times of files that are in a package, the same whenever it is made from the same commit.
import { lutimesSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Gives `folder` and everything below it this time, in seconds since 1970. */
export function evenTimes(folder, date) {
  for (const entry of readdirSync(folder, { recursive: true })) {
    lutimesSync(join(folder, String(entry)), date, date)
  }
  lutimesSync(folder, date, date)
}
