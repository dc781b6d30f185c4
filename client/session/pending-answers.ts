/** Questions to the engine whose answers arrive as events, in the order of the questions. */
import type { Clock } from '#client/clock'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'

/** A window requests one page after another, so this is ample. */
const maxOpen = 100

type Question<T> = {
  readonly key: string
  readonly resolve: (result: Result<T, AppError>) => void
}

/** A disk that spins up has answered by then; a hanging one may never answer. */
const answerTimeoutMs = 30_000

/** A question and its answer share a key. */
export class PendingAnswers<T> {
  readonly #clock: Clock
  #open: readonly Question<T>[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Asks by calling `post`, which may refuse. Errors: the refusal, and `E_ENGINE_BUSY` above the bound or without an
   * answer in 30 s. The engine still works on a late question, so it counts until answered.
   */
  ask(key: string, post: () => AppError | null): Promise<Result<T, AppError>> {
    const error =
      this.#open.length < maxOpen ? post() : appError('E_ENGINE_BUSY', 'too many questions')
    if (error !== null) return Promise.resolve(err(error))
    return new Promise((resolve) => {
      const cancel = this.#clock.after(answerTimeoutMs, () =>
        resolve(err(appError('E_ENGINE_BUSY', 'no answer in time', key))),
      )
      const finish = (result: Result<T, AppError>): void => {
        cancel()
        resolve(result)
      }
      this.#open = [...this.#open, { key, resolve: finish }]
    })
  }

  /** Answers the oldest question with this key. */
  answer(key: string, value: T): void {
    this.#settle(key, ok(value))
  }

  /** Answers the oldest question with an error. */
  refuse(key: string, error: AppError): void {
    this.#settle(key, err(error))
  }

  /** Fails all open questions. */
  fail(error: AppError): void {
    const open = this.#open
    this.#open = []
    for (const { resolve } of open) resolve(err(error))
  }

  #settle(key: string, result: Result<T, AppError>): void {
    const question = this.#open.find((one) => one.key === key)
    this.#open = this.#open.filter((one) => one !== question)
    question?.resolve(result)
  }
}
