/**
 * One way to a sender: a joiner at the signaling server on one side, one session of the engine on
 * the other. Until the two computers are connected a lost server means to begin again, with a new
 * session of the engine; afterwards it means nothing, and how it ends is the engine's word alone.
 *
 * Each attempt to pair shows whoever answers one proof, by which one guess at the words can be
 * tested. So attempts repeat by themselves only while no proof was shown, or once the sender has
 * proved that it knows the words, too; else a person decides.
 */
import type { EngineCommand, EngineEvent, IceServers, ReceiveSecret } from '#client/engine'
import { fromEngine, type SessionNumber } from '#client/engine-link'
import { relaysOf, type TurnMessage } from '#client/offered-relays'
import { isServerFault, type SessionContext } from '#client/session-context'
import { SignalingClient } from '#client/signaling-client'
import type { ReceiveId, TransferId } from '#shared/app-state'
import { type AppError, appError, type ErrorCode } from '#shared/errors'
import { type ClientMessage, type ServerMessage, SIGNALING_VERSION } from '#shared/signaling'

/** The engine's name for the sender; only the server knows the one of this connection. */
const sender = 'sender'

/** One attempt to pair. */
type Run = {
  readonly session: SessionNumber
  /**
   * `new`: nothing of it has left this computer. `asked`: its first message has; `shown`: its proof,
   * too. `paired`: so has the sender's.
   */
  stage: 'new' | 'asked' | 'shown' | 'paired'
  /** The first message, as long as it waits for its turn. */
  opening: string | null
  /** The server's id of the sender, once joined. */
  peer: string | null
}

/** Runs that follow by themselves after the first was cut off. */
const mostRepeats = 2

/** These may be different in a moment: the server starts again, the sender takes its place back. */
const passing: ReadonlySet<ErrorCode> = new Set(['E_SERVER_UNREACHABLE', 'E_PEER_GONE'])

