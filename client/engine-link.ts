/** The one engine of a client: hands out session numbers and brings each event to its session. */
import type { Clock } from '#client/clock'
import type { Engine, EngineCommand, EngineEvent, EngineModule } from '#client/engine'
import type { ReceiveId, ShareId } from '#shared/app-state'
import { type AppError, appError, toErrorCode } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'

/** See `native/index.d.ts`. */
export type SessionNumber = number

/** The engine's error as the application's. */
export const fromEngine = (
  { code, detail }: { readonly code: string; readonly detail: string },
  subject?: string,
): AppError => appError(toErrorCode(code), detail, subject)

/** Whose session of the engine it is, and the address of the signaling server that it goes over. */
export type SessionOwner = ({ readonly share: ShareId } | { readonly receive: ReceiveId }) & {
  readonly server: string
}

/** Sees what happens in all sessions that have an owner, until the engine forgets them. */
export type SessionWatcher = {
  readonly onEvent: (event: EngineEvent, owner: SessionOwner) => void
  readonly onEnd: (session: SessionNumber) => void
}

/** Error: `E_INTERNAL` where the engine can't start. */
export function startEngine(module: EngineModule, clock: Clock): Result<EngineLink, AppError> {
  try {
    return ok(new EngineLink(module, clock))
  } catch (reason) {
    const why = reason instanceof Error ? reason.message : String(reason)
    return err(appError('E_INTERNAL', `the engine can't start: ${why}`))
  }
}

/** Events of an ended session may still be under way; nobody gets them. */
export class EngineLink {
  readonly #engine: Engine
  readonly #clock: Clock
  readonly #sessions = new Map<SessionNumber, (event: EngineEvent) => void>()
  readonly #lingering = new Map<SessionNumber, () => void>()
  readonly #owners = new Map<SessionNumber, SessionOwner>()
  #watcher: SessionWatcher | null = null
  #lastNumber = 0

  constructor(module: EngineModule, clock: Clock) {
    this.#clock = clock
    this.#engine = module.createEngine((events) => {
      for (const event of events) this.#deliver(event)
    })
  }

  /** `watcher` sees events after the sessions have. */
  watch(watcher: SessionWatcher): void {
    this.#watcher = watcher
  }

  /** A number for a new session, whose events go to `onEvent`. */
  open(onEvent: (event: EngineEvent) => void, owner?: SessionOwner): SessionNumber {
    this.#lastNumber += 1
    this.#sessions.set(this.#lastNumber, onEvent)
    if (owner !== undefined) this.#owners.set(this.#lastNumber, owner)
    return this.#lastNumber
  }

  /** Errors: `E_ENGINE_BUSY`, `E_ENGINE_CLOSED`, `E_INTERNAL` for what the engine does not understand. */
  post(command: EngineCommand): AppError | null {
    try {
      const code = this.#engine.post(command)
      return code === null ? null : appError(toErrorCode(code), `${command.type} was not taken`)
    } catch (reason) {
      // A throw would leave the caller waiting forever.
      return appError('E_INTERNAL', `${command.type}: ${String(reason)}`)
    }
  }

  /** Stops delivering the session's events; the engine forgets it after `lingerMs`. */
  end(session: SessionNumber, lingerMs = 0): void {
    if (!this.#sessions.delete(session)) return
    const forget = (): void => {
      this.#lingering.delete(session)
      if (this.#owners.delete(session)) this.#watcher?.onEnd(session)
      this.#engine.post({ type: 'end-session', session })
    }
    if (lingerMs === 0) forget()
    else this.#lingering.set(session, this.#clock.after(lingerMs, forget))
  }

  /** Ends every session and waits until the engine's threads have ended. */
  async close(): Promise<void> {
    this.#sessions.clear()
    for (const cancel of this.#lingering.values()) cancel()
    this.#lingering.clear()
    await this.#engine.close()
  }

  #deliver(event: EngineEvent): void {
    this.#sessions.get(event.session)?.(event)
    const owner = this.#owners.get(event.session)
    if (owner !== undefined) this.#watcher?.onEvent(event, owner)
  }
}
