/** The entries of the history: written in groups, read in pages. */
import type { Database, QueryResult } from 'node-sqlite3-wasm'
import { HistoryDatabase, type HistoryDatabaseOptions } from '#client/history/history-database'
import { limits } from '#shared/limits'
import {
  type HistoryEntry,
  historyEntrySchema,
  type HistoryFilter,
  type HistoryPage,
  type HistoryQuery,
  type NewHistoryEntry,
} from '#shared/state/history'

/** SQL conditions of the filters; none has a parameter. */
const conditions: Readonly<Record<HistoryFilter, string>> = {
  all: '1',
  received: "direction = 'received'",
  sent: "direction = 'sent'",
  problems: 'has_problems',
}

/** The page of a missing or unusable file. */
const nothing: HistoryPage = { entries: [], total: 0 }

/** Each program has one; every call waits for earlier ones. */
export class HistoryStore {
  readonly #database: HistoryDatabase
  readonly #most: number
  readonly #maxBytes: number

  /** Keeps the newest `most` entries, or fewer if they exceed `maxBytes`. */
  constructor(
    options: HistoryDatabaseOptions,
    most: number = limits.historyKept,
    maxBytes: number = limits.historyBytes,
  ) {
    this.#database = new HistoryDatabase(options)
    this.#most = most
    this.#maxBytes = maxBytes
  }

  /** Adds entries, each replacing an earlier one of the same transfer. Returns false if they are lost. */
  async add(entries: readonly NewHistoryEntry[]): Promise<boolean> {
    const isDone = await this.#database.use('create', (database) => {
      inTransaction(database, () => {
        for (const entry of entries) insert(database, entry)
        database.run(
          `DELETE FROM transfers WHERE id NOT IN
             (SELECT id FROM transfers ORDER BY ended_at DESC, id DESC LIMIT ?)`,
          [this.#most],
        )
        while (usedBytes(database) > this.#maxBytes && removeOldest(database)) continue
      })
      return true
    })
    return isDone ?? false
  }

  /** A page of the entries that contain the text. */
  async list({ text, filter, offset, limit }: HistoryQuery): Promise<HistoryPage> {
    const where = `${conditions[filter]} AND instr(words, ?) > 0`
    const words = searchable(text)
    const page = await this.#database.use('leave', (database) => {
      const rows = database.all(
        `SELECT id, entry FROM transfers WHERE ${where}
           ORDER BY ended_at DESC, id DESC LIMIT ? OFFSET ?`,
        [words, limit, offset],
      )
      const total = database.get(`SELECT count(*) AS total FROM transfers WHERE ${where}`, [words])
      return { entries: rows.flatMap(entryOf), total: Number(total?.['total']) }
    })
    return page ?? nothing
  }

  /** One entry; `null` if it was removed. */
  find(id: number): Promise<HistoryEntry | null> {
    return this.#database.use('leave', (database) => {
      const row = database.get('SELECT id, entry FROM transfers WHERE id = ?', [id])
      return row === null ? null : (entryOf(row)[0] ?? null)
    })
  }

  /** The paths that these entries were received to; sent or removed entries have none. */
  async targets(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const found = await this.#database.use('leave', (database) =>
      database
        .all(`SELECT id, entry FROM transfers WHERE id IN (${ids.map(() => '?').join()})`, [...ids])
        .flatMap(entryOf),
    )
    return new Map(
      (found ?? []).flatMap(({ id, target }) => (target === null ? [] : [[id, target] as const])),
    )
  }

  /** Removes one entry, or with `null` all, and overwrites their bytes. Returns false on failure. */
  async remove(id: number | null): Promise<boolean> {
    const isDone = await this.#database.use('leave', (database) => {
      if (id === null) database.run('DELETE FROM transfers')
      else database.run('DELETE FROM transfers WHERE id = ?', [id])
      return true
    })
    return isDone ?? false
  }

  /** Resolves when all requested writes are on disk or have failed. */
  settled(): Promise<void> {
    return this.#database.settled()
  }
}

function inTransaction(database: Database, run: () => void): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    run()
    database.exec('COMMIT')
  } catch (reason) {
    if (database.inTransaction) database.exec('ROLLBACK')
    throw reason
  }
}

/** Bytes on disk that the entries use. */
function usedBytes(database: Database): number {
  const of = (name: string): number => Number(database.get(`PRAGMA ${name}`)?.[name])
  return (of('page_count') - of('freelist_count')) * of('page_size')
}

/** Makes room. Returns false if at most one entry exists, which stays. */
function removeOldest(database: Database): boolean {
  const count = Number(database.get('SELECT count(*) AS count FROM transfers')?.['count'])
  if (count <= 1) return false
  database.run(
    `DELETE FROM transfers WHERE id IN
       (SELECT id FROM transfers ORDER BY ended_at, id LIMIT ?)`,
    [Math.ceil(count / 20)],
  )
  return true
}

function insert(database: Database, entry: NewHistoryEntry): void {
  const { direction, transfer, endedAtMs, title, person, problemCount, outcome } = entry
  const hasProblems = problemCount > 0 || outcome !== 'done' ? 1 : 0
  const words = searchable([title, person, entry.folder ?? '', ...entry.paths].join('\n'))
  database.run(
    `INSERT OR REPLACE INTO transfers (direction, transfer, ended_at, has_problems, words, entry)
       VALUES (?, ?, ?, ?, ?, ?)`,
    [direction, transfer, endedAtMs, hasProblems, words, JSON.stringify(entry)],
  )
}

/** Unifies letters that people consider the same. */
const searchable = (text: string): string => text.normalize('NFKC').toLowerCase()

/** Empty for an invalid row. */
function entryOf({ id, entry }: QueryResult): readonly HistoryEntry[] {
  try {
    const content: unknown = typeof entry === 'string' ? JSON.parse(entry) : null
    const parsed = historyEntrySchema.safeParse({ ...(content as object), id: Number(id) })
    return parsed.success ? [parsed.data] : []
  } catch {
    return []
  }
}
