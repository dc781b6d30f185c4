/**
 * Checks for updates periodically, and makes electron-updater download them while no data is in flight. The owner of
 * the program's place installs them.
 */
import { rmSync } from 'node:fs'
import { CancellationToken } from 'builder-util-runtime'
import type { AppUpdater, ProgressInfo } from 'electron-updater'
import type { Clock } from '#client/clock'
import { preparePrivateDirectory } from '#client/state/private-directory'
import { checkForUpdate } from '#client/update/check-for-update'
import type { FeedSource } from '#client/update/feed-source'
import { updateErrorOf } from '#client/update/refusal'
import { boundRequests } from '#client/update/requests'
import { lateness } from '#client/update/signed-feed'
import type { UpdateStore } from '#client/update/update-store'
import { err, ok, type Result } from '#shared/result'
import { type Channel, type Feed, updateLimits } from '#shared/update/feed'
import { type UpdateError, updateError } from '#shared/update/update-error'
import type { UpdatePhase, UpdateStatus } from '#shared/update/update-status'
import { compareVersions } from '#shared/update/version'
import { type LibraryOptions, openLibrary } from './library'

/** Keeps the program's start free of checks. */
const firstAfterMs = 60_000
const everyMs = 24 * 60 * 60 * 1000
/** Spreads the checks of installations that start together, such as in the morning at work. */
const jitterMs = 2 * 60 * 60 * 1000
/** The pause before a failed download is repeated. */
const againAfterMs = 60 * 60 * 1000
/** The minimum time between two checks that transfers had delayed. */
const pauseMs = 30_000

/** Dependencies of `Updater`. */
export type UpdaterOptions = Pick<LibraryOptions, 'kind' | 'app' | 'executor'> & {
  readonly source: FeedSource
  /** The running version. */
  readonly version: string
  readonly store: UpdateStore
  /** An absolute path; the folder for downloads. */
  readonly directory: string
  readonly clock: Clock
  /** Returns a number from 0 to 1, excluding 1. */
  readonly random: () => number
  /** The current settings. */
  readonly choice: () => { readonly automatic: boolean; readonly channel: Channel }
  readonly changed: (status: Pick<UpdateStatus, 'checkedMs' | 'phase'>) => void
}

/** A check and its download. */
type Work = {
  readonly stop: CancellationToken
  readonly isAsked: boolean
  readonly channel: Channel
}

/** A verified package. */
export type Ready = {
  readonly path: string
  readonly feed: Feed
  readonly channel: Channel
  /** True if a person requested it. */
  readonly isAsked: boolean
}

/** Each program has one; `start` begins its work, `close` ends it permanently. */
export class Updater {
  /** Downloads packages and starts installers. */
  readonly library: AppUpdater
  readonly #options: UpdaterOptions
  #phase: UpdatePhase = { kind: 'idle', newest: false }
  #ready: Ready | null = null
  /** A check that is delayed by a transfer. */
  #held: { readonly isAsked: boolean } | null = null
  /** The time when the last delayed check was resumed, in Unix milliseconds. */
  #continuedMs = 0
  #isBusy = false
  #isClosed = false
  #work: Work | null = null
  #cancelNext: () => void = () => undefined
  readonly #endRequests: () => void
  /** The limit of the server's next answer, in bytes. */
  #maxBytes: number = updateLimits.feedBytes

