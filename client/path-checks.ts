/**
 * Checks paths that may be on a hanging disk, using few of Node's threads, which serve all disks,
 * names and files of a process. A hanging disk blocks its thread, so only some threads are risked.
 */
import { dirname } from 'node:path'
import type { Clock } from '#client/clock'
import { type AppError, appError } from '#shared/errors'

/** Usable paths, and unusable ones with the reason. */
export type CheckedPaths = {
  readonly usable: readonly string[]
  readonly problems: readonly { readonly path: string; readonly error: AppError }[]
}

/** One kind of check. */
export type PathChecking = {
  /** Returns the reason why a path can't be used, or `null`; it may never resolve. */
  readonly check: (path: string) => Promise<AppError | null>
  /** Limits the checks that may hang at a time; Node has four threads by default. */
  readonly maxUnanswered: number
  /** The time after which a disk is considered hanging. */
  readonly timeoutMs: number
}

/** A caller that waits for the reason why a path can't be used, or `null`. */
type Waiting = { readonly path: string; readonly resolve: (error: AppError | null) => void }

/** A running check; `isLate` once its time is over. */
type PathCheck = { readonly folder: string; isLate: boolean }

/** A client has one for each kind of check. */
export class PathChecks {
  readonly #clock: Clock
  readonly #checking: PathChecking
  /** Waiting checks by their path's folder, because a folder is probably on one disk. */
  readonly #waiting = new Map<string, Waiting[]>()
  readonly #running = new Set<PathCheck>()

  constructor(clock: Clock, checking: PathChecking) {
    this.#clock = clock
    this.#checking = checking
  }

  /**
   * Checks each of `paths`, which are absolute; the order is kept. A path that takes too long is a
   * problem. Once `maxUnanswered` checks hang, no more begin: paths in the folder of a hanging one
   * are problems, and all others are assumed usable.
   */
  async check(paths: readonly string[]): Promise<CheckedPaths> {
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
    while (this.#running.size < this.#checking.maxUnanswered) {
      const folder = this.#nextFolder()
      if (folder === undefined) return
      const beside = this.#waiting.get(folder) ?? []
      const next = beside.shift()
      if (beside.length === 0) this.#waiting.delete(folder)
      if (next !== undefined) void this.#run(next, folder)
    }
    if ([...this.#running].every(({ isLate }) => isLate)) this.#giveUp()
  }

  /** Prefers a folder without a running check, so that a hanging disk blocks more threads only as a last resort. */
  #nextFolder(): string | undefined {
    const busy = new Set([...this.#running].map(({ folder }) => folder))
    for (const folder of this.#waiting.keys()) if (!busy.has(folder)) return folder
    return this.#waiting.keys().next().value
  }

  async #run({ path, resolve }: Waiting, folder: string): Promise<void> {
    const check: PathCheck = { folder, isLate: false }
    this.#running.add(check)
    const cancel = this.#clock.after(this.#checking.timeoutMs, () => {
      check.isLate = true
      resolve(noAnswer(path))
      this.#begin()
    })
    resolve(await this.#checking.check(path))
    cancel()
    this.#running.delete(check)
    this.#begin()
  }

  /** Resolves checks that have no thread left. */
  #giveUp(): void {
    const hanging = new Set([...this.#running].map(({ folder }) => folder))
    for (const [folder, all] of this.#waiting) {
      for (const { path, resolve } of all) resolve(hanging.has(folder) ? noAnswer(path) : null)
    }
    this.#waiting.clear()
  }
}

/** Converts the system's error about a path. */
export function pathError(reason: unknown, path: string): AppError {
  const { code = '' } = reason as NodeJS.ErrnoException
  const isMissing = code === 'ENOENT' || code === 'ENOTDIR'
  return appError(isMissing ? 'E_PATH_NOT_FOUND' : 'E_PATH_UNREADABLE', code, path)
}

const noAnswer = (path: string): AppError => appError('E_DISK_IO', 'no answer in time', path)
