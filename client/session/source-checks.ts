/**
 * First checks of what a person asked to share, on the few threads that Node has for all disks, names and
 * files of a process. A disk that does not answer keeps its thread, so only a part of them is risked.
 */
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Clock } from '#client/clock'
import { type AppError, appError } from '#shared/errors'

/** Paths that can be offered, and those that can't with the reason. */
export type CheckedSources = {
  readonly usable: readonly string[]
  readonly problems: readonly { readonly path: string; readonly error: AppError }[]
}

/** Checks that may hang at the same time, of the four threads that Node has by default. */
const mostUnanswered = 2

/** A disk that slept is awake by then; one that is gone, or a server that serves it, may never answer. */
const checkTimeoutMs = 20_000

/** A caller that waits for the reason why a path can't be offered, or `null`. */
type Waiting = { readonly path: string; readonly resolve: (error: AppError | null) => void }

/** A check under way; `isLate`: it has no answer, and its time is over. */
type SourceCheck = { readonly folder: string; isLate: boolean }

/** Each client has one. `checkPath` says why a path can't be offered, and may never answer. */
export class SourceChecks {
  readonly #clock: Clock
  readonly #checkPath: (path: string) => Promise<AppError | null>
  /** By the folder they are in, whose disk they probably share. */
  readonly #waiting = new Map<string, Waiting[]>()
  readonly #running = new Set<SourceCheck>()

  constructor(clock: Clock, checkPath: (path: string) => Promise<AppError | null> = checkSource) {
    this.#clock = clock
    this.#checkPath = checkPath
  }

  /**
   * Checks each of `paths`, which are absolute; the order stays. What does not answer in 20 s is a
   * problem. Once as many checks hang as may hang, no more begin: paths in the same folder as one that
   * hangs are problems, too, and all others count as usable. The engine, which has threads of its own,
   * checks everything again.
   */
  async check(paths: readonly string[]): Promise<CheckedSources> {
    const asked = paths.map((path) => this.#enqueue(path))
    this.#begin()
    const errors = await Promise.all(asked)
    return {
      usable: paths.filter((_, index) => errors[index] === null),
      problems: paths.flatMap((path, index) => {
        const error = errors[index] ?? null
        return error === null ? [] : [{ path, error }]
      }),
    }
  }

  #enqueue(path: string): Promise<AppError | null> {
    return new Promise((resolve) => {
      const folder = dirname(path)
      const beside = this.#waiting.get(folder)
      if (beside === undefined) this.#waiting.set(folder, [{ path, resolve }])
      else beside.push({ path, resolve })
    })
  }

  #begin(): void {
    while (this.#running.size < mostUnanswered) {
      const folder = this.#nextFolder()
      if (folder === undefined) return
      const beside = this.#waiting.get(folder) ?? []
      const next = beside.shift()
      if (beside.length === 0) this.#waiting.delete(folder)
      if (next !== undefined) void this.#run(next, folder)
    }
    if ([...this.#running].every(({ isLate }) => isLate)) this.#giveUp()
  }

  /** Prefers a folder in which no check is under way, so that a disk that hangs gets the second thread last. */
  #nextFolder(): string | undefined {
    const busy = new Set([...this.#running].map(({ folder }) => folder))
    for (const folder of this.#waiting.keys()) if (!busy.has(folder)) return folder
    return this.#waiting.keys().next().value
  }

  async #run({ path, resolve }: Waiting, folder: string): Promise<void> {
    const check: SourceCheck = { folder, isLate: false }
    this.#running.add(check)
    const cancel = this.#clock.after(checkTimeoutMs, () => {
      check.isLate = true
      resolve(noAnswer(path))
      this.#begin()
    })
    resolve(await this.#checkPath(path))
    cancel()
    this.#running.delete(check)
    this.#begin()
  }

  /** Answers those that no thread is left for. */
  #giveUp(): void {
    const hanging = new Set([...this.#running].map(({ folder }) => folder))
    for (const [folder, all] of this.#waiting) {
      for (const { path, resolve } of all) resolve(hanging.has(folder) ? noAnswer(path) : null)
    }
    this.#waiting.clear()
  }
}

const noAnswer = (path: string): AppError => appError('E_DISK_IO', 'no answer in time', path)

async function checkSource(path: string): Promise<AppError | null> {
  try {
    const found = await stat(path)
    if (!found.isFile() && !found.isDirectory()) return appError('E_PATH_UNSUPPORTED', '', path)
    const needed = found.isDirectory() ? constants.R_OK | constants.X_OK : constants.R_OK
    await access(path, needed)
    return null
  } catch (reason) {
    const code = (reason as NodeJS.ErrnoException).code ?? ''
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR'
    return appError(isMissing ? 'E_PATH_NOT_FOUND' : 'E_PATH_UNREADABLE', code, path)
  }
}
