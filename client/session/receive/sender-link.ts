/**
 * One way to a sender: a joiner at a signaling server on one side, one session of the engine on
 * the other. Until the two computers are connected a lost server means to begin again, with a new
 * session of the engine; afterwards it means no more than that the engine asks the sender for a sign of life,
 * and how it ends is the engine's word alone.
 *
 * Each attempt to pair shows whoever answers one proof, by which one guess at the words can be
 * tested. So attempts repeat by themselves only while no proof was shown, or once the sender has
 * proved that it knows the words, too; else a person decides. One exception: who answered may be a
 * stranger that announces this nameplate on the local network, or the sender of another share; so each
 * link shows a second proof, once and at another place, when pairing fails or stays silent at the first. Of two that know each other and found
 * no way through, the first attempt is made once more: a network that just came up may need a moment.
 */
import type { EngineCommand, EngineEvent, IceServers, ReceiveSecret } from '#client/engine'
import { fromEngine, type SessionNumber } from '#client/engine-link'
import {
  type Asking,
  type Leftover,
  passing,
  SenderSearch,
} from '#client/session/receive/sender-search'
import type { SessionContext } from '#client/session/session-context'
import type { DetourMessage } from '#client/signaling/offered-detour'
import type { TurnMessage } from '#client/signaling/offered-relays'
import { type AppError, appError, type ErrorCode } from '#shared/errors'
import {
  type ClientMessage,
  type ServerMessage,
  SIGNALING_VERSION,
} from '#shared/signaling/messages'
import type { ReceiveId, TransferId } from '#shared/state/app-state'

/** The engine's name for the sender; only the server knows the one of this connection. */
const sender = 'sender'

/** One attempt to pair. */
type Run = {
  readonly session: SessionNumber
  /**
   * `new`: nothing of it has left this computer. `sent`: its first message has; `shown`: its proof,
   * too. `paired`: so has the sender's.
   */
  stage: 'new' | 'sent' | 'shown' | 'paired'
  /** The first message, as long as it waits for its turn. */
  opening: string | null
  /** The server's id of the sender, once joined. */
  peer: string | null
  /** Kinds of relays that the server named, which it may do once. */
  readonly relays: Set<(TurnMessage | DetourMessage)['t']>
}

/** A person waits for the first attempt; a server that just restarts is back by then. */
export const firstPatienceMs = 6000

/** Runs that follow by themselves after the first was cut off. */
const maxRepeats = 2

/** By then the sender has come to the same verdict, and the place there is free again. */
const pauseWithoutRouteMs = 3000

/** No way through was found, which a second attempt may find. */
const isWithoutRoute = ({ code }: AppError): boolean =>
  code === 'E_NO_ROUTE' || code === 'E_NOT_DIRECT'

/** What a second attempt may meet because there was a first; the first one's verdict says more. */
const afterNoRoute: ReadonlySet<ErrorCode> = new Set([
  'E_NO_SUCH_CODE',
  'E_PEER_GONE',
  'E_TOO_MANY_RECEIVERS',
])

/** What a second place may say that knows nothing of the share; the first one's verdict says more. */
const afterElsewhere: ReadonlySet<ErrorCode> = new Set([
  'E_NO_SUCH_CODE',
  'E_PEER_GONE',
  'E_SERVER_UNREACHABLE',
  'E_SERVER_IDENTITY',
  'E_SERVER_PASSWORD',
  'E_PROXY_UNREACHABLE',
  'E_PROXY_AUTH',
  'E_PROXY_REFUSED',
])

/** A sender proves itself within a second; another place, if there is one, gets its chance then. */
const proofMs = 6000

/** What the link is for, and its callbacks, none of which is called after `end`. */
export type SenderLinkOptions = {
  readonly context: SessionContext
  /** Whose link it is. */
  readonly receive: ReceiveId
  readonly nameplate: string
  /** Pass of the server for receivers that reconnect or were invited; strangers can't crowd them out. */
  readonly pass: string | null
  readonly secret: ReceiveSecret
  readonly transfer: TransferId
  readonly ice: IceServers
  /** How long it is tried to reach the sender, anew with each run; 0: once. */
  readonly patienceMs: number
  /** The server knows the sender and waits for it to come back. */
  readonly onWaiting: () => void
  /** The sender is there; the two are being connected. */
  readonly onFound: () => void
  /** No way through was found; with patience it is tried once more automatically. */
  readonly onNoRoute: () => void
  /** The server gave a pass for the next time. */
  readonly onPass: (pass: string) => void
  /** Everything but `signal` and `failed`. */
  readonly onEvent: (event: EngineEvent) => void
  /** The link has failed and ended. */
  readonly onFailed: (error: AppError) => void
}

