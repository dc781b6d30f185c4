/** The one engine of a client: hands out session numbers and delivers each event to its session. */
import type { Clock } from '#client/clock'
import type {
  Engine,
  EngineCommand,
  EngineEvent,
  EngineModule,
  NameQuestion,
  SavedPath,
  UdpPort,
} from '#client/engine'
import { type AppError, appError, toErrorCode } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import type { ReceiveId, ShareId } from '#shared/state/app-state'

/** See `native/index.d.ts`. */
export type SessionNumber = number

/** Converts an engine error to an application error. One about a chosen name has the name at its end. */
export function fromEngine(
  { code, detail }: { readonly code: string; readonly detail: string },
  subject?: string,
): AppError {
  const name = code === 'E_NAME_NOT_ALLOWED' ? /: (.+)$/su.exec(detail)?.[1] : undefined
  return appError(toErrorCode(code), detail, subject ?? name)
}

/** The owner of an engine session, and the address of the session's signaling server. */
export type SessionOwner = ({ readonly share: ShareId } | { readonly receive: ReceiveId }) & {
  readonly server: string
}

/** Observes all sessions that have an owner, until the engine forgets them. */
export type SessionWatcher = {
  readonly onEvent: (event: EngineEvent, owner: SessionOwner) => void
  readonly onEnd: (session: SessionNumber) => void
}

/** Observes new sessions, by their signaling server, and the ports of all connections. */
export type PortWatcher = {
  readonly onSession: (server: string) => void
  /** `server`: the server of the port's session; `null` if the session is over. */
  readonly onOpened: (port: UdpPort, server: string | null) => void
  readonly onClosed: (port: UdpPort) => void
  readonly onNetworkChange: () => void
  readonly close: () => Promise<void>
}

/** Observes the names that other computers send in place of addresses, in all connections. */
export type NameWatcher = {
  readonly onAsked: (question: NameQuestion, name: string) => void
  readonly onDropped: (question: NameQuestion) => void
  readonly close: () => void
}

/** Error: `E_INTERNAL` if the engine can't start. */
export function startEngine(module: EngineModule, clock: Clock): Result<EngineLink, AppError> {
  try {
    return ok(new EngineLink(module, clock))
  } catch (reason) {
    const why = reason instanceof Error ? reason.message : String(reason)
    return err(appError('E_INTERNAL', `the engine can't start: ${why}`))
  }
}

/** Drops events of ended sessions, which may still arrive. */
export class EngineLink {
  readonly #engine: Engine
  readonly #clock: Clock
  readonly #sessions = new Map<SessionNumber, (event: EngineEvent) => void>()
  readonly #lingering = new Map<SessionNumber, () => void>()
  readonly #owners = new Map<SessionNumber, SessionOwner>()
  #watcher: SessionWatcher | null = null
  #ports: PortWatcher | null = null
  #names: NameWatcher | null = null
  #onNetworkChange: () => void = () => undefined
  #onPathSaved: (path: SavedPath) => void = () => undefined
  #lastNumber = 0

  constructor(module: EngineModule, clock: Clock) {
    this.#clock = clock
    this.#engine = module.createEngine((events) => {
      for (const event of events) this.#deliver(event)
    })
  }

  /** `watcher` receives events after the sessions do. */
  watch(watcher: SessionWatcher): void {
    this.#watcher = watcher
  }

  /** Calls `notice` whenever this computer's addresses change. */
  watchNetwork(notice: () => void): void {
    this.#onNetworkChange = notice
  }

  /** Calls `note` for each path that a sender's connection has measured. */
  watchPaths(note: (path: SavedPath) => void): void {
    this.#onPathSaved = note
  }

  /** `watcher` answers for each opened port. */
  watchPorts(watcher: PortWatcher): void {
    this.#ports = watcher
  }

  /** `watcher` resolves each name that the engine asks for. */
  watchNames(watcher: NameWatcher): void {
    this.#names = watcher
  }

  /** Returns a number for a new session, whose events go to `onEvent`. */
  open(onEvent: (event: EngineEvent) => void, owner?: SessionOwner): SessionNumber {
    this.#lastNumber += 1
    this.#sessions.set(this.#lastNumber, onEvent)
    if (owner !== undefined) {
      this.#owners.set(this.#lastNumber, owner)
      this.#ports?.onSession(owner.server)
    }
    return this.#lastNumber
  }

  /** Errors: `E_ENGINE_BUSY`, `E_ENGINE_CLOSED`, `E_INTERNAL` for an invalid command. */
  post(command: EngineCommand): AppError | null {
    try {
      const code = this.#engine.post(command)
      return code === null ? null : appError(toErrorCode(code), `${command.type} was not taken`)
    } catch (reason) {
      // A throw would leave the caller waiting forever.
      return appError('E_INTERNAL', `${command.type}: ${String(reason)}`)
    }
  }

  /** Ends a session of a receive that continues in another session. */
  detach(session: SessionNumber): void {
    if (!this.#sessions.delete(session)) return
    if (this.#owners.delete(session)) this.#watcher?.onEnd(session)
    this.#engine.post({ type: 'detach-session', session })
  }

  /** Stops delivering the session's events; the engine forgets the session after `lingerMs`. */
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
    this.#names?.close()
    await Promise.all([this.#engine.close(), this.#ports?.close()])
  }

  #deliver(event: EngineEvent): void {
    if (event.type === 'network-changed') this.#onNetworkChange()
    if (event.type === 'path-saved') this.#onPathSaved(event)
    const owner = this.#owners.get(event.session)
    if (event.type === 'network-changed') this.#ports?.onNetworkChange()
    if (event.type === 'port-opened') this.#ports?.onOpened(event, owner?.server ?? null)
    if (event.type === 'port-closed') this.#ports?.onClosed(event)
    if (event.type === 'name-asked') this.#names?.onAsked(event.question, event.name)
    if (event.type === 'name-dropped') this.#names?.onDropped(event.question)
    this.#sessions.get(event.session)?.(event)
    if (owner !== undefined) this.#watcher?.onEvent(event, owner)
  }
}
