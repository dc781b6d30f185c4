/**
 * Looks for updates from time to time and lets electron-updater download them, while nothing is transferred. Installing
 * is left to who owns the program's place.
 */
import { rmSync } from 'node:fs'
import { CancellationToken } from 'builder-util-runtime'
import type { AppUpdater, ProgressInfo } from 'electron-updater'
import type { Clock } from '#client/clock'
import { preparePrivateDirectory } from '#client/state/private-directory'
import type { FeedSource } from '#client/update/feed-source'
import { lookForUpdate } from '#client/update/look'
import { updateErrorOf } from '#client/update/refusal'
import { boundRequests } from '#client/update/requests'
import { lateness } from '#client/update/signed-feed'
import type { UpdateNotes } from '#client/update/update-note'
import { err, ok, type Result } from '#shared/result'
import { type Channel, type Feed, updateLimits } from '#shared/update/feed'
import { type UpdateError, updateError } from '#shared/update/update-error'
import type { UpdatePhase, UpdateStatus } from '#shared/update/update-status'
import { compareVersions } from '#shared/update/version'
import { type LibraryOptions, openLibrary } from './library'

/** The start of a program has other things to do. */
const firstAfterMs = 60_000
const everyMs = 24 * 60 * 60 * 1000
/** Installations that start together, as at work in the morning, don't ask together. */
const jitterMs = 2 * 60 * 60 * 1000
/** A download that broke off is tried again. */
const againAfterMs = 60 * 60 * 1000
/** What was held up by transfers goes on at once, and then no sooner than this. */
const pauseMs = 30_000

/** What looking takes, and who hears of it. */
export type UpdaterOptions = Pick<LibraryOptions, 'kind' | 'app' | 'executor'> & {
  readonly source: FeedSource
  /** The one that runs. */
  readonly version: string
  readonly notes: UpdateNotes
  /** Absolute; what is downloaded is in there. */
  readonly directory: string
  readonly clock: Clock
  /** From 0 to 1, 1 excluded. */
  readonly random: () => number
  /** What is set now. */
  readonly choice: () => { readonly automatic: boolean; readonly channel: Channel }
  readonly changed: (status: Pick<UpdateStatus, 'checkedMs' | 'phase'>) => void
}

/** A look and the download that follows from it. */
type Work = {
  readonly stop: CancellationToken
  readonly isAsked: boolean
  readonly channel: Channel
}

/** A package that was checked, and what it is. */
export type Ready = {
  readonly path: string
  readonly feed: Feed
  readonly channel: Channel
  /** A person asked for it. */
  readonly isAsked: boolean
}

/** One for a program; `start` begins its work, `close` ends it for good. */
export class Updater {
  /** Downloads, and starts what installs. */
  readonly library: AppUpdater
  readonly #options: UpdaterOptions
  #phase: UpdatePhase = { kind: 'idle', newest: false }
  #ready: Ready | null = null
  /** A check that bytes of a transfer hold up. */
  #held: { readonly isAsked: boolean } | null = null
  /** When a transfer last made room, in Unix milliseconds. */
  #continuedMs = 0
  #isBusy = false
  #isClosed = false
  #work: Work | null = null
  #cancelNext: () => void = () => undefined
  readonly #endRequests: () => void
  /** Bound of the server's next answer, in bytes. */
  #maxBytes: number = updateLimits.feedBytes