/** Begins with `start`, once. */
export class SenderLink {
  readonly #options: SenderLinkOptions
  #search: SenderSearch
  #isAsking = false
  /** The question that the home server has to answer brought the first message. */
  #isCarrying = false
  #run: Run | null = null
  #repeats = 0
  #hasBeenAltered = false
  /** The first verdict that there is no way through. */
  #noRoute: AppError | null = null
  #cancelPause: () => void = () => undefined
  /** Since when it is tried to reach the sender; anew with each run. */
  #triedSinceMs: number
  #isSenderGone = false
  /** The verdict at the first place, once another is tried. */
  #elsewhere: AppError | null = null
  /** The session of the attempt there. */
  #triedIn: SessionNumber | null = null
  #cancelProofWatch: () => void = () => undefined
  #farewell: Promise<unknown> = Promise.resolve()
  #phase: 'finding' | 'connected' | 'over' = 'finding'

  constructor(options: SenderLinkOptions) {
    this.#options = options
    this.#triedSinceMs = options.context.clock.now()
    this.#search = this.#newSearch()
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

  /** The computer woke up. */
  noticeWake(): void {
    this.#search.noticeWake()
  }

  /** Ends it while the receive goes on over another link: the sender keeps its place. */
  leave(): void {
    if (this.#run !== null) this.#options.context.engine.leave(this.#run.session)
    this.#run = null
    void this.end(0)
  }

  /** Ends it; the engine forgets it after `lingerMs`. Resolves when the socket is gone. */
  async end(lingerMs: number): Promise<void> {
    if (this.#phase !== 'over') {
      this.#phase = 'over'
      this.#cancelPause()
      this.#cancelProofWatch()
      this.#endRun(lingerMs)
      this.#leave()
    }
    await this.#farewell
  }

  #newSearch(leftover?: Leftover): SenderSearch {
    const { context, nameplate } = this.#options
    return new SenderSearch({
      context,
      nameplate,
      hello: (asking) => this.#hello(asking),
      onMessage: (message, isHome) => this.#onServer(message, isHome),
      onDown: (error) => this.#onServerLost(error),
      leftover,
    })
  }

  #leave(): void {
    this.#farewell = Promise.all([this.#farewell, this.#search.close()])
  }

  #begin(): void {
    const { context, receive, nameplate, secret, transfer, ice } = this.#options
    const { engine, name, server, watchFiles } = context
    const owner = { receive, server: server.url }
    const session = engine.open((event) => this.#onEngine(event), owner)
    this.#run = { session, stage: 'new', opening: null, peer: null, relays: new Set() }
    this.#isSenderGone = false
    const error = engine.post({
      type: 'open-receive',
      session,
      receiveId: transfer,
      nameplate,
      secret,
      peer: sender,
      name,
      ice,
      watchFiles,
      ...(this.#triedIn !== null && { after: this.#triedIn }),
    })
    if (error !== null) this.#fail(error)
  }

  #endRun(lingerMs = 0): void {
    if (this.#run !== null) this.#options.context.engine.end(this.#run.session, lingerMs)
    this.#run = null
  }

  /** The first message of a run rides in its `join`, when it is there in time and goes nowhere else. */
  #hello({ isHome, isAlone }: Asking): ClientMessage {
    const { nameplate, pass } = this.#options
    const body = this.#run === null || !isAlone ? null : this.#sendOpening(this.#run)
    if (isHome) this.#isCarrying = body !== null
    return {
      t: 'join',
      v: SIGNALING_VERSION,
      nameplate,
      // It is the home server's, and nobody else's business.
      ...(pass === null || !isHome ? {} : { pass }),
      ...(body === null ? {} : { body }),
    }
  }

