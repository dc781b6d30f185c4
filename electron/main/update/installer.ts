/** Replaces the running program with a verified package. */
import type { BaseUpdater, MacUpdater } from 'electron-updater'
import { hashFile } from '#client/update/hash-file'
import { updateErrorOf } from '#client/update/refusal'
import { err, ok, type Result } from '#shared/result'
import { type UpdateError, updateError } from '#shared/update/update-error'
import type { Ready } from './updater'

/**
 * Installs a ready package just before the app ends or restarts. `mayEnd` is queried after slow steps: while it returns
 * false, nothing is started, and the next call does the rest.
 */
export type Install = (
  ready: Ready,
  restarts: boolean,
  mayEnd: () => boolean,
) => Promise<Result<null, UpdateError>>

/** Starts the Windows installer, which requests administrator rights if needed. */
export const installOnWindows =
  (library: Pick<BaseUpdater, 'install'>): Install =>
  async ({ path, feed }, restarts, mayEnd) => {
    try {
      const [{ sha512 }] = feed.files
      if ((await hashFile(path)) !== sha512) {
        return err(updateError('E_UPDATE_DAMAGED', 'changed since it was downloaded'))
      }
    } catch (reason) {
      return err(updateErrorOf(reason, 'E_UPDATE_NOT_WRITABLE'))
    }
    if (!mayEnd()) return ok(null)
    const isStarted = library.install(true, restarts)
    return isStarted ? ok(null) : err(updateError('E_UPDATE_INSTALL', 'it was not started'))
  }

/** Squirrel already has the downloaded package, and installs it when the app ends. */
export const installOnMac =
  (library: Pick<MacUpdater, 'quitAndInstall'>): Install =>
  (_, restarts, mayEnd) => {
    if (restarts && mayEnd()) library.quitAndInstall()
    return Promise.resolve(ok(null))
  }
