/** What of a share can't be offered, each thing told once: ten receivers meet the same problem. */
import type { NewShareEvent, SessionContext } from '#client/session/session-context'
import type { AppError } from '#shared/errors'
import { limits } from '#shared/limits'
import type { SourceItem } from '#shared/settings/share-options'

/** One for a share. */
export class ShareProblems {
  readonly #record: (event: NewShareEvent) => void
  readonly #reported = new Set<string>()

  #itemsLeftOut = 0

  constructor(record: (event: NewShareEvent) => void) {
    this.#record = record
  }

  /** True once something was told. */
  get any(): boolean {
    return this.#reported.size > 0
  }

  /** Items that were found to be unusable before the engine saw them. */
  get itemsLeftOut(): number {
    return this.#itemsLeftOut
  }

  /** Tells it, unless it was told or too many were. */
  report(path: string, error: AppError): void {
    const key = `${error.code} ${path}`
    if (this.#reported.has(key) || this.#reported.size >= limits.problemsShown) return
    this.#reported.add(key)
    this.#record({ type: 'share-problem', path, error })
  }

  /** The items that can be offered; the others are told, unless the share is over meanwhile. */
  async offerable(
    items: readonly SourceItem[],
    sources: SessionContext['sources'],
    isOver: () => boolean,
  ): Promise<readonly SourceItem[]> {
    const paths = items.flatMap((item) => (item.kind === 'path' ? [item.path] : []))
    const { problems } = await sources.check(paths)
    if (isOver()) return []
    for (const { path, error } of problems) this.report(path, error)
    const unusable = new Set(problems.map(({ path }) => path))
    const usable = items.filter((item) => item.kind !== 'path' || !unusable.has(item.path))
    this.#itemsLeftOut += items.length - usable.length
    return usable
  }
}
