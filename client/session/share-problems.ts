/** What of a share can't be offered, each thing told once: ten receivers meet the same problem. */
import type { NewShareEvent } from '#client/session/session-context'
import type { AppError } from '#shared/errors'
import { limits } from '#shared/limits'

/** One for a share. */
export class ShareProblems {
  readonly #record: (event: NewShareEvent) => void
  readonly #reported = new Set<string>()

  constructor(record: (event: NewShareEvent) => void) {
    this.#record = record
  }

  /** Tells it, unless it was told or too many were. */
  report(path: string, error: AppError): void {
    const key = `${error.code} ${path}`
    if (this.#reported.has(key) || this.#reported.size >= limits.problemsShown) return
    this.#reported.add(key)
    this.#record({ type: 'share-problem', path, error })
  }
}
