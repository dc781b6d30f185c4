/** Questions to the engine whose answers come as events, in the order of the questions. */
import type { Clock } from '#client/clock'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'

/** A window asks for one page after the other; nobody needs this many at once. */
const maxOpen = 100

type Question<T> = {
  readonly key: string
  readonly resolve: (result: Result<T, AppError>) => void
}

/** A disk that wakes up has answered by then; one that hangs may never. */
const answerTimeoutMs = 30_000

/** Questions are distinguished by a key that their answer also has. */
export class PendingAnswers<T> {
  readonly #clock: Clock
  #open: readonly Question<T>[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Asks by `post`, which may refuse. Errors: the refusal, `E_ENGINE_BUSY` above the bound and without
   * an answer in 30 s; the engine still works on the question, so it counts until it is answered.
   */
  ask(key: string, post: () => AppError | null): Promise<Result<T, AppError>> {
    const error =
      this.#open.length < maxOpen ? post() : appError('E_ENGINE_BUSY', 'too many questions')
    if (error !== null) return Promise.resolve(err(error))
    return new Promise((resolve) => {
      const cancel = this.#clock.after(answerTimeoutMs, () => {
        resolve(err(appError('E_ENGINE_BUSY', 'no answer in time', key)))
      })
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

  /** Answers it with an error. */
  refuse(key: string, error: AppError): void {
    this.#settle(key, err(error))
  }

  /** No answer will come. */
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