  constructor(options: UpdaterOptions) {
    this.#options = options
    const { executor, clock, source } = options
    this.#endRequests = boundRequests(executor, clock, () => this.#maxBytes)
    this.library = openLibrary({
      ...options,
      address: source.address,
      look: () => this.#look(),
      isAsked: () => this.#work?.isAsked === true || this.#ready?.isAsked === true,
    })
    // Errors outside of a call: an installer that doesn't start, or a package that Squirrel refuses.
    this.library.on('error', (reason) => {
      if (this.#work !== null || this.#ready === null) return
      this.giveUp()
      this.#set({ kind: 'failed', error: updateError('E_UPDATE_INSTALL', reason.message) })
    })
  }

  /** What is ready to be installed. It may be late for that: see `judgeReady`. */
  get ready(): Ready | null {
    return this.#ready
  }

  /**
   * What is ready if it still counts, to be called right before it is installed: since it came, its time may
   * have ended, or the feed may have taken it back. `null` for nothing.
   */
  judgeReady(): Result<Ready, UpdateError> | null {
    const ready = this.#ready
    if (ready === null) return null
    const { notes, clock } = this.#options
    const newest = notes.read().published[ready.channel]
    const late = lateness(ready.feed, { nowMs: clock.now(), newest })
    return late === null ? ok(ready) : err(late)
  }

  /** Begins to look by itself, unless that is switched off then. */
  start(): void {
    const { notes, clock, random, version } = this.#options
    const { checkedMs: last, found } = notes.read()
    // The command may have found it, which brings nothing, or the app ended before it was installed.
    const isMissing = found !== null && compareVersions(found, version) > 0
    const sinceLast = last === null || isMissing ? everyMs : clock.now() - last
    // A clock that was set back makes no check wait for long.
    const wait = sinceLast < 0 ? 0 : Math.max(0, everyMs - sinceLast)
    this.#next(firstAfterMs + (wait === 0 ? 0 : wait + random() * jitterMs))
  }

  /** What is ready could not be installed, and another check may bring it again. */
  giveUp(): void {
    // The library takes an existing file for its download.
    if (this.#ready !== null) rmSync(this.#ready.path, { force: true })
    this.#ready = null
  }

  close(): void {
    this.#isClosed = true
    this.#cancelNext()
    this.#held = null
    this.#stop()
  }

  /** Looks now, because a person asked, or as soon as nothing is transferred. */
  check(): void {
    if (!this.#isClosed) void this.#check(true)
  }

  /** Bytes of a transfer move, or no longer. */
  setBusy(isBusy: boolean): void {
    if (isBusy === this.#isBusy) return
    this.#isBusy = isBusy
    if (isBusy) this.#stop()
    else this.#continue()
  }

  /** The settings have changed, perhaps what is chosen here: what is no longer wanted ends. */
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

  /** Switched off: nothing happens until the next look is due, which may be wanted again. */
  #rest(): void {
    this.#held = null
    if (this.#phase.kind === 'waiting') this.#set({ kind: 'idle', newest: false })
    this.#next(everyMs)
  }

  /** Transfers that begin and end all the time don't make it ask all the time. */
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
    // It may have been switched off while a transfer held the check up.
    if (!isAsked && !automatic) {
      this.#rest()
      return
    }
    this.#held = null
    const work = { stop: new CancellationToken(), isAsked, channel }
    this.#work = work
    const before = this.#phase
    // What is ready is looked at again without a word: there may be something newer by now.
    if (this.#ready === null) this.#set({ kind: 'checking' })
    const done = await this.#bring(work)
    this.#work = null
    if (this.#isClosed) return
    if (work.stop.cancelled && this.#ready === null) this.#interrupted(isAsked, before)
    else this.#set(done.ok ? done.value : { kind: 'failed', error: done.error })
    const isLost = !done.ok && done.error.code === 'E_UPDATE_INTERRUPTED'
    const { random } = this.#options
    this.#next(isLost ? againAfterMs : everyMs + random() * jitterMs)
    // What held it up may be over already, and what was chosen may be another channel.
    this.#continue()
    this.follow()
  }

  /** A transfer has begun, or something else was chosen. */
  #interrupted(isAsked: boolean, before: UpdatePhase): void {
    this.#held = { isAsked }
    const version = 'version' in this.#phase ? this.#phase.version : null
    // What was ready before has made room for another one.
    const earlier: UpdatePhase = before.kind === 'ready' ? { kind: 'idle', newest: false } : before
    this.#set(version === null ? earlier : { kind: 'waiting', version })
  }

  /** What follows from one look; the package is there when it is `ready`. */
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
      // A server that can't be reached takes nothing back.
      if (before !== null && this.judgeReady()?.ok === true) return ok(this.#phase)
      this.#ready = null
      return err(updateErrorOf(reason, 'E_UPDATE_UNREACHABLE'))
    }
  }

  #look(): Promise<Result<Feed, UpdateError>> {
    const { choice } = this.#options
    const stop = this.#work?.stop ?? new CancellationToken()
    return lookForUpdate({ ...this.#options, channel: choice().channel, stop })
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
    const show = ({ transferred }: Pick<ProgressInfo, 'transferred'>): void => {
      this.#set({
        kind: 'downloading',
        version,
        bytes: Math.min(transferred, totalBytes),
        totalBytes,
      })
    }
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
    this.#options.changed({ checkedMs: this.#options.notes.read().checkedMs, phase })
  }
}
