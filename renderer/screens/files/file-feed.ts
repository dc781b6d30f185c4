/**
 * The page of a transfer's files around the visible rows. Sends one query at a time: immediately for a different view,
 * once a second while files move, and none while the window is hidden.
 */
import type { AppError } from '#shared/errors'
import type { FileFilter, FilePage, FileQuery, TransferFile } from '#shared/files'
import type { Result } from '#shared/result'
import type { OtherSide } from '#shared/state/app-state'

/** Interval between queries while files move. */
const intervalMs = 1000

/** Rows of one page: the visible ones, and as many above and below them. */
export const pageRows = 120
const rowsAbove = 40

/** The filter, search and position of the list. */
export type FileView = {
  readonly filter: FileFilter
  readonly query: string
  readonly firstRow: number
}

type Ask = (asked: {
  readonly side: OtherSide
  readonly query: FileQuery
}) => Promise<Result<FilePage, AppError>>

/** The loaded rows of the current view. */
export type Rows = Pick<FilePage, 'offset' | 'files' | 'total'> & {
  /** `null` until the first answer. */
  readonly counts: FilePage['counts'] | null
}

const none: Rows = { counts: null, offset: 0, files: [], total: 0 }

export const rowAt = ({ offset, files }: Rows, row: number): TransferFile | null =>
  files[row - offset] ?? null

export class FileFeed {
  readonly #side: OtherSide
  readonly #ask: Ask
  readonly #isHidden: () => boolean
  readonly #listeners = new Set<() => void>()
  #view: FileView = { filter: 'all', query: '', firstRow: 0 }
  #rows = none
  #isAsking = false
  #mustAskAgain = false

  constructor(side: OtherSide, ask: Ask, isHidden: () => boolean) {
    this.#side = side
    this.#ask = ask
    this.#isHidden = isHidden
  }

  get rows(): Rows {
    return this.#rows
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** Refreshes once a second until the returned function is called. */
  poll(): () => void {
    const timer = setInterval(() => this.refresh(), intervalMs)
    return () => clearInterval(timer)
  }

  /** Changes the view, and loads its rows if necessary. */
  show(view: FileView): void {
    const isOther = view.filter !== this.#view.filter || view.query !== this.#view.query
    this.#view = view
    // Rows of another filter don't apply here; the counts are the same for all.
    if (isOther) this.#set({ ...none, counts: this.#rows.counts })
    if (isOther || this.#rows.counts === null || !this.#holds(view.firstRow)) this.refresh()
  }

  /** Reloads the current rows. */
  refresh(): void {
    if (this.#isHidden()) return
    if (this.#isAsking) this.#mustAskAgain = true
    else void this.#fetch()
  }

  async #fetch(): Promise<void> {
    const { filter, query, firstRow } = this.#view
    this.#isAsking = true
    this.#mustAskAgain = false
    const offset = Math.max(0, firstRow - rowsAbove)
    const asked = { filter, query, offset, limit: pageRows }
    const reply = await this.#ask({ side: this.#side, query: asked })
    this.#isAsking = false
    if (filter === this.#view.filter && query === this.#view.query && reply.ok) {
      this.#set(reply.value)
    }
    if (this.#isAskedAgain()) void this.#fetch()
  }

  #isAskedAgain(): boolean {
    return this.#mustAskAgain
  }

  /** True if the rows from here on fill some screens, or reach the end of the list. */
  #holds(firstRow: number): boolean {
    const { offset, files, total } = this.#rows
    const end = Math.min(total, firstRow + rowsAbove)
    return firstRow >= offset && end <= offset + files.length
  }

  #set(rows: Rows): void {
    this.#rows = rows
    for (const listener of this.#listeners) listener()
  }
}
