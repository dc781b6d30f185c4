/**
 * One way to a sender: a joiner at the signaling server on one side, one session of the engine on
 * the other. Until the two computers are connected a lost server means to begin again, with a new
 * session of the engine; afterwards it means nothing, and how it ends is the engine's word alone.
 */
import type { EngineCommand, EngineEvent, IceServers, ReceiveSecret } from '#client/engine'
import { fromEngine, type SessionNumber, type SessionOwner } from '#client/engine-link'
import type { ServerLocator } from '#client/server-locator'
import { isServerFault, type SessionContext } from '#client/session-context'
import { SignalingClient } from '#client/signaling-client'
import type { TransferId } from '#shared/app-state'
import { assertNever } from '#shared/assert-never'
import { type AppError, appError, type ErrorCode } from '#shared/errors'
import { type ServerMessage, SIGNALING_VERSION } from '#shared/signaling'

/** One attempt to pair; each shows the sender one proof, so their number is bounded. */
type Run = { readonly peer: string; readonly session: SessionNumber }

/** Runs that follow by themselves after the first was cut off. */
const mostRepeats = 2

/** These may be different in a moment: the server starts again, the sender takes its place back. */
const passing: ReadonlySet<ErrorCode> = new Set(['E_SERVER_UNREACHABLE', 'E_PEER_GONE'])

/** Where a sender is found, and what lets this side in. */
export type WayIn = {
  readonly server: ServerLocator
  readonly nameplate: string
  readonly secret: ReceiveSecret
}

/** What the link is for, and who hears of it. Nothing is called any more after `end`. */
export type SenderLinkOptions = {
  readonly context: SessionContext
  readonly way: WayIn
  readonly owner: SessionOwner
  readonly transfer: TransferId
  readonly ice: IceServers
  /** How long it is tried to reach the sender, anew with each run; 0: once. */
  readonly patienceMs: number
  /** The sender is there; the two are being connected. */
  readonly onFound: () => void
  /** Everything but `signal` and `failed`. */
  readonly onEvent: (event: EngineEvent) => void
  /** The link is of no use any more and has ended. */
  readonly onFailed: (error: AppError) => void
}

/** Begins with `start`, once. */
export class SenderLink {
  readonly #options: SenderLinkOptions
  readonly #signaling: SignalingClient
  #run: Run | null = null
  #repeats = 0
  /** Since when it is tried to reach the sender; anew with each run. */
  #triedSinceMs: number
  #isSenderGone = false
  #farewell: Promise<void> | null = null
  #phase: 'finding' | 'connected' | 'over' = 'finding'

  constructor(options: SenderLinkOptions) {
    const { context, way } = options
    const { server, nameplate } = way
    this.#options = options
    this.#triedSinceMs = context.clock.now()
    this.#signaling = new SignalingClient({
      ...context,
      server,
      hello: () => ({ t: 'join', v: SIGNALING_VERSION, nameplate }),
      onUp: (address) => context.serverChanged({ phase: 'connected', ...address }),
      onMessage: (message) => this.#onServer(message),
      onDown: (error, url) => this.#onServerLost(error, url),
    })
  }

  /** Looks for the sender. */
  start(): void {
    this.#signaling.start()
  }

  /** Asks the engine's session for something. Error: also when there is none. */
  post(ask: (session: SessionNumber, peer: string) => EngineCommand): AppError | null {
    return this.#run === null
      ? appError('E_BAD_ARGUMENT', 'not connected')
      : this.#options.context.engine.post(ask(this.#run.session, this.#run.peer))
  }

  /** Ends it; the engine forgets it after `lingerMs`. Resolves when the socket is gone. */
  end(lingerMs: number): Promise<void> {
    this.#phase = 'over'
    if (this.#run !== null) this.#options.context.engine.end(this.#run.session, lingerMs)
    this.#run = null
    this.#farewell ??= this.#signaling.close()
    return this.#farewell
  }

  #onServer(message: ServerMessage): void {
    switch (message.t) {
      case 'joined':
        this.#begin(message.peer)
        break
      case 'relay':
        this.#pass(message.from, message.body)
        break
      case 'gone':
        // The end of the socket follows and says what to do.
        this.#isSenderGone = true
        break
      case 'hosted':
      case 'peer':
      case 'error':
        break
      default:
        assertNever(message)
    }
  }

  #begin(peer: string): void {
    if (this.#run !== null) return
    const { context, way, owner, transfer, ice, onFound } = this.#options
    const { engine, name, clock } = context
    const session = engine.open((event) => this.#onEngine(event), owner)
    this.#run = { peer, session }
    this.#triedSinceMs = clock.now()
    this.#isSenderGone = false
    const fault = engine.post({
      type: 'open-receive',
      session,
      receiveId: transfer,
      ...{ nameplate: way.nameplate, secret: way.secret },
      ...{ peer, name, ice },
    })
    if (fault === null) onFound()
    else this.#fail(fault)
  }

  #pass(peer: string, payload: string): void {
    if (this.#run?.peer !== peer) return
    const { session } = this.#run
    const fault = this.#options.context.engine.post({ type: 'signal', session, peer, payload })
    if (fault !== null) this.#fail(fault)
  }

  #onServerLost(lost: AppError, url: string): void {
    const { context, patienceMs } = this.#options
    const error = this.#isSenderGone ? appError('E_PEER_GONE', lost.detail) : lost
    if (isServerFault(error)) context.serverChanged({ phase: 'unreachable', url, error })
    if (this.#phase !== 'finding') {
      void this.#signaling.close()
      return
    }
    if (this.#run !== null) {
      context.engine.end(this.#run.session)
      this.#run = null
      this.#repeats += 1
    }
    const triedMs = context.clock.now() - this.#triedSinceMs
    const isWorthAnother = passing.has(error.code) && this.#repeats <= mostRepeats
    if (!isWorthAnother || triedMs >= patienceMs) this.#fail(error)
  }

  #onEngine(event: EngineEvent): void {
    switch (event.type) {
      case 'signal':
        this.#signaling.send({ t: 'relay', to: event.peer, body: event.payload })
        break
      case 'failed':
        this.#fail(fromEngine(event.error))
        break
      case 'connected':
        this.#phase = 'connected'
        this.#options.onEvent(event)
        break
      default:
        this.#options.onEvent(event)
    }
  }

  #fail(error: AppError): void {
    if (this.#phase === 'over') return
    void this.end(0)
    this.#options.onFailed(error)
  }
}
