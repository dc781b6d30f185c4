/** One receive of a page: its files, and as many attempts as lost connections require. */
import { type ErrorCode, isPassing, isPassingOnReturn } from '#shared/errors'
import { Attempt, type ConnectionEvents, type End, type Surroundings } from './attempt'
import { choicesFor, keyOf, topOf } from './choices'
import { DirectPermit } from './direct-permit'
import type { OfferedEntry, Totals } from './engine/module'
import { FolderWriter } from './storage/folder-writer'
import { type KeptFiles, type KeptIn } from './storage/kept-files'
import type { Library } from './storage/library'

/** A text that has arrived; people read it on the page. */
export type ArrivedText = { readonly entry: OfferedEntry; readonly content: Blob }

/** A reason for which the sender leaves out entries. */
export type LeftOut = { readonly code: ErrorCode; readonly entries: number }

/** The files and folders of a receive that has ended. */
export type Arrived = {
  /** Files without a name in a folder; `Receive.content` has their content. */
  readonly files: readonly OfferedEntry[]
  readonly texts: readonly ArrivedText[]
  readonly folders: readonly OfferedEntry[]
  /** Files that have their name in the chosen folder. */
  readonly savedFiles: number
}

/** Events of a receive that a page shows. */
export type ReceiveEvents = ConnectionEvents & {
  readonly approvalAwaited: () => void
  /** Everything offered so far, after each change; `heldBytes` of it are here from an earlier attempt. */
  readonly offered: (entries: readonly OfferedEntry[], heldBytes: number, keptIn: KeptIn) => void
  /** An earlier choice was repeated: there is nothing to accept. */
  readonly resumed: () => void
  readonly leftOut: (reasons: readonly LeftOut[]) => void
  readonly entryFailed: (index: number, code: ErrorCode) => void
  /** Everything has arrived, and its files get their names. */
  readonly saving: () => void
  /** The end; `null` if everything requested has arrived. */
  readonly over: (end: End | null, arrived: Arrived) => void
}

/** The options of a receive. */
export type ReceiveOptions = Surroundings & {
  readonly library: Library
  /** Another tab uses the code: the sender knows this receive as another one. */
  readonly isSecond: boolean
  readonly events: ReceiveEvents
  /** Delays before attempts after a lost connection, ms; the receive ends after the last. */
  readonly retryMs?: readonly number[]
}

/** The answer of a person to an offer. */
export type Choice = {
  /** Top-level items. */
  readonly unwanted: readonly string[]
  readonly folder: FileSystemDirectoryHandle | null
}

/** Fifteen minutes in total: a sender restarts, or a phone wakes up. */
const defaultRetryMs = [500, 1000, 2000, 5000, 10_000, ...Array.from({ length: 29 }, () => 30_000)]

/** Interval between updates of the stored progress, ms. */
const rememberMs = 2000

/** The result if nothing has arrived. */
export const nothingArrived: Arrived = { files: [], texts: [], folders: [], savedFiles: 0 }

/** Receives until everything has arrived, or until an error that no attempt can change. */
export class Receive {
  readonly #options: ReceiveOptions
  readonly #entries = new Map<number, OfferedEntry>()
  readonly #keys: string[] = []
  readonly #leftOut: LeftOut[] = []
  #ids = { receive: crypto.getRandomValues(new Uint8Array(16)), resume: null as Uint8Array | null }
  #attempt: Attempt | null = null
  #files: KeptFiles | null = null
  #opening: Promise<void> = Promise.resolve()
  #contents: ReturnType<KeptFiles['contents']> | null = null
  #folder: FolderWriter | null = null
  #choice: Choice | null = null
  #sender = ''
  #totals: Totals | null = null
  #retries = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #rememberedAtMs = 0
  /** The figures of the last record; an attempt that was not offered anything yet has none. */
  #remembered = { bytes: 0, totalBytes: 0 }
  /** This attempt has the whole list. */
  #isOffered = false
  #isAccepted = false
  #isPaused = false
  #isOver = false
  readonly #permit = new DirectPermit()

  constructor(options: ReceiveOptions) {
    this.#options = options
  }

  /** Begins; `choice` repeats the one of an earlier attempt. The result arrives in events. */
  async start(choice: Choice | null = null): Promise<void> {
    const { library, code, isSecond } = this.#options
    const known = isSecond ? null : await library.receiveOf(code)
    if (known !== null) {
      this.#ids = { receive: new Uint8Array(known.receive), resume: known.resume }
      this.#remembered = { bytes: known.bytes, totalBytes: known.totalBytes }
    }
    this.#choice = choice
    await this.#begin()
  }

  /** Requests what was chosen of everything offered; once. */
  async accept(choice: Choice): Promise<void> {
    this.#choice = choice
    await this.#request()
  }

