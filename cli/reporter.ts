import type { AppState } from '#shared/app-state'
import type { AppError } from '#shared/errors'
import type { AppEvent } from '#shared/events'

/** Tells what happens: to people in words, or to programs in JSON. */
export interface Reporter {
  /** `state` is the one after the event, or a later one. */
  tell(event: AppEvent, state: AppState): void
  /** The command fails with what is no event: a wrong argument, a missing engine. */
  fail(error: AppError): void
  /** Nothing follows. */
  end(): void
}
