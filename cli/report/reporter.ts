import type { AppError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import type { Preflight } from '#shared/offer'
import type { ConflictPolicy } from '#shared/settings/receive-options'
import type { AppState, Receive } from '#shared/state/app-state'
import type { TimedStep } from './connection-timing'

/** Reports events, to people in words or to programs in JSON. */
export interface Reporter {
  /** `state` is the state after the event, or a later one. */
  report(event: AppEvent, state: AppState): void
  /**
   * Reports the effects of accepting the offer. `policy` applies to existing files, and is `null` if a
   * person decides. `compared` is true if existing files were compared by content.
   */
  preflight(
    offer: Receive,
    preflight: Preflight,
    policy: ConflictPolicy | null,
    compared: boolean,
  ): void
  /** Reports the duration of each step of a connection. */
  timing(steps: readonly TimedStep[]): void
  /** Reports a failure of the command that isn't an event: a wrong argument or a missing engine. */
  fail(error: AppError): void
  /** Ends the report. */
  end(): void
}
