/** Requests pages of the files of one session's transfers from the engine. */
import type { Clock } from '#client/clock'
import type { EngineCommand, EngineEvent } from '#client/engine'
import { fromEngine, type SessionNumber } from '#client/engine-link'
import { PendingAnswers } from '#client/session/pending-answers'
import type { AppError } from '#shared/errors'
import type { FilePage, FileQuery } from '#shared/files'
import { limits } from '#shared/limits'
import type { Result } from '#shared/result'

/** Request numbers wrap around at this bound. */
const maxRequests = 2 ** 31

type Ask = Extract<EngineCommand, { readonly type: 'list-files' }>
type Answer = Extract<EngineEvent, { readonly type: 'files' }>

export class FilePages {
  readonly #pending: PendingAnswers<FilePage>
  /** The offset of each requested page. */
  readonly #offsets = new Map<number, number>()
  #last = 0

  constructor(clock: Clock) {
    this.#pending = new PendingAnswers(clock)
  }

  /**
   * `peer` is empty for a receive. Errors: those of `PendingAnswers` and of `post`, and
   * `E_ENGINE_BUSY` while the engine prepares another page of the same transfer.
   */
  async ask(
    query: FileQuery,
    post: (command: (session: SessionNumber, peer: string) => Ask) => AppError | null,
  ): Promise<Result<FilePage, AppError>> {
    const request = this.#last
    this.#last = (this.#last + 1) % maxRequests
    this.#offsets.set(request, query.offset)
    const page = await this.#pending.ask(String(request), () =>
      post((session, peer) => ({ type: 'list-files', session, peer, request, ...query })),
    )
    this.#offsets.delete(request)
    return page
  }

  /** Handles the engine's answer. */
  onAnswer({ request, error, counts, total, files }: Answer): void {
    const key = String(request)
    const offset = this.#offsets.get(request) ?? 0
    if (error !== null) this.#pending.refuse(key, fromEngine(error))
    else
      this.#pending.answer(key, {
        counts,
        total,
        offset,
        files: files.slice(0, limits.entriesShown),
      })
  }

  /** Fails all open requests. */
  fail(error: AppError): void {
    this.#pending.fail(error)
  }
}
