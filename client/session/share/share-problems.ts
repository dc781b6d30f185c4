/** Problems with a share's items, each reported once: ten receivers can meet the same one. */
import type { NewShareEvent, SessionContext } from '#client/session/session-context'
import { type AppError, appError } from '#shared/errors'
import { limits } from '#shared/limits'
import type { ShareOptions, SourceItem } from '#shared/settings/share-options'

/** Each share has one. */
export class ShareProblems {
  readonly #record: (event: NewShareEvent) => void
  readonly #reported = new Set<string>()

  #itemsLeftOut = 0

  constructor(record: (event: NewShareEvent) => void) {
    this.#record = record
  }

  /** True once a problem was reported. */
  get any(): boolean {
    return this.#reported.size > 0
  }

  /** The number of items found unusable before the engine received them. */
  get itemsLeftOut(): number {
    return this.#itemsLeftOut
  }

  /** Reports a problem, unless it was reported before or too many were. */
  report(path: string, error: AppError): void {
    const key = `${error.code} ${path}`
    if (this.#reported.has(key) || this.#reported.size >= limits.problemsShown) return
    this.#reported.add(key)
    this.#record({ type: 'share-problem', path, error })
  }

  /** The usable items; problems of the others are reported unless the share has ended meanwhile. */
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

  /** Explains an empty offer that has no problems: the sender's own patterns excluded everything. */
  explained(error: AppError, { exclude, gitignore }: ShareOptions): AppError {
    const excludes = exclude.length > 0 || gitignore
    return error.code === 'E_NOTHING_TO_SEND' && excludes && !this.any
      ? appError('E_NOTHING_TO_SEND', 'all of it is excluded')
      : error
  }
}
