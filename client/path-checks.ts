/**
 * Looks at paths that may be on a disk that hangs, on the few threads that Node has for all disks, names and
 * files of a process. A disk that does not answer keeps its thread, so only a part of them is risked.
 */
import { dirname } from 'node:path'
import type { Clock } from '#client/clock'
import { type AppError, appError } from '#shared/errors'

/** Paths that can be used, and those that can't with the reason. */
export type CheckedPaths = {
  readonly usable: readonly string[]
  readonly problems: readonly { readonly path: string; readonly error: AppError }[]
}

/** What paths are looked at for. */
export type PathChecking = {
  /** Says why a path can't be used, and may never answer. */
  readonly check: (path: string) => Promise<AppError | null>
  /** How many may hang at the same time, of the four threads that Node has by default. */
  readonly maxUnanswered: number
  /** After which a disk counts as one that hangs. */
  readonly timeoutMs: number
}

/** A caller that waits for the reason why a path can't be used, or `null`. */
type Waiting = { readonly path: string; readonly resolve: (error: AppError | null) => void }

/** A check under way; `isLate`: it has no answer, and its time is over. */
type PathCheck = { readonly folder: string; isLate: boolean }

/** A client has one for each kind of check. */
export class PathChecks {
  readonly #clock: Clock
  readonly #checking: PathChecking
  /** By the folder they are in, whose disk they probably share. */
  readonly #waiting = new Map<string, Waiting[]>()
  readonly #running = new Set<PathCheck>()

  constructor(clock: Clock, checking: PathChecking) {
    this.#clock = clock
    this.#checking = checking
  }

  /**
   * Checks each of `paths`, which are absolute; the order stays. What does not answer in time is a
   * problem. Once as many checks hang as may hang, no more begin: paths in the same folder as one that
   * hangs are problems, too, and all others count as usable.
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

  /** Prefers a folder in which no check is under way, so that a disk that hangs gets further threads last. */
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

  /** Answers those that no thread is left for. */
  #giveUp(): void {
    const hanging = new Set([...this.#running].map(({ folder }) => folder))
    for (const [folder, all] of this.#waiting) {
      for (const { path, resolve } of all) resolve(hanging.has(folder) ? noAnswer(path) : null)
    }
    this.#waiting.clear()
  }
}

/** What the system said about a path, as an error. */
export function pathError(reason: unknown, path: string): AppError {
  const { code = '' } = reason as NodeJS.ErrnoException
  const isMissing = code === 'ENOENT' || code === 'ENOTDIR'
  return appError(isMissing ? 'E_PATH_NOT_FOUND' : 'E_PATH_UNREADABLE', code, path)
}

const noAnswer = (path: string): AppError => appError('E_DISK_IO', 'no answer in time', path)