/** What the link is for, and who hears of it. Nothing is called any more after `end`. */
export type SenderLinkOptions = {
  readonly context: SessionContext
  /** Whose link it is. */
  readonly receive: ReceiveId
  readonly nameplate: string
  readonly secret: ReceiveSecret
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
  #signaling: SignalingClient
  #isAsking = false
  #run: Run | null = null
  #repeats = 0
  #hasBeenAltered = false
  /** Since when it is tried to reach the sender; anew with each run. */
  #triedSinceMs: number
  #isSenderGone = false
  #farewell: Promise<unknown> = Promise.resolve()
  #phase: 'finding' | 'connected' | 'over' = 'finding'

  constructor(options: SenderLinkOptions) {
    this.#options = options
    this.#triedSinceMs = options.context.clock.now()
    this.#signaling = this.#newSignaling()
  }

  /** Looks for the sender, as soon as the engine has something to say to it. */
  start(): void {
    this.#begin()
  }

  /** Asks the engine's session for something. Error: also when there is none. */
  post(ask: (session: SessionNumber, peer: string) => EngineCommand): AppError | null {
    return this.#run === null
      ? appError('E_BAD_ARGUMENT', 'not connected')
      : this.#options.context.engine.post(ask(this.#run.session, sender))
  }

  /** Ends it; the engine forgets it after `lingerMs`. Resolves when the socket is gone. */
  async end(lingerMs: number): Promise<void> {
    if (this.#phase !== 'over') {
      this.#phase = 'over'
      this.#endRun(lingerMs)
      this.#leave()
    }
    await this.#farewell
  }

  #newSignaling(): SignalingClient {
    const { context } = this.#options
    return new SignalingClient({
      ...context,
      hello: () => this.#hello(),
      onUp: (address) => context.serverChanged({ phase: 'connected', ...address }),
      onMessage: (message) => this.#onServer(message),
      onDown: (error, url) => this.#onServerLost(error, url),
    })
  }

  #leave(): void {
    this.#farewell = Promise.all([this.#farewell, this.#signaling.close()])
  }

  #begin(): void {
    const { context, receive, nameplate, secret, transfer, ice } = this.#options
    const { engine, name, server } = context
    const owner = { receive, server: server.url }
    const session = engine.open((event) => this.#onEngine(event), owner)
    this.#run = { session, stage: 'new', opening: null, peer: null }
    this.#isSenderGone = false
    const fault = engine.post({
      type: 'open-receive',
      session,
      receiveId: transfer,
      ...{ nameplate, secret, peer: sender, name, ice },
    })
    if (fault !== null) this.#fail(fault)
  }

  #endRun(lingerMs = 0): void {
    if (this.#run !== null) this.#options.context.engine.end(this.#run.session, lingerMs)
    this.#run = null
  }

  /** The first message of a run rides in its `join`, when it is there in time. */
  #hello(): ClientMessage {
    const body = this.#run === null ? null : this.#takeOpening(this.#run)
    return {
      t: 'join',
      v: SIGNALING_VERSION,
      nameplate: this.#options.nameplate,
      ...(body === null ? {} : { body }),
    }
  }

  #takeOpening(run: Run): string | null {
    const { opening } = run
    if (opening !== null) Object.assign(run, { opening: null, stage: 'asked' })
    return opening
  }

  #onServer(message: ServerMessage): void {
    switch (message.t) {
      case 'joined':
        this.#onFound(message.peer)
        break
      case 'relay':
        this.#pass(message.from, message.body)
        break
      case 'turn':
        this.#addRelays(message)
        break
      case 'gone':
        // The end of the socket follows and says what to do.
        this.#isSenderGone = true
        break
      default:
        break
    }
  }

  #onFound(peer: string): void {
    const run = this.#run
    if (run?.peer !== null) return
    run.peer = peer
    this.#triedSinceMs = this.#options.context.clock.now()
    const opening = this.#takeOpening(run)
    if (opening !== null) this.#signaling.send({ t: 'relay', to: peer, body: opening })
    this.#options.onFound()
  }

  #pass(peer: string, payload: string): void {
    if (this.#run?.peer !== peer) return
    const fault = this.post((session) => ({ type: 'signal', session, peer: sender, payload }))
    if (fault !== null) this.#fail(fault)
  }

  #addRelays(message: TurnMessage): void {
    const turn = relaysOf(message)
    if (this.#run?.peer !== message.peer || turn.length === 0) return
    this.post((session) => ({ type: 'add-relays', session, peer: sender, turn }))
  }

  #onServerLost(lost: AppError, url: string): void {
    const { context, patienceMs } = this.#options
    const error = this.#isSenderGone ? appError('E_PEER_GONE', lost.detail) : lost
    if (isServerFault(error)) context.serverChanged({ phase: 'unreachable', url, error })
    if (this.#phase !== 'finding') {
      this.#leave()
      return
    }
    const stage = this.#run?.stage ?? 'new'
    this.#endRun()
    if (stage !== 'new') this.#repeats += 1
    const triedMs = context.clock.now() - this.#triedSinceMs
    const isWorthAnother =
      passing.has(error.code) && stage !== 'shown' && this.#repeats <= mostRepeats
    if (isWorthAnother && triedMs < patienceMs) this.#begin()
    else this.#fail(error)
  }

  #onEngine(event: EngineEvent): void {
    switch (event.type) {
      case 'signal':
        this.#send(event.payload)
        break
      case 'failed':
        this.#onRunFailed(fromEngine(event.error))
        break
      case 'pairing-done':
        if (this.#run !== null) this.#run.stage = 'paired'
        this.#options.onEvent(event)
        break
      case 'connected':
        this.#phase = 'connected'
        this.#options.onEvent(event)
        break
      default:
        this.#options.onEvent(event)
    }
  }

  /** The first message asks, the second is the proof. */
  #send(payload: string): void {
    const run = this.#run
    if (run === null) return
    if (run.stage === 'new' && run.peer === null) {
      run.opening = payload
      if (!this.#isAsking) this.#signaling.start()
      this.#isAsking = true
      return
    }
    if (run.peer === null) return
    if (run.stage === 'new') run.stage = 'asked'
    else if (run.stage === 'asked') run.stage = 'shown'
    this.#signaling.send({ t: 'relay', to: run.peer, body: payload })
  }

  /** Whoever altered a message between two sides that know each other may do so only once. */
  #onRunFailed(error: AppError): void {
    const isRepeated = error.code === 'E_SIGNALING_ALTERED' && !this.#hasBeenAltered
    if (!isRepeated || this.#run?.stage !== 'paired' || this.#phase !== 'finding') {
      this.#fail(error)
      return
    }
    this.#hasBeenAltered = true
    this.#endRun()
    this.#leave()
    this.#signaling = this.#newSignaling()
    this.#isAsking = false
    this.#begin()
  }

  #fail(error: AppError): void {
    if (this.#phase === 'over') return
    void this.end(0)
    this.#options.onFailed(error)
  }
}
