/** Questions about a sender's offer: its folders and files, and the consequences of accepting. */
import type { Clock } from '#client/clock'
import type { EngineCommand, EngineEvent } from '#client/engine'
import type { SessionNumber } from '#client/engine-link'
import { listingOf, preflightOf } from '#client/from-engine'
import { FilePages } from '#client/session/file-pages'
import { PendingAnswers } from '#client/session/pending-answers'
import { cautionsOf } from '#client/session/receive/target-caution'
import type { AppError } from '#shared/errors'
import type { FilePage, FileQuery } from '#shared/files'
import type { Listing, OfferQuery, Preflight } from '#shared/offer'
import type { Result } from '#shared/result'
import type { ReceivePlan } from '#shared/settings/receive-options'

/** Posts a command to the session that has the offer; an error if there is none. */
type Post = (ask: (session: SessionNumber) => EngineCommand) => AppError | null

/** The engine's answers to these questions. */
export type EngineAnswer = Extract<
  EngineEvent,
  { readonly type: 'listing' | 'files' | 'preflight' }
>

const listingKey = ({ path, query, offset }: Omit<OfferQuery, 'limit'>): string =>
  JSON.stringify([path, query, offset])

/** Each receive has one, for all its connections. Errors are those of `post` and of `PendingAnswers`. */
export class OfferQuestions {
  readonly #post: Post
  readonly #listings: PendingAnswers<Listing>
  readonly #preflights: PendingAnswers<Preflight>
  readonly #files: FilePages
  /** True if a name in the offer begins with a dot, at any depth. */
  #hasDotNames = false

  constructor(clock: Clock, post: Post) {
    this.#post = post
    this.#listings = new PendingAnswers(clock)
    this.#preflights = new PendingAnswers(clock)
    this.#files = new FilePages(clock)
  }

  /** Call it for each offer. */
  offered({ dotNames }: { readonly dotNames: boolean }): void {
    this.#hasDotNames = dotNames
  }

  /** Lists a folder of the offer (`''` for the top), or searches it; at most `limits.entriesShown` entries. */
  list(asked: OfferQuery): Promise<Result<Listing, AppError>> {
    return this.#listings.ask(listingKey(asked), () =>
      this.#post((session) => ({ type: 'list-offer', session, ...asked })),
    )
  }

  /** Returns a page of the offer's files, at most `limits.entriesShown`. */
  listFiles(query: FileQuery): Promise<Result<FilePage, AppError>> {
    return this.#files.ask(query, (ask) => this.#post((session) => ask(session, '')))
  }

  /** Determines the consequences of accepting this plan. */
  preflight({ directory, options, selection }: ReceivePlan): Promise<Result<Preflight, AppError>> {
    return this.#preflights.ask(directory, () =>
      this.#post((session) => ({ type: 'preflight', session, directory, options, selection })),
    )
  }

  /** Handles the engine's answer. */
  onAnswer(event: EngineAnswer): void {
    switch (event.type) {
      case 'listing':
        this.#listings.answer(listingKey(event), listingOf(event))
        break
      case 'files':
        this.#files.onAnswer(event)
        break
      case 'preflight':
        this.#preflights.answer(
          event.directory,
          preflightOf(event, cautionsOf(event.directory, this.#hasDotNames)),
        )
        break
    }
  }

  /** Fails all open questions. */
  fail(error: AppError): void {
    this.#listings.fail(error)
    this.#preflights.fail(error)
    this.#files.fail(error)
  }
}
