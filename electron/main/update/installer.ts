/** How a checked package takes the place of the program that runs. */
import { statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceAppImage } from '#client/update/replace-appimage'
import { beginTrial, endWithPrevious } from '#client/update/trial'
import type { UpdateNote, UpdateNotes } from '#client/update/update-note'
import type { Ready } from '#client/update/updater'
import { err, ok, type Result } from '#shared/result'
import { type UpdateError, updateError } from '#shared/update/update-error'

/** The way in which one kind of package is installed. */
export interface Installer {
  /** What has to be done while the app still runs; called once a package is ready. */
  prepare(ready: Ready): Promise<Result<null, UpdateError>>
  /**
   * Just before the app ends, or before it ends to start again. `mayEnd` is asked behind what takes time: while
   * it says no, nothing is started, and what is left is done by the next call.
   */
  install(
    ready: Ready,
    restarts: boolean,
    mayEnd: () => boolean,
  ): Promise<Result<null, UpdateError>>
}

type Place = {
  /** Where the AppImage is. */
  readonly appImage: string
  /** Absolute; the previous version is kept in there. */
  readonly directory: string
  readonly notes: UpdateNotes
  /** The one that runs. */
  readonly version: string
  readonly now: () => number
  /** Starts the program at this place when this one has ended. */
  readonly relaunch: (program: string) => void
}

/** Differs between a file and another one that takes its place; '' for none. */
function identityOf(path: string): string {
  const status = statSync(path, { throwIfNoEntry: false })
  return status === undefined ? '' : [status.dev, status.ino, status.size, status.mtimeMs].join()
}

const keptAs = 'previous.AppImage'

/** The installer of an AppImage, which nothing has to be prepared for. */
export class AppImageInstaller implements Installer {
  readonly #place: Place
  /** The file that this process was started from. */
  readonly #started: string
  /** A newer version stands there by now; what comes after that one is its own business. */
  #isReplaced = false

  constructor(place: Place) {
    this.#place = place
    this.#started = identityOf(place.appImage)
  }

  prepare(): Promise<Result<null, UpdateError>> {
    return Promise.resolve(ok(null))
  }

  async install(
    ready: Ready,
    restarts: boolean,
    mayEnd: () => boolean,
  ): Promise<Result<null, UpdateError>> {
    if (!this.#isReplaced) {
      const replaced = await this.#replace(ready)
      if (!replaced.ok) return replaced
      this.#isReplaced = true
    }
    if (restarts && mayEnd()) this.#place.relaunch(this.#place.appImage)
    return ok(null)
  }

  async #replace({ path, manifest }: Ready): Promise<Result<null, UpdateError>> {
    const { appImage, directory, notes, version, now } = this.#place
    const wanted = { path, sha512: manifest.sha512 }
    // Another profile's app, or the person, may have put a newer version there, and this one was judged without it.
    const isOurs = (): boolean => identityOf(appImage) === this.#started
    const replaced = await replaceAppImage(appImage, wanted, join(directory, keptAs), isOurs)
    if (!replaced.ok) return replaced
    await beginTrial(notes, manifest.version, { version, sha512: replaced.value }, now())
    await rm(path, { force: true }).catch(() => undefined)
    return ok(null)
  }

  /** Puts the previous version back, and starts it when this one has ended. */
  async goBack({
    sha512,
  }: NonNullable<UpdateNote['previous']>): Promise<Result<null, UpdateError>> {
    const { appImage, directory, notes, version, relaunch } = this.#place
    const kept = join(directory, keptAs)
    const given = join(directory, 'given-up.AppImage')
    const replaced = await replaceAppImage(appImage, { path: kept, sha512 }, given)
    if (!replaced.ok) {
      const { code, detail } = replaced.error
      return err(updateError(code, `going back: ${detail}`))
    }
    await endWithPrevious(notes, version)
    await Promise.all([kept, given].map((path) => rm(path, { force: true })))
    relaunch(appImage)
    return ok(null)
  }

  /** Removes a previous version whose time is over. */
  async tidy(): Promise<void> {
    const { directory, notes, now } = this.#place
    const { previous } = notes.read()
    if (previous !== null && now() < previous.untilMs) return
    if (previous !== null) await notes.change({ previous: null })
    await rm(join(directory, keptAs), { force: true })
  }
}