  constructor(options: UpdaterOptions) {
    this.#options = options
    const { executor, clock, source } = options
    this.#endRequests = boundRequests(executor, clock, () => this.#maxBytes)
    this.library = openLibrary({
      ...options,
      address: source.address,
      check: () => this.#checkFeed(),
      isAsked: () => this.#work?.isAsked === true || this.#ready?.isAsked === true,
    })
    // Errors outside of a call: an installer that doesn't start, or a package that Squirrel refuses.
    this.library.on('error', (reason) => {
      if (this.#work !== null || this.#ready === null) return
      this.giveUp()
      this.#set({ kind: 'failed', error: updateError('E_UPDATE_INSTALL', reason.message) })
    })
  }

  /** The package that is ready to install, which may have expired: see `evaluateReady`. */
  get ready(): Ready | null {
    return this.#ready
  }

  /**
   * The ready package if it is still valid, for a check right before installing: it may have expired, or the feed may
   * have withdrawn it. `null` if there is none.
   */
  evaluateReady(): Result<Ready, UpdateError> | null {
    const ready = this.#ready
    if (ready === null) return null
    const { store, clock } = this.#options
    const newest = store.read().published[ready.channel]
    const late = lateness(ready.feed, { nowMs: clock.now(), newest })
    return late === null ? ok(ready) : err(late)
  }

  /** Schedules automatic checks, unless they are turned off by then. */
  start(): void {
    const { store, clock, random, version } = this.#options
    const { checkedMs: last, found } = store.read()
    // The command may have found it without installing it, or the app ended before the installation.
    const isMissing = found !== null && compareVersions(found, version) > 0
    const sinceLast = last === null || isMissing ? everyMs : clock.now() - last
    // A clock that was set back must not delay a check for long.
    const wait = sinceLast < 0 ? 0 : Math.max(0, everyMs - sinceLast)
    this.#next(firstAfterMs + (wait === 0 ? 0 : wait + random() * jitterMs))
  }

  /** Drops a package that could not be installed; another check may bring it again. */
  giveUp(): void {
    // The library reuses an existing file as its download.
    if (this.#ready !== null) rmSync(this.#ready.path, { force: true })
    this.#ready = null
  }

  close(): void {
    this.#isClosed = true
    this.#cancelNext()
    this.#held = null
    this.#stop()
  }

  /** Checks now, on a person's request, or as soon as no data is in flight. */
  check(): void {
    if (!this.#isClosed) void this.#check(true)
  }

  /** Call it when transfers begin or end to move data. */
  setBusy(isBusy: boolean): void {
    if (isBusy === this.#isBusy) return
    this.#isBusy = isBusy
    if (isBusy) this.#stop()
    else this.#continue()
  }

  /** Follows changed settings: stops work that is no longer wanted. */
  follow(): void {
    if (this.#isClosed) return
    const { automatic, channel } = this.#options.choice()
    const [work, held, ready] = [this.#work, this.#held, this.#ready]
    const isWanted = work === null || (work.channel === channel && (work.isAsked || automatic))
    if (!isWanted) this.#stop()
    if (held?.isAsked === false && !automatic) this.#rest()
    if (ready !== null && ready.channel !== channel) {
      this.#ready = null
      this.#set({ kind: 'idle', newest: false })
      void this.#check(ready.isAsked)
    }
  }

  #stop(): void {
    this.#work?.stop.cancel()
    this.#endRequests()
  }

  /** Waits for the next check after checks were turned off; by then they may be wanted again. */
  #rest(): void {
    this.#held = null
    if (this.#phase.kind === 'waiting') this.#set({ kind: 'idle', newest: false })
    this.#next(everyMs)
  }

  /** Resumes a delayed check, at a limited rate when transfers keep starting and ending. */
  #continue(): void {
    if (this.#held === null || this.#isBusy) return
    const now = this.#options.clock.now()
    const wait = Math.min(pauseMs, this.#continuedMs + pauseMs - now)
    if (wait > 0) {
      this.#next(wait)
      return
    }
    this.#continuedMs = now
    void this.#check(this.#held.isAsked)
  }

  #next(delayMs: number): void {
    this.#cancelNext()
    this.#cancelNext = this.#options.clock.after(delayMs, () => {
      void this.#check(this.#held?.isAsked === true)
    })
  }

  async #check(isAsked: boolean): Promise<void> {
    if (this.#work !== null || (isAsked && this.#ready !== null)) return
    if (this.#isBusy) {
      this.#held = { isAsked: isAsked || this.#held?.isAsked === true }
      return
    }
    const { automatic, channel } = this.#options.choice()
    // Checks may have been turned off while a transfer delayed this one.
    if (!isAsked && !automatic) {
      this.#rest()
      return
    }
    this.#held = null
    const work = { stop: new CancellationToken(), isAsked, channel }
    this.#work = work
    const before = this.#phase
    // A ready update is rechecked silently: there may be a newer one.
    if (this.#ready === null) this.#set({ kind: 'checking' })
    const done = await this.#bring(work)
    this.#work = null
    if (this.#isClosed) return
    if (work.stop.cancelled && this.#ready === null) this.#interrupted(isAsked, before)
    else this.#set(done.ok ? done.value : { kind: 'failed', error: done.error })
    const isLost = !done.ok && done.error.code === 'E_UPDATE_INTERRUPTED'
    const { random } = this.#options
    this.#next(isLost ? againAfterMs : everyMs + random() * jitterMs)
    // The transfer may be over already, or the channel may have changed.
    this.#continue()
    this.follow()
  }

  /** Handles a transfer that began, or a changed setting. */
  #interrupted(isAsked: boolean, before: UpdatePhase): void {
    this.#held = { isAsked }
    const version = 'version' in this.#phase ? this.#phase.version : null
    // A new download has replaced the ready one.
    const earlier: UpdatePhase = before.kind === 'ready' ? { kind: 'idle', newest: false } : before
    this.#set(version === null ? earlier : { kind: 'waiting', version })
  }

  /** The outcome of one check; the package is downloaded if it is `ready`. */
  async #bring(work: Work): Promise<Result<UpdatePhase, UpdateError>> {
    const before = this.#ready
    try {
      const found = await this.library.checkForUpdates()
      // The library returns the provider's feed unchanged.
      const feed = found?.updateInfo as unknown as Feed | undefined
      if (feed !== undefined && found?.isUpdateAvailable === true)
        return await this.#fetch(feed, work)
      this.#ready = null
      const isNewest = compareVersions(feed?.version ?? '', this.#options.version) <= 0
      return ok({ kind: 'idle', newest: isNewest })
    } catch (reason) {
      // An unreachable server withdraws nothing.
      if (before !== null && this.evaluateReady()?.ok === true) return ok(this.#phase)
      this.#ready = null
      return err(updateErrorOf(reason, 'E_UPDATE_UNREACHABLE'))
    }
  }

  #checkFeed(): Promise<Result<Feed, UpdateError>> {
    const { choice } = this.#options
    const stop = this.#work?.stop ?? new CancellationToken()
    return checkForUpdate({ ...this.#options, channel: choice().channel, stop })
  }

  async #fetch(
    feed: Feed,
    { isAsked, channel, stop }: Work,
  ): Promise<Result<UpdatePhase, UpdateError>> {
    const { version, releaseNotes: notes } = feed
    const [{ sha512, size: totalBytes }] = feed.files
    if (this.#ready?.feed.files[0].sha512 === sha512) {
      this.#ready = { ...this.#ready, feed }
      return ok(this.#phase)
    }
    this.#ready = null
    if (stop.cancelled) return ok({ kind: 'idle', newest: false })
    const unsafe = preparePrivateDirectory(this.#options.directory, 'create')
    if (unsafe !== null) return err(updateError('E_UPDATE_NOT_WRITABLE', unsafe))
    const show = ({ transferred }: Pick<ProgressInfo, 'transferred'>): void =>
      this.#set({
        kind: 'downloading',
        version,
        bytes: Math.min(transferred, totalBytes),
        totalBytes,
      })
    show({ transferred: 0 })
    this.#maxBytes = totalBytes
    this.library.on('download-progress', show)
    try {
      const [path = ''] = await this.library.downloadUpdate(stop)
      this.#ready = { path, feed, channel, isAsked }
      return ok({ kind: 'ready', version, notes })
    } catch (reason) {
      return err(updateErrorOf(reason, 'E_UPDATE_INTERRUPTED'))
    } finally {
      this.#maxBytes = updateLimits.feedBytes
      this.library.off('download-progress', show)
    }
  }

  #set(phase: UpdatePhase): void {
    if (phase === this.#phase) return
    this.#phase = phase
    this.#options.changed({ checkedMs: this.#options.store.read().checkedMs, phase })
  }
}
