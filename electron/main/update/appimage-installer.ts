import { statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { replaceAppImage } from '#client/update/replace-appimage'
import { ok } from '#shared/result'
import type { Install } from './installer'

/** Identifies a file, so that a replacement is noticed; '' if there is none. */
function identityOf(path: string): string {
  const status = statSync(path, { throwIfNoEntry: false })
  return status === undefined ? '' : [status.dev, status.ino, status.size, status.mtimeMs].join()
}

/**
 * Replaces the AppImage at `place`, which this app was started from. The library would remove it before the new one has
 * its name. `relaunch` starts a program once this process has ended.
 */
export function installAppImage(place: string, relaunch: (program: string) => void): Install {
  const started = identityOf(place)
  // Another profile's app, or the person, may have put a newer version there, which this update was not compared with.
  const isOurs = (): boolean => identityOf(place) === started
  let isReplaced = false
  return async ({ path, feed }, restarts, mayEnd) => {
    if (!isReplaced) {
      const [{ sha512 }] = feed.files
      const replaced = await replaceAppImage(place, { path, sha512 }, isOurs)
      if (!replaced.ok) return replaced
      isReplaced = true
      await rm(path, { force: true }).catch(() => undefined)
    }
    if (restarts && mayEnd()) relaunch(place)
    return ok(null)
  }
}
