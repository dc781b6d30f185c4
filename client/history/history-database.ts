/**
 * The SQLite file `history.db` in the state folder. Each use opens and closes it under this program's own lock. Two
 * programs therefore never use it at the same time, and the lock of a killed program is recognized.
 */
import { closeSync, existsSync, lstatSync, openSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { Database } from 'node-sqlite3-wasm'
import { migrate, schemaVersion } from '#client/history/history-schema'
import { withFileLock } from '#client/state/file-lock'
import { isOwn, preparePrivateDirectory } from '#client/state/private-directory'
import type { StorageError } from '#shared/state/storage-error'

/** Far above `limits.historyBytes`. */
const maxBytes = 512 * 1024 * 1024

/** The file's folder, and a callback for its problems. */
export type HistoryDatabaseOptions = {
  /** An absolute path; created on the first write, readable by this account only. */
  readonly directory: string
  /** Called once for each kind of error. The program continues in every case. */
  readonly onError: (error: StorageError) => void
}

/** The reason why the file can't be used. */
class Unusable extends Error {
  readonly kind: StorageError['kind']

  constructor(kind: StorageError['kind'], detail: string) {
    super(detail)
    this.kind = kind
  }
}

/** Each program has one. */
export class HistoryDatabase {
  readonly #options: HistoryDatabaseOptions
  readonly #path: string
  readonly #reported = new Set<StorageError['kind']>()
  #isChecked = false
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: HistoryDatabaseOptions) {
    this.#options = options
    this.#path = join(options.directory, 'history.db')
  }

  /**
   * Returns the result of `run`, after all earlier uses; `null` if the file can't be used, or is
   * missing and must not be created.
   */
  use<T>(whenMissing: 'create' | 'leave', run: (database: Database) => T): Promise<T | null> {
    const done = this.#last.then(() => this.#use(whenMissing, run))
    this.#last = done
    return done
  }

  /** Resolves when all uses so far are over. */
  async settled(): Promise<void> {
    await this.#last
  }

  async #use<T>(
    whenMissing: 'create' | 'leave',
    run: (database: Database) => T,
  ): Promise<T | null> {
    try {
      if (whenMissing === 'leave' && !existsSync(this.#path)) return null
      const unsafe = preparePrivateDirectory(this.#options.directory, 'create')
      if (unsafe !== null) throw new Unusable('unsafe', unsafe)
      return await withFileLock(`${this.#path}.guard`, () => this.#open(run))
    } catch (reason) {
      const kind = reason instanceof Unusable ? reason.kind : 'inaccessible'
      this.#report(kind, reason instanceof Error ? reason.message : String(reason))
      return null
    }
  }

  async #open<T>(run: (database: Database) => T): Promise<T> {
    setOptimizing(false)
    try {
      return await this.#run(run)
    } finally {
      setOptimizing(true)
    }
  }

  async #run<T>(run: (database: Database) => T): Promise<T> {
    // Loaded on demand: it takes a tenth of a second, and a megabyte.
    const sqlite = await import('node-sqlite3-wasm')
    this.#prepareFile()
    // The previous holder of this lock has ended, because the guard was free.
    rmSync(`${this.#path}.lock`, { recursive: true, force: true })
    const open = (): Database => opened(new sqlite.Database(this.#path), !this.#isChecked)
    let database: Database
    try {
      database = open()
    } catch (reason) {
      if (reason instanceof Unusable) throw reason
      if (!isDamage(reason)) throw reason
      this.#setAside(reason)
      database = open()
    }
    this.#isChecked = true
    try {
      return run(database)
    } finally {
      database.close()
    }
  }

  /** Makes the file unreadable to other accounts, and follows no link. */
  #prepareFile(): void {
    try {
      const status = lstatSync(this.#path)
      if (!status.isFile()) throw new Unusable('unsafe', 'not a file')
      if (!isOwn(status)) throw new Unusable('unsafe', 'of another account')
      if (status.size > maxBytes) this.#setAside(new Error('larger than it ever gets'))
    } catch (reason) {
      if ((reason as NodeJS.ErrnoException).code !== 'ENOENT') throw reason
    }
    if (!existsSync(this.#path)) closeSync(openSync(this.#path, 'wx', 0o600))
  }

  /** Keeps the damaged file for inspection. */
  #setAside(reason: unknown): void {
    const time = new Date().toISOString().replace(/[:.]/g, '-')
    for (const end of ['', '-journal']) {
      if (existsSync(this.#path + end)) {
        renameSync(this.#path + end, `${this.#path}.bad-${time}${end}`)
      }
    }
    closeSync(openSync(this.#path, 'wx', 0o600))
    this.#report('damaged', reason instanceof Error ? reason.message : String(reason))
  }

  #report(kind: StorageError['kind'], detail: string): void {
    if (this.#reported.has(kind)) return
    this.#reported.add(kind)
    this.#options.onError({ file: this.#path, kind, detail })
  }
}

/**
 * Turns V8's background optimization of newly compiled WebAssembly on or off. Electron hangs forever if it quits during
 * such an optimization. Both flags are restored afterwards: V8's code cache for later starts of the command is valid
 * only for the same flags.
 */
function setOptimizing(isOptimizing: boolean): void {
  for (const flag of ['wasm-tier-up', 'wasm-dynamic-tiering']) {
    setFlagsFromString(isOptimizing ? `--${flag}` : `--no-${flag}`)
  }
}

/** The open database, ready to use; each program checks its content once. */
function opened(database: Database, checks: boolean): Database {
  try {
    database.exec('PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA secure_delete=ON')
    const version = Number(database.get('PRAGMA user_version')?.['user_version'])
    if (version > schemaVersion) throw new Unusable('newer', `version ${version}`)
    if (checks) {
      const found = database.get('PRAGMA quick_check(1)')?.['quick_check']
      if (found !== 'ok') throw new Error('malformed content')
    }
    migrate(database, version)
    return database
  } catch (reason) {
    database.close()
    throw reason
  }
}

const isDamage = (reason: unknown): boolean =>
  reason instanceof Error && /malformed|not a database|no such (table|column)/.test(reason.message)
