/**
 * Looks for updates from time to time and downloads them, while nothing is transferred. Installing is
 * left to who owns the program's place.
 */
import { join } from 'node:path'
import type { Clock } from '#client/clock'
import { diskError, download } from '#client/update/download'
import type { UpdateFeed } from '#client/update/feed'
import type { Installation } from '#client/update/judge'
import { type Found, lookForUpdate } from '#client/update/look'
import type { UpdateNotes } from '#client/update/update-note'
import { err, type Result } from '#shared/result'
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
/** Progress in a window needs no more. */
const progressMs = 250

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

/** A package that was checked, and what it is. */
export type Ready = {
  readonly path: string
  readonly manifest: UpdateManifest
  /** A person asked for it. */
  readonly isAsked: boolean
}

export class Updater {
  readonly #options: UpdaterOptions
  #phase: UpdatePhase = { kind: 'idle', newest: false }
  #ready: Ready | null = null
  /** A check that bytes of a transfer hold up. */
  #held: { readonly isAsked: boolean } | null = null
  #isBusy = false
  #isClosed = false
  #work: AbortController | null = null
  #cancelNext: () => void = () => undefined

  constructor(options: UpdaterOptions) {
    this.#options = options
  }

  /** What is ready to be installed. */
  get ready(): Ready | null {
    return this.#ready
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
    this.#work?.abort()
  }

  /** Looks now, because a person asked, or as soon as nothing is transferred. */
  check(): void {
    if (!this.#isClosed) void this.#check(true)
  }

  /** Bytes of a transfer move, or no longer. */
  setBusy(isBusy: boolean): void {
    if (isBusy === this.#isBusy) return
    this.#isBusy = isBusy
    if (isBusy) this.#work?.abort()
    else this.#continue()
  }

  #continue(): void {
    if (this.#held !== null && !this.#isBusy) void this.#check(this.#held.isAsked)
  }

  #next(delayMs: number): void {
    this.#cancelNext()
    this.#cancelNext = this.#options.clock.after(delayMs, () => {
      void this.#check(false)
    })
  }

  async #check(isAsked: boolean): Promise<void> {
    if (this.#work !== null || this.#ready !== null) return
    if (this.#isBusy) {
      this.#held = { isAsked: isAsked || this.#held?.isAsked === true }
      return
    }
    this.#held = null
    // It may have been switched off while a transfer held the check up.
    if (!isAsked && !this.#options.choice().automatic) {
      this.#next(everyMs)
      return
    }
    const work = new AbortController()
    this.#work = work
    const before = this.#phase
    this.#set({ kind: 'checking' })
    const done = await this.#bring(isAsked, work.signal)
    this.#work = null
    if (this.#isClosed) return
    if (work.signal.aborted) this.#interrupted(isAsked, before)
    else this.#set(done.ok ? done.value : { kind: 'failed', error: done.error })
    const isLost = !done.ok && done.error.code === 'E_UPDATE_INTERRUPTED'
    const { random } = this.#options
    this.#next(isLost ? againAfterMs : everyMs + random() * jitterMs)
    // What held it up may be over already.
    this.#continue()
  }

  /** A transfer has begun. */
  #interrupted(isAsked: boolean, before: UpdatePhase): void {
    this.#held = { isAsked }
    const version = 'version' in this.#phase ? this.#phase.version : null
    this.#set(version === null ? before : { kind: 'waiting', version })
  }

  /** What follows from one look; the package is there when it is `ready`. */
  async #bring(isAsked: boolean, signal: AbortSignal): Promise<Result<UpdatePhase, UpdateError>> {
    const { notes, choice } = this.#options
    const { channel } = choice()
    try {
      const found = await lookForUpdate({ ...this.#options, channel, signal, isAsked })
      if (!found.ok) return found
      const { manifest, kind } = found.value
      const isSkipped = !isAsked && notes.read().skipped === manifest.version
      if (kind !== 'update' || isSkipped || signal.aborted) {
        return { ok: true, value: { kind: 'idle', newest: kind === 'newest' } }
      }
      return await this.#fetch(found.value, isAsked, signal)
    } catch (reason) {
      return err(diskError(reason))
    }
  }

  async #fetch(
    { manifest, address }: Found,
    isAsked: boolean,
    signal: AbortSignal,
  ): Promise<Result<UpdatePhase, UpdateError>> {
    const { directory, clock } = this.#options
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
    this.#ready = { path: fetched.value, manifest, isAsked }
    return { ok: true, value: { kind: 'ready', version, notes } }
  }

  #set(phase: UpdatePhase): void {
    this.#phase = phase
    this.#options.changed({ checkedMs: this.#options.notes.read().checkedMs, phase })
  }
}
