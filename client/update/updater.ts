/**
 * Looks for updates from time to time and downloads them, while nothing is transferred. Installing is
 * left to who owns the program's place.
 */
import { join } from 'node:path'
import type { Clock } from '#client/clock'
import { diskError, download } from '#client/update/download'
import type { UpdateFeed } from '#client/update/feed'
import type { Installation } from '#client/update/judge'
import { type Found, judgeAgain, lookForUpdate } from '#client/update/look'
import type { UpdateNotes } from '#client/update/update-note'
import { err, ok, type Result } from '#shared/result'
import type { Channel, UpdateManifest } from '#shared/update/manifest'
import type { UpdateError } from '#shared/update/update-error'
import type { UpdatePhase, UpdateStatus } from '#shared/update/update-status'
import { compareVersions } from '#shared/update/version'

/** The start of a program has other things to do. */
const firstAfterMs = 60_000
const everyMs = 24 * 60 * 60 * 1000
/** Installations that start together, as at work in the morning, don't ask together. */
const jitterMs = 2 * 60 * 60 * 1000
/** A download that broke off is tried again. */
const againAfterMs = 60 * 60 * 1000
/** What was held up by transfers goes on at once, and then no sooner than this. */
const pauseMs = 30_000
/** Progress in a window needs no more. */
const progressMs = 250

/** What looking takes, and who hears of it. */
export type UpdaterOptions = {
  readonly feed: UpdateFeed
  readonly installation: Installation
  readonly notes: UpdateNotes
  /** Absolute; packages are kept in a folder of their own in there. */
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
  readonly stop: AbortController
  readonly isAsked: boolean
  readonly channel: Channel
}

/** A package that was checked, and what it is. */
export type Ready = {
  readonly path: string
  readonly manifest: UpdateManifest
  /** The envelope of the manifest, to be judged again. */
  readonly signed: unknown
  /** A person asked for it. */
  readonly isAsked: boolean
}

/** One for a program; `start` begins its work, `close` ends it for good. */
export class Updater {
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

  constructor(options: UpdaterOptions) {
    this.#options = options
  }

  /** What is ready to be installed. It may be late for that: see `judgeReady`. */
  get ready(): Ready | null {
    return this.#ready
  }

  /**
   * What is ready if it still counts, to be called right before it is installed: since it came, its time may
   * have ended, its key may have been replaced, or the feed may have taken it back. `null` for nothing.
   */
  judgeReady(): Result<Ready, UpdateError> | null {
    const ready = this.#ready
    if (ready === null) return null
    const { channel } = this.#options.choice()
    const judged = judgeAgain(ready.signed, { ...this.#options, channel })
    return judged.ok ? { ok: true, value: ready } : judged
  }

  /** Begins to look by itself, unless that is switched off then. */
  start(): void {
    const { notes, clock, random, installation } = this.#options
    const { checkedMs: last, found } = notes.read()
    // The command may have found it, which brings nothing, or the app ended before it was installed.
    const isMissing = found !== null && compareVersions(found, installation.version) > 0
    const sinceLast = last === null || isMissing ? everyMs : clock.now() - last
    // A clock that was set back makes no check wait for long.
    const wait = sinceLast < 0 ? 0 : Math.max(0, everyMs - sinceLast)
    this.#next(firstAfterMs + (wait === 0 ? 0 : wait + random() * jitterMs))
  }

  /** What is ready could not be installed, and another check may bring it again. */
  giveUp(): void {
    this.#ready = null
  }

  close(): void {
    this.#isClosed = true
    this.#cancelNext()
    this.#held = null
    this.#work?.stop.abort()
  }

  /** Looks now, because a person asked, or as soon as nothing is transferred. */
  check(): void {
    if (!this.#isClosed) void this.#check(true)
  }

  /** Bytes of a transfer move, or no longer. */
  setBusy(isBusy: boolean): void {
    if (isBusy === this.#isBusy) return
    this.#isBusy = isBusy
    if (isBusy) this.#work?.stop.abort()
    else this.#continue()
  }

  /** The settings have changed, perhaps what is chosen here: what is no longer wanted ends. */
  follow(): void {
    if (this.#isClosed) return
    const { automatic, channel } = this.#options.choice()
    const [work, held, ready] = [this.#work, this.#held, this.#ready]
    const isWanted = work === null || (work.channel === channel && (work.isAsked || automatic))
    if (!isWanted) work.stop.abort()
    if (held?.isAsked === false && !automatic) this.#rest()
    if (ready !== null && ready.manifest.channel !== channel) {
      this.#ready = null
      this.#set({ kind: 'idle', newest: false })
      void this.#check(ready.isAsked)
    }
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
    const work = { stop: new AbortController(), isAsked, channel }
    this.#work = work
    const before = this.#phase
    // What is ready is looked at again without a word: there may be something newer by now.
    if (this.#ready === null) this.#set({ kind: 'checking' })
    const done = await this.#bring(work)
    this.#work = null
    if (this.#isClosed) return
    if (work.stop.signal.aborted && this.#ready === null) this.#interrupted(isAsked, before)
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
    const { notes } = this.#options
    const { isAsked, stop } = work
    try {
      const found = await lookForUpdate({ ...this.#options, ...work, signal: stop.signal })
      if (this.#staysReady(found)) return ok(this.#phase)
      if (!found.ok) return found
      const { manifest, kind } = found.value
      const isSkipped = !isAsked && notes.read().skipped === manifest.version
      if (kind !== 'update' || isSkipped || stop.signal.aborted) {
        return ok({ kind: 'idle', newest: kind === 'newest' })
      }
      return await this.#fetch(found.value, work)
    } catch (reason) {
      return err(diskError(reason))
    }
  }

  /** True when what was ready before a look still is; otherwise nothing is. */
  #staysReady(found: Result<Found, UpdateError>): boolean {
    const ready = this.#ready
    if (ready === null) return false
    const { version, sha512 } = ready.manifest
    const offered = found.ok ? found.value.manifest : null
    const isSame = found.ok && offered?.version === version && offered.sha512 === sha512
    if (isSame) {
      const { manifest, signed } = found.value
      this.#ready = { ...ready, manifest, signed }
    }
    // A version that turned out bad is held back by giving nobody else a turn.
    const isHeldBack = isSame && found.value.kind === 'later' && !ready.isAsked
    if (isHeldBack || this.judgeReady()?.ok !== true) this.#ready = null
    return this.#ready !== null
  }

  async #fetch(
    { manifest, address, signed }: Found,
    { isAsked, stop }: Work,
  ): Promise<Result<UpdatePhase, UpdateError>> {
    const { directory, clock } = this.#options
    const { signal } = stop
    const { version, notes, size: totalBytes } = manifest
    const show = (bytes: number): void => {
      this.#set({ kind: 'downloading', version, bytes, totalBytes })
    }
    let shownMs = clock.now()
    show(0)
    const fetched = await download({
      ...{ address, manifest, clock, signal },
      directory: join(directory, 'packages'),
      progress: (bytes) => {
        if (clock.now() - shownMs < progressMs) return
        shownMs = clock.now()
        show(bytes)
      },
    })
    if (!fetched.ok) return fetched
    this.#ready = { path: fetched.value, manifest, signed, isAsked }
    return ok({ kind: 'ready', version, notes })
  }

  #set(phase: UpdatePhase): void {
    if (phase === this.#phase) return
    this.#phase = phase
    this.#options.changed({ checkedMs: this.#options.notes.read().checkedMs, phase })
  }
}
