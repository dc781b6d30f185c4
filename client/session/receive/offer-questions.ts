/** Questions about what a sender offers: its folders and files, and what accepting would mean. */
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

/** Posts a command to the session that has the offer; errors also without one. */
type Post = (ask: (session: SessionNumber) => EngineCommand) => AppError | null

/** The engine's events that answer them. */
export type EngineAnswer = Extract<
  EngineEvent,
  { readonly type: 'listing' | 'files' | 'preflight' }
>

const listingKey = ({ path, query, offset }: Omit<OfferQuery, 'limit'>): string =>
  JSON.stringify([path, query, offset])

/** One for a receive, across all its connections. Errors are those of `post` and of `PendingAnswers`. */
export class OfferQuestions {
  readonly #post: Post
  readonly #listings: PendingAnswers<Listing>
  readonly #preflights: PendingAnswers<Preflight>
  readonly #files: FilePages
  /** Names of the offer, at any depth, begin with a dot. */
  #hasDotNames = false

  constructor(clock: Clock, post: Post) {
    this.#post = post
    this.#listings = new PendingAnswers(clock)
    this.#preflights = new PendingAnswers(clock)
    this.#files = new FilePages(clock)
  }

  /** There is an offer, or another one. */
  offered({ dotNames }: { readonly dotNames: boolean }): void {
    this.#hasDotNames = dotNames
  }

  /** Lists a folder of the offer (`''`: the top), or searches it; at most `limits.entriesShown` entries. */
  list(asked: OfferQuery): Promise<Result<Listing, AppError>> {
    return this.#listings.ask(listingKey(asked), () =>
      this.#post((session) => ({ type: 'list-offer', session, ...asked })),
    )
  }

  /** A page of its files, at most `limits.entriesShown`. */
  listFiles(query: FileQuery): Promise<Result<FilePage, AppError>> {
    return this.#files.ask(query, (ask) => this.#post((session) => ask(session, '')))
  }

  /** What accepting as planned would mean. */
  preflight({ directory, options, selection }: ReceivePlan): Promise<Result<Preflight, AppError>> {
    return this.#preflights.ask(directory, () =>
      this.#post((session) => ({ type: 'preflight', session, directory, options, selection })),
    )
  }

  /** The engine's answer. */
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

  /** No answer will come. */
  fail(error: AppError): void {
    this.#listings.fail(error)
    this.#preflights.fail(error)
    this.#files.fail(error)
  }
}
