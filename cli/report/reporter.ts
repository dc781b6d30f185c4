import type { AppError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import type { Preflight } from '#shared/offer'
import type { ConflictPolicy } from '#shared/settings/receive-options'
import type { AppState, Receive } from '#shared/state/app-state'
import type { TimedStep } from './connection-timing'

/** Reports what happens: to people in words, or to programs in JSON. */
export interface Reporter {
  /** `state` is the one after the event, or a later one. */
  report(event: AppEvent, state: AppState): void
  /**
   * What accepting the offer would mean; `policy` decides about files that exist, `null` when a person
   * is asked about that. `compared`: existing files were compared by their content.
   */
  preflight(
    offer: Receive,
    preflight: Preflight,
    policy: ConflictPolicy | null,
    compared: boolean,
  ): void
  /** How long each step of a connection took. */
  timing(steps: readonly TimedStep[]): void
  /** The command fails with what is no event: a wrong argument, a missing engine. */
  fail(error: AppError): void
  /** Nothing follows. */
  end(): void
}