  /** `null` when it has left this computer before. */
  #sendOpening(run: Run): string | null {
    const { opening } = run
    if (opening !== null) Object.assign(run, { opening: null, stage: 'sent' })
    return opening
  }

  #onServer(message: ServerMessage, isHome: boolean): void {
    switch (message.t) {
      case 'waiting':
        if (this.#run?.peer === null) this.#options.onWaiting()
        break
      case 'joined':
        this.#onFound(message.peer, isHome)
        break
      case 'relay':
        this.#pass(message.from, message.body)
        break
      case 'turn':
      case 'detour':
        void this.#addRelays(message)
        break
      case 'pass':
        if (isHome) this.#options.onPass(message.pass)
        break
      case 'gone':
        // The end of the socket follows and says what to do.
        this.#isSenderGone = true
        break
      default:
        break
    }
  }

  #onFound(peer: string, isHome: boolean): void {
    const run = this.#run
    if (run?.peer !== null) return
    this.#triedSinceMs = this.#options.context.clock.now()
    if (run.stage === 'sent' && !(isHome && this.#isCarrying)) {
      this.#sendAgain(peer)
    } else {
      run.peer = peer
      const opening = this.#sendOpening(run)
      if (opening !== null) this.#search.send({ t: 'relay', to: peer, body: opening })
    }
    if (this.#phase === 'over') return
    this.#cancelProofWatch = this.#options.context.clock.after(proofMs, () => {
      this.#goElsewhere(appError('E_PEER_GONE', 'no proof in time'))
    })
    this.#options.onFound()
  }

  /**
   * The first message went with a question that led nowhere; `peer` has not got it. Nor does it get it now: a
   * server that says it knows nobody may have passed it on, and the sender takes no run twice.
   */
  #sendAgain(peer: string): void {
    this.#endRun()
    this.#repeats += 1
    if (this.#repeats > maxRepeats) {
      this.#fail(appError('E_SERVER_UNREACHABLE', 'lost again and again'))
      return
    }
    this.#begin()
    // The engine's first message goes out as soon as it comes.
    if (this.#run !== null) this.#run.peer = peer
  }

  #pass(peer: string, payload: string): void {
    if (this.#run?.peer !== peer) return
    const error = this.post((session) => ({ type: 'signal', session, peer: sender, payload }))
    if (error !== null) this.#fail(error)
  }

  async #addRelays(message: TurnMessage | DetourMessage): Promise<void> {
    const run = this.#run
    if (run?.peer !== message.peer || run.relays.has(message.t)) return
    run.relays.add(message.t)
    const turn = await this.#options.context.offeredRelays(message)
    if (this.#run !== run || turn.length === 0) return
    this.post((session) => ({ type: 'add-relays', session, peer: sender, turn }))
  }

  #onServerLost(lost: AppError): void {
    const { context, patienceMs } = this.#options
    const error = this.#judged(this.#isSenderGone ? appError('E_PEER_GONE', lost.detail) : lost)
    if (this.#phase !== 'finding') {
      // A sender that has moved comes back to the server before its silence shows.
      if (this.#isSenderGone) this.post((session) => ({ type: 'suspect-sender', session }))
      this.#leave()
      return
    }
    if (this.#goElsewhere(error)) return
    const stage = this.#run?.stage ?? 'new'
    // The sender still counts on this run, and a share for one would take no other: the verdict of the
    // engine follows, as it does when a stranger who passed messages on says nothing more.
    if (stage === 'paired' && this.#search.isNear) {
      this.#leave()
      return
    }
    this.#endRun()
    if (stage !== 'new') this.#repeats += 1
    const triedMs = context.clock.now() - this.#triedSinceMs
    const isWorthAnother =
      passing.has(error.code) && stage !== 'shown' && this.#repeats <= maxRepeats
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
        this.#cancelProofWatch()
        this.#search.settle()
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
      if (!this.#isAsking) this.#search.start()
      this.#isAsking = true
      return
    }
    if (run.peer === null) return
    if (run.stage === 'new') run.stage = 'sent'
    else if (run.stage === 'sent') run.stage = 'shown'
    this.#search.send({ t: 'relay', to: run.peer, body: payload })
  }

  /**
   * Between two sides that know each other: whoever altered a message may do so only once, and a
   * missing way is looked for twice.
   */
  #onRunFailed(verdict: AppError): void {
    const { context, patienceMs } = this.#options
    const error = this.#judged(verdict)
    if (this.#goElsewhere(error)) return
    const isKnown = this.#run?.stage === 'paired' && this.#phase === 'finding'
    if (isKnown && error.code === 'E_SIGNALING_ALTERED' && !this.#hasBeenAltered) {
      this.#hasBeenAltered = true
      this.#startAgain()
      this.#begin()
    } else if (
      isKnown &&
      isWithoutRoute(error) &&
      this.#noRoute === null &&
      (patienceMs > 0 || this.#search.isNear)
    ) {
      this.#noRoute = error
      this.#startAgain()
      this.#cancelPause = context.clock.after(pauseWithoutRouteMs, () => this.#begin())
      this.#options.onNoRoute()
    } else {
      this.#fail(error)
    }
  }

  /**
   * Anybody may answer on the local network: what is said there before the sender has proved itself ends
   * nothing that a key resumes.
   */
  #judged(error: AppError): AppError {
    const isProven = this.#run?.stage === 'paired' || this.#phase !== 'finding'
    return this.#search.isNear && !isProven && this.#options.secret.kind === 'resume'
      ? appError('E_PEER_GONE', `${error.code} nearby`)
      : error
  }

  /** Once for each link, when there is another place than the one that failed; false: not so. */
  #goElsewhere(error: AppError): boolean {
    const leftover = this.#search.leftover
    const isProven = this.#run?.stage === 'paired' || this.#phase !== 'finding'
    if (isProven || this.#elsewhere !== null || leftover === null) return false
    this.#elsewhere = error
    this.#triedIn = this.#run?.session ?? null
    this.#startOver(leftover)
    this.#begin()
    return true
  }

  /** The same for a sender that has proved itself: whoever passed that on nearby may have cut it off. */
  #startAgain(): void {
    this.#startOver(this.#search.isNear ? this.#search.again : undefined)
  }

  /** Leaves the sender and the server; `begin` goes to both anew. */
  #startOver(leftover?: Leftover): void {
    this.#cancelProofWatch()
    this.#endRun()
    this.#leave()
    this.#search = this.#newSearch(leftover)
    this.#isAsking = false
    this.#triedSinceMs = this.#options.context.clock.now()
  }

  #fail(error: AppError): void {
    if (this.#phase === 'over') return
    const isEarly = this.#phase === 'finding'
    const first = afterNoRoute.has(error.code) ? this.#noRoute : null
    const elsewhere = afterElsewhere.has(error.code) ? this.#elsewhere : null
    void this.end(0)
    this.#options.onFailed((isEarly ? (first ?? elsewhere) : null) ?? error)
  }
}