  /** Pauses or resumes. */
  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused
    this.#attempt?.setPaused(isPaused)
  }

  /** Ends the receive; `over` follows. */
  cancel(): void {
    clearTimeout(this.#timer)
    if (this.#attempt === null) this.#end({ code: 'E_CANCELLED', detail: '' })
    else this.#attempt.end('E_CANCELLED')
  }

  /** The present figures; those of the last attempt until the next one requests files, and `null` before there are any. */
  totals(): Totals | null {
    const totals = this.#attempt?.totals() ?? null
    if (totals !== null && totals.totalFiles > 0) this.#totals = totals
    return this.#totals
  }

  /** The kept files; call this after `over`. */
  files(): KeptFiles | null {
    return this.#files
  }

  /** The content of a file that has arrived; rejects if the browser has lost it. */
  async content(entry: OfferedEntry): Promise<Blob> {
    this.#contents ??= this.#files?.contents() ?? null
    return (await this.#contents)?.(keyOf(entry), entry.bytes) ?? new Blob()
  }

  async #begin(): Promise<void> {
    const { code, name, server, password, compiled, openSocket, events } = this.#options
    this.#isOffered = false
    this.#isAccepted = false
    this.#entries.clear()
    const { bytes, totalBytes } = this.#totals ?? { bytes: 0, totalBytes: 0 }
    const mayGoDirect = this.#permit.take(totalBytes - bytes)
    const attempt = new Attempt({
      ...{ code, name, server, password, compiled, openSocket, mayGoDirect, ids: this.#ids },
      events: {
        welcomed: (limits) => {
          this.#permit.learn(limits)
          events.welcomed(limits)
        },
        moved: events.moved,
        directLost: () => this.#permit.lose(),
        paired: events.paired,
        connected: (resume) => {
          this.#ids = { ...this.#ids, resume }
          this.#retries = 0
          void this.#remember()
        },
        greeted: (sender) => {
          this.#sender = sender
          events.greeted(sender)
        },
        origin: (id) => this.#openFiles(id),
        approvalAwaited: events.approvalAwaited,
        leftOut: (reason, entries) => this.#onLeftOut(reason, entries),
        entry: (entry) => {
          this.#entries.set(entry.index, entry)
          this.#keys[entry.index] = keyOf(entry)
        },
        offered: () => void this.#onOffered(),
        removed: (first, count) => this.#remove(first, count),
        data: (index, offset, bytes) => this.#files?.add(this.#keys[index] ?? '', offset, bytes),
        hole: (index, offset, length) =>
          this.#files?.addZeros(this.#keys[index] ?? '', offset, length),
        lost: (index, offset, length) => this.#files?.lose(this.#keys[index] ?? '', offset, length),
        validator: (index, validator) =>
          this.#files?.setValidator(this.#keys[index] ?? '', validator),
        segment: (segment) => this.#keep(attempt, segment),
        file: (index) => this.#onFile(index),
        entryFailed: (index, reason) => events.entryFailed(index, reason as ErrorCode),
        peerPaused: events.peerPaused,
        accepted: () => undefined,
        read: () => undefined,
        over: (end) => this.#onOver(end),
      },
    })
    this.#attempt = attempt
    await attempt.start()
  }

  /** Opens what an earlier attempt left of the same sender's files. */
  #openFiles(id: string): void {
    if (this.#files !== null || this.#isOver) return
    this.#opening = this.#opening.then(async () => {
      const { library, isSecond } = this.#options
      this.#files ??= await library.open(isSecond ? null : id)
    })
  }

  async #onOffered(): Promise<void> {
    this.#isOffered = true
    await this.#opening
    // Only a sender that proved its origin can be recognized later.
    this.#files ??= await this.#options.library.open(null)
    if (this.#isOver) return
    const entries = [...this.#entries.values()]
    const files = this.#files
    const held = entries.reduce((sum, entry) => {
      const parts = entry.kind === 'file' ? files.parts(keyOf(entry)) : []
      return sum + parts.reduce((bytes, { length }) => bytes + length, 0)
    }, 0)
    this.#options.events.offered(entries, held, files.keptIn)
    this.#options.events.leftOut(this.#leftOut)
    if (this.#choice !== null && !this.#isAccepted) {
      this.#options.events.resumed()
      await this.#request()
    }
  }

  async #request(): Promise<void> {
    const [attempt, files, choice] = [this.#attempt, this.#files, this.#choice]
    if (attempt === null || files === null || choice === null || this.#isAccepted) return
    this.#isAccepted = true
    if (choice.folder !== null) this.#folder ??= new FolderWriter(choice.folder, files)
    const entries = [...this.#entries.values()]
    await this.#remember()
    const choices = choicesFor(entries, choice.unwanted, files)
    try {
      await attempt.accept(choices)
    } catch {
      // The browser has lost bytes of an earlier attempt.
      attempt.end('E_DISK_IO')
      return
    }
    if (this.#isPaused) attempt.setPaused(true)
    for (const { first, count } of choices.complete)
      for (let index = first; index < first + count; index += 1) this.#onFile(index)
    this.#options.events.reconnecting(false)
  }

  /** Stores what a later attempt needs besides the files. */
  async #remember(): Promise<void> {
    const [files, choice, { receive, resume }] = [this.#files, this.#choice, this.#ids]
    if (files === null || choice === null || resume === null) return
    this.#rememberedAtMs = Date.now()
    if (this.#isOffered) {
      const sizes = this.#wanted(choice).map((entry) => entry.bytes)
      const totalBytes = sizes.reduce((sum, size) => sum + size, 0)
      const bytes = this.totals()?.bytes ?? this.#remembered.bytes
      this.#remembered = { bytes, totalBytes }
    }
    const remembered = this.#options.library.remember({
      ...{ id: files.id, code: this.#options.code, receive, resume, sender: this.#sender },
      ...{ unwanted: choice.unwanted, folder: choice.folder, ...this.#remembered },
      atMs: Date.now(),
    })
    // A full disk ends the receive once there is no room for its files.
    await remembered.catch(() => undefined)
  }

  /** Lets the sender continue once the data of a segment are kept. */
  #keep(attempt: Attempt, segment: number): void {
    this.#files?.kept().then(
      () => {
        attempt.call((module) => module.saved(segment))
        if (Date.now() - this.#rememberedAtMs >= rememberMs) void this.#remember()
      },
      () => attempt.end('E_DISK_FULL'),
    )
  }

  #onFile(index: number): void {
    const entry = this.#entries.get(index)
    if (entry !== undefined && !entry.isText) this.#folder?.add(entry)
  }

  #onLeftOut(code: string, entries: number): void {
    if (code === '') this.#leftOut.length = 0
    else this.#leftOut.push({ code: code as ErrorCode, entries })
    this.#options.events.leftOut([...this.#leftOut])
  }

  #remove(first: number, count: number): void {
    for (let index = first; index < first + count; index += 1) this.#entries.delete(index)
    void this.#onOffered()
  }

  #onOver(end: End | null): void {
    this.totals()
    this.#attempt = null
    if (this.#isOver) return
    // The sender may have forgotten the key, but know the words.
    const isUnknownKey = end?.code === 'E_CODE_MISMATCH' && this.#ids.resume !== null
    const retryMs = this.#options.retryMs ?? defaultRetryMs
    const delayMs = isUnknownKey ? 0 : retryMs[this.#retries]
    const mayPass = this.#retries > 0 ? isPassingOnReturn : isPassing
    const isWorthIt = this.#choice !== null && end !== null && mayPass(end)
    if (isUnknownKey) this.#ids = { ...this.#ids, resume: null }
    if (delayMs === undefined || !(isUnknownKey || isWorthIt)) {
      this.#end(end)
      return
    }
    if (!isUnknownKey) this.#retries += 1
    if (this.#choice !== null) this.#options.events.reconnecting(true)
    this.#timer = setTimeout(() => void this.#begin(), delayMs)
  }

  #end(end: End | null): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#finish(end).then(
      ({ error, arrived }) => this.#options.events.over(error, arrived),
      (reason: unknown) =>
        this.#options.events.over({ code: 'E_DISK_IO', detail: String(reason) }, nothingArrived),
    )
  }

  async #finish(end: End | null): Promise<{ error: End | null; arrived: Arrived }> {
    const files = this.#files
    if (files === null) return { error: end, arrived: nothingArrived }
    await files.commit().catch(() => undefined)
    const entries = this.#choice === null ? [] : this.#wanted(this.#choice)
    const folders = entries.filter(({ kind }) => kind === 'folder')
    if (this.#folder !== null) this.#options.events.saving()
    const problem =
      (await this.#folder?.finish(end === null ? folders.map(({ path }) => path) : [])) ?? null
    const error = end ?? problem
    if (error === null) await this.#options.library.complete(files.id)
    else await this.#remember()
    const isSaved = (entry: OfferedEntry): boolean => files.isSaved(keyOf(entry))
    const whole = entries.filter(
      (entry) => entry.kind === 'file' && files.has(keyOf(entry), entry.bytes),
    )
    const texts = whole.filter(({ isText }) => isText)
    const arrived: Arrived = {
      files: whole.filter((entry) => !entry.isText && !isSaved(entry)),
      texts: await Promise.all(
        texts.map(async (entry) => ({ entry, content: await this.content(entry) })),
      ),
      folders,
      savedFiles: whole.filter(isSaved).length,
    }
    return { error, arrived }
  }

  #wanted({ unwanted }: Choice): OfferedEntry[] {
    const names = new Set(unwanted)
    return [...this.#entries.values()].filter(
      ({ path, kind }) => kind !== 'gone' && !names.has(topOf(path)),
    )
  }
}
