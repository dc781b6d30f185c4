/** The history of a program: records events, keeps them for later programs, and answers queries. */
import { stat } from 'node:fs/promises'
import type { Clock } from '#client/clock'
import { entriesOf } from '#client/history/history-entries'
import { HistoryStore } from '#client/history/history-store'
import { PathChecks, pathError } from '#client/path-checks'
import type { NewEvent } from '#client/state/state-log'
import { type AppError, appError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import { limits } from '#shared/limits'
import { err, ok, type Result } from '#shared/result'
import type { SourceItem } from '#shared/settings/share-options'
import type { AppState, ShareId } from '#shared/state/app-state'
import type {
  HistoryEntry,
  HistoryPage,
  HistoryQuery,
  NewHistoryEntry,
} from '#shared/state/history'

/** Transfers that end within this time are written together. */
const gatherMs = 500

/** A disk that takes longer is considered hanging; whether the file exists is then unknown. */
const timeoutMs = 3000

/** Dependencies of `History`. */
export type HistoryOptions = {
  readonly directory: string
  readonly clock: Clock
  /** Nothing is written while this returns false. */
  readonly isKept: () => boolean
  readonly record: (event: NewEvent) => void
  /** Called when a person removes all entries. */
  readonly onCleared?: () => void
  /** Returns the reason why a path can't be found, or `null`; queries the system by default. */
  readonly look?: (path: string) => Promise<AppError | null>
}

/** Each client has one. */
export class History {
  readonly #options: HistoryOptions
  readonly #store: HistoryStore
  readonly #looks: PathChecks
  readonly #items = new Map<ShareId, readonly SourceItem[]>()
  #waiting: NewHistoryEntry[] = []
  #cancelWrite: () => void = () => undefined
  #revision = 0

  constructor(options: HistoryOptions) {
    this.#options = options
    const { clock, look: check = lookAt } = options
    this.#looks = new PathChecks(clock, { check, maxUnanswered: 1, timeoutMs })
    this.#store = new HistoryStore({
      directory: options.directory,
      onError: (error) => options.record({ type: 'storage-failed', storageError: error }),
    })
  }

  /** Adds to the items that the share offers. */
  shared(share: ShareId, items: readonly SourceItem[]): void {
    this.#items.set(share, [...(this.#items.get(share) ?? []), ...items])
  }

  /** `state` follows the event, and possibly later events. */
  onEvent(event: AppEvent, state: AppState): void {
    const entries = this.#options.isKept()
      ? entriesOf(event, state, (share) => this.#items.get(share) ?? [])
      : []
    if (event.type === 'share-removed') this.#items.delete(event.share)
    if (entries.length === 0) return
    if (this.#waiting.length === 0) {
      this.#cancelWrite = this.#options.clock.after(gatherMs, () => void this.#write())
    }
    this.#waiting.push(...entries)
  }

  /** Returns a page of entries. */
  list(query: HistoryQuery): Promise<HistoryPage> {
    return this.#store.list(query)
  }

  /** Returns one entry. Error: `E_BAD_ARGUMENT` if it was removed. */
  async find(id: number): Promise<Result<HistoryEntry, AppError>> {
    const entry = await this.#store.find(id)
    return entry === null ? err(appError('E_BAD_ARGUMENT', 'This entry is gone.')) : ok(entry)
  }

  /** Removes an entry, or with `null` all; the files stay. Error: the history file can't be changed. */
  async remove(id: number | null): Promise<Result<null, AppError>> {
    if (id === null) this.#options.onCleared?.()
    if (!(await this.#store.remove(id))) return err(appError('E_DISK_IO', 'the history file'))
    this.#report()
    return ok(null)
  }

  /** Returns the entries among these whose files are no longer where they were received. */
  async missing(ids: readonly number[]): Promise<readonly number[]> {
    const targets = await this.#store.targets(ids.slice(0, limits.historyPage))
    const { problems } = await this.#looks.check([...new Set(targets.values())])
    const gone = new Set(
      problems.filter(({ error }) => error.code === 'E_PATH_NOT_FOUND').map(({ path }) => path),
    )
    return [...targets].flatMap(([id, target]) => (gone.has(target) ? [id] : []))
  }

  /**
   * Resolves when all events so far are on disk or could not be written; more may follow. At the end of the program,
   * call it before the engine closes: loading the database takes as long as the engine's goodbye.
   */
  async flushed(): Promise<void> {
    this.#cancelWrite()
    await this.#write()
    await this.#store.settled()
  }

  async #write(): Promise<void> {
    const entries = this.#waiting
    this.#waiting = []
    if (entries.length > 0 && (await this.#store.add(entries))) this.#report()
  }

  #report(): void {
    this.#revision += 1
    this.#options.record({ type: 'history-changed', revision: this.#revision })
  }
}

const lookAt = (path: string): Promise<AppError | null> =>
  stat(path).then(
    () => null,
    (reason: unknown) => pathError(reason, path),
  )
