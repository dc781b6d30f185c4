/** One connection attempt of a receive, whichever side has come to the other. */
import type { EngineCommand, EngineEvent } from '#client/engine'
import type { SessionNumber } from '#client/engine-link'
import type { AppError } from '#shared/errors'

export interface ReceiveLink {
  /** Begins it, once. */
  start(): void
  /** Posts a command for the engine's session. Error: also if there is none. */
  post(ask: (session: SessionNumber, peer: string) => EngineCommand): AppError | null
  /** Call it when the computer wakes up. */
  onWake(): void
  /** Ends this link while the receive continues on another one. */
  detach(): void
  /** Ends the link; the engine forgets its session after `lingerMs`. Resolves when its socket is closed. */
  end(lingerMs: number): Promise<void>
}

/** The receive that a link belongs to once its sender has proved to know the words. */
export type LinkOwner = {
  /** Receives all events but `signal` and `failed`. */
  readonly onEvent: (event: EngineEvent) => void
  /** The link has failed and ended. */
  readonly onFailed: (error: AppError) => void
}

/** A link whose sender came to this side. */
export interface ArrivedLink extends ReceiveLink {
  /** Gives the link to a receive, which gets the events so far at once. */
  own(owner: LinkOwner): void
}
