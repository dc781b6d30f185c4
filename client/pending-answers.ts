/** Questions to the engine whose answers come as events, in the order of the questions. */
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'

/** A window asks for one page after the other; nobody needs this many at once. */
const mostOpen = 100

type Question<T> = {
  readonly key: string
  readonly resolve: (result: Result<T, AppError>) => void
}

/** Questions are told apart by a key that their answer also has. */
export class PendingAnswers<T> {
  #open: readonly Question<T>[] = []

  /** Asks by `post`, which may refuse. Errors: the refusal, `E_ENGINE_BUSY` above the bound. */
  ask(key: string, post: () => AppError | null): Promise<Result<T, AppError>> {
    const fault =
      this.#open.length < mostOpen ? post() : appError('E_ENGINE_BUSY', 'too many questions')
    if (fault !== null) return Promise.resolve(err(fault))
    return new Promise((resolve) => {
      this.#open = [...this.#open, { key, resolve }]
    })
  }

  /** Answers the oldest question with this key. */
  answer(key: string, value: T): void {
    const question = this.#open.find((one) => one.key === key)
    this.#open = this.#open.filter((one) => one !== question)
    question?.resolve(ok(value))
  }

  /** No answer will come. */
  fail(error: AppError): void {
    const open = this.#open
    this.#open = []
    for (const { resolve } of open) resolve(err(error))
  }
}
