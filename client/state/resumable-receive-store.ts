/** The unfinished receives in the state, kept in step with their file. */
import type { Clock } from '#client/clock'
import { type EngineLink, fromEngine } from '#client/engine-link'
import { ResumableReceiveFile, withRecord } from '#client/state/resumable-receive-file'
import type { NewEvent } from '#client/state/state-log'
import { withTimeout } from '#client/with-timeout'
import { type AppError, appError, type ErrorCode } from '#shared/errors'
import type { DeletedPartial } from '#shared/offer'
import { err, ok, type Result } from '#shared/result'
import type { ResumableReceive, TransferId } from '#shared/state/app-state'
import { type ResumableReceiveRecord, withoutSecret } from '#shared/state/resumable-receive-record'

/** Errors of a folder that no longer exists, so it can't contain anything. */
const nothingThere: ReadonlySet<ErrorCode> = new Set(['E_TARGET_GONE', 'E_PATH_NOT_FOUND'])

/** A disk that takes longer to delete the few part files is considered hanging. */
const deleteTimeoutMs = 60_000

/** Dependencies of `ResumableReceiveStore`. */
export type ResumableReceiveStoreOptions = {
  readonly directory: string
  readonly clock: Clock
  readonly engine: EngineLink
  readonly record: (event: NewEvent) => void
  readonly isRunning: (transfer: TransferId) => boolean
}

/** True if completing `one` also completes `other`: their names suggest the same offer. */
const covers = (one: ResumableReceiveRecord, other: ResumableReceiveRecord): boolean =>
  one.directory === other.directory &&
  one.title === other.title &&
  one.from === other.from &&
  (wantsAll(one) || wish(one) === wish(other))

/** True if both came from the same nameplate. */
const isSameShare = (one: ResumableReceiveRecord, other: ResumableReceiveRecord): boolean =>
  one.resumeKey !== null &&
  one.resumeKey.nameplate === other.resumeKey?.nameplate &&
  one.resumeKey.server === other.resumeKey.server

const wantsAll = ({ selection, changes }: ResumableReceiveRecord): boolean =>
  selection.only.length + selection.except.length + changes.length === 0

const wish = ({ selection, changes }: ResumableReceiveRecord): string =>
  JSON.stringify([selection.only, selection.except, changes])

/** Each client has one. */
export class ResumableReceiveStore {
  readonly #options: ResumableReceiveStoreOptions
  readonly #file: ResumableReceiveFile
  #list: readonly ResumableReceiveRecord[]
  /** Resume keys that the server claims to be unknown to the sender, which may be a lie. */
  readonly #suspected = new Set<string>()

  constructor(options: ResumableReceiveStoreOptions) {
    this.#options = options
    this.#file = new ResumableReceiveFile(options.directory, (error) =>
      options.record({ type: 'storage-failed', storageError: error }),
    )
    this.#list = this.#file.read()
    if (this.#list.length > 0) this.#reportAll()
  }

  /** The entry of a receive. */
  find(transfer: TransferId): ResumableReceiveRecord | undefined {
    return this.#list.find((entry) => entry.transfer === transfer)
  }

  /** Stores a new or changed entry, in place of an interrupted one that it continues. Resolves like the file's `note`. */
  note(entry: ResumableReceiveRecord): Promise<unknown> {
    this.#removeAll(this.#coveredBy(entry).filter((one) => isSameShare(entry, one)))
    this.#list = withRecord(this.#list, entry)
    const stored = this.#file.note(entry)
    this.#options.record({ type: 'resumable-recorded', entry: this.#shown(entry) })
    return stored
  }

  /** Removes a completed receive, with earlier attempts at the same offer in its folder. */
  complete(transfer: TransferId): void {
    const entry = this.find(transfer)
    if (entry === undefined) return
    this.#removeAll([entry, ...this.#coveredBy(entry)])
  }

  /**
   * Marks the resume key as apparently useless until the next start, so that a code is requested. The key is kept,
   * because this claim could be forged.
   */
  suspectResumeKey(transfer: TransferId): void {
    const key = this.find(transfer)?.resumeKey?.key
    if (key === undefined) return
    this.#suspected.add(key)
    this.#reportAll()
  }

  /**
   * Deletes a receive's partial files and its entry, with files in its folder that belong to no entry. Errors: it is
   * running, or the folder can't be changed or does not respond.
   */
  async deletePartial(transfer: TransferId): Promise<Result<DeletedPartial, AppError>> {
    const entry = this.find(transfer)
    if (entry === undefined)
      return err(appError('E_BAD_ARGUMENT', 'This transfer is no longer in the list.'))
    if (this.#options.isRunning(transfer))
      return err(appError('E_BAD_ARGUMENT', 'This transfer is running. Stop it first.'))
    const deleted = await this.#deleteIn(entry)
    if (!deleted.ok && !nothingThere.has(deleted.error.code)) return deleted
    if (!this.#options.isRunning(transfer)) this.#removeAll([entry])
    return deleted.ok ? deleted : ok({ files: 0, bytes: 0 })
  }

  /** Resolves when the file is up to date. */
  flushed(): Promise<void> {
    return this.#file.flushed()
  }

  #reportAll(): void {
    const resumableReceives = this.#list.map((entry) => this.#shown(entry))
    this.#options.record({ type: 'resumable-listed', resumableReceives })
  }

  #shown(entry: ResumableReceiveRecord): ResumableReceive {
    const isSuspected = this.#suspected.has(entry.resumeKey?.key ?? '')
    return withoutSecret(isSuspected ? { ...entry, resumeKey: null } : entry)
  }

  #coveredBy(entry: ResumableReceiveRecord): readonly ResumableReceiveRecord[] {
    const { isRunning } = this.#options
    return this.#list.filter(
      (one) => one.transfer !== entry.transfer && covers(entry, one) && !isRunning(one.transfer),
    )
  }

  #removeAll(entries: readonly ResumableReceiveRecord[]): void {
    if (entries.length === 0) return
    const gone = new Set(entries.map(({ transfer }) => transfer))
    this.#list = this.#list.filter(({ transfer }) => !gone.has(transfer))
    this.#file.remove(gone)
    for (const transfer of gone) this.#options.record({ type: 'resumable-removed', transfer })
  }

  #deleteIn(entry: ResumableReceiveRecord): Promise<Result<DeletedPartial, AppError>> {
    const { transfer, directory } = entry
    const kept = this.#list
      .filter((one) => one.directory === directory && one.transfer !== transfer)
      .map((one) => ({ receiveId: one.transfer }))
    const { engine, clock } = this.#options
    const late = (): Result<DeletedPartial, AppError> =>
      err(appError('E_DISK_IO', 'no answer in time', directory))
    const deleted = new Promise<Result<DeletedPartial, AppError>>((resolve) => {
      const session = engine.open((event) => {
        if (event.type !== 'partial-deleted') return
        engine.end(session)
        const { error, files, bytes } = event
        resolve(error === null ? ok({ files, bytes }) : err(fromEngine(error, directory)))
      })
      const error = engine.post({ type: 'delete-partial', session, directory, kept })
      if (error === null) return
      engine.end(session)
      resolve(err(error))
    })
    return withTimeout(clock, deleteTimeoutMs, deleted, late)
  }
}
