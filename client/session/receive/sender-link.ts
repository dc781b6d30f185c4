/**
 * One connection attempt to a sender: a joiner at a signaling server on one side, one session of the engine on the
 * other. Before the two computers are connected, a lost server means a restart with a new session. Afterwards it only
 * makes the engine probe the sender, and the engine alone decides how the connection ends.
 *
 * Each attempt to pair shows the other side one proof, which allows one guess at the words. So attempts repeat
 * automatically only before a proof was shown, or once the sender has proved that it knows the words, too. Otherwise a
 * person decides. There is one exception: the other side may be a stranger that announces this nameplate on the local
 * network, or the sender of another share. So if pairing fails or stalls at the first place, each link shows a second
 * proof, once, at another place. If two known sides find no route, the first attempt is repeated once: a network that
 * just came up may need a moment.
 */
import type { EngineCommand, EngineEvent, IceServers, ReceiveSecret } from '#client/engine'
import { fromEngine, type SessionNumber } from '#client/engine-link'
import {
  type Asking,
  type Leftover,
  passing,
  SenderSearch,
} from '#client/session/receive/sender-search'
import { type SessionContext, withoutRelay } from '#client/session/session-context'
import type { TurnMessage } from '#client/signaling/offered-relays'
import type { ServerRelayMessage } from '#client/signaling/offered-server-relay'
import { type AppError, appError, type ErrorCode } from '#shared/errors'
import {
  type ClientMessage,
  type ServerMessage,
  SIGNALING_VERSION,
} from '#shared/signaling/messages'
import type { ReceiveId, TransferId } from '#shared/state/app-state'

/** The engine's name for the sender; only the server knows its id on this connection. */
const sender = 'sender'

/** One attempt to pair. */
type Run = {
  readonly session: SessionNumber
  /**
   * `new`: nothing was sent yet. `sent`: its first message was; `shown`: its proof, too. `paired`:
   * the sender's proof was received.
   */
  stage: 'new' | 'sent' | 'shown' | 'paired'
  /** The first message while it waits to be sent. */
  opening: string | null
  /** The server's id of the sender, once joined. */
  peer: string | null
  /** Kinds of relays that the server named, at most once each. */
  readonly relays: Set<(TurnMessage | ServerRelayMessage)['t']>
}

/** Limits the first attempt, for which a person waits; a server that just restarted is back by then. */
export const firstPatienceMs = 6000

/** Automatic repeats after the first run was cut off. */
const maxRepeats = 2

/** The sender has then reached the same verdict, and its place is free again. */
const pauseWithoutRouteMs = 3000

/** True if no route was found, which a second attempt may change. */
const isWithoutRoute = ({ code }: AppError): boolean =>
  code === 'E_NO_ROUTE' || code === 'E_NOT_DIRECT'

/** Errors that the first attempt can cause in the second; the first verdict is more useful. */
const afterNoRoute: ReadonlySet<ErrorCode> = new Set([
  'E_NO_SUCH_CODE',
  'E_PEER_GONE',
  'E_TOO_MANY_RECEIVERS',
])

/** Errors of a second place that does not know the share; the first verdict is more useful. */
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

/** A sender proves itself within a second; afterwards another place is tried. */
const proofMs = 6000

/** The link's purpose and its callbacks, none of which is called after `end`. */
export type SenderLinkOptions = {
  readonly context: SessionContext
  /** The receive that owns the link. */
  readonly receive: ReceiveId
  readonly nameplate: string
  /** The server's pass for receivers that reconnect or were invited; it lets them in ahead of strangers. */
  readonly pass: string | null
  readonly secret: ReceiveSecret
  readonly transfer: TransferId
  readonly ice: IceServers
  /** The first files are sent with the offer, into memory. */
  readonly prefetches: boolean
  /** The sender may offer extended attributes. */
  readonly attributes: boolean
  /** The time limit for reaching the sender, restarted with each run; 0 for a single attempt. */
  readonly patienceMs: number
  /** The server knows the sender and waits for its return. */
  readonly onWaiting: () => void
  /** The sender is there; the two sides are connecting. */
  readonly onFound: () => void
  /** No route was found; unless `patienceMs` is 0, one more attempt follows automatically. */
  readonly onNoRoute: () => void
  /** The server gave a pass for the next connection. */
  readonly onPass: (pass: string) => void
  /** Receives all events but `signal` and `failed`. */
  readonly onEvent: (event: EngineEvent) => void
  /** The link has failed and ended. */
  readonly onFailed: (error: AppError) => void
}

/** `start` begins it, once. */
export class SenderLink {
  readonly #options: SenderLinkOptions
  #search: SenderSearch
  #isAsking = false
  /** True if the home server's pending question carried the first message. */
  #isCarrying = false
  #run: Run | null = null
  #repeats = 0
  #hasBeenAltered = false
  /** The first verdict that there is no route. */
  #noRoute: AppError | null = null
  #cancelPause: () => void = () => undefined
  /** The start of the current attempt to reach the sender, restarted with each run. */
  #triedSinceMs: number
  #isSenderGone = false
  /** The verdict of the first place, once another is tried. */
  #elsewhere: AppError | null = null
  /** The session of the attempt at the first place. */
  #triedIn: SessionNumber | null = null
  #cancelProofWatch: () => void = () => undefined
  #farewell: Promise<unknown> = Promise.resolve()
  #phase: 'finding' | 'connected' | 'over' = 'finding'

  constructor(options: SenderLinkOptions) {
    this.#options = options
    this.#triedSinceMs = options.context.clock.now()
    this.#search = this.#newSearch()
  }

  /** Starts a run; the search begins with the engine's first message. */
  start(): void {
    this.#begin()
  }

  /** Posts a command for the engine's session. Error: also if there is none. */
  post(ask: (session: SessionNumber, peer: string) => EngineCommand): AppError | null {
    return this.#run === null
      ? appError('E_BAD_ARGUMENT', 'not connected')
      : this.#options.context.engine.post(ask(this.#run.session, sender))
  }

  /** Call it when the computer wakes up. */
  onWake(): void {
    this.#search.onWake()
  }

  /** Ends this link while the receive continues on another one: the sender keeps the receiver's place. */
  detach(): void {
    if (this.#run !== null) this.#options.context.engine.detach(this.#run.session)
    this.#run = null
    void this.end(0)
  }

  /** Ends the link; the engine forgets its session after `lingerMs`. Resolves when the socket is closed. */
  async end(lingerMs: number): Promise<void> {
    if (this.#phase !== 'over') {
      this.#phase = 'over'
      this.#cancelPause()
      this.#cancelProofWatch()
      this.#endRun(lingerMs)
      this.#closeSearch()
    }
    await this.#farewell
  }

  #newSearch(leftover?: Leftover): SenderSearch {
    const { context, nameplate, secret, pass } = this.#options
    return new SenderSearch({
      context,
      nameplate,
      hasPass: pass !== null,
      ...(secret.kind === 'resume' && { resumeKey: secret.key }),
      hello: (asking) => this.#hello(asking),
      onMessage: (message, isHome) => this.#onServer(message, isHome),
      onDown: (error) => this.#onServerLost(error),
      leftover,
    })
  }

  #closeSearch(): void {
    this.#farewell = Promise.all([this.#farewell, this.#search.close()])
  }

  #begin(): void {
    const { context, receive, nameplate, secret, transfer, ice, prefetches, attributes } =
      this.#options
    const { engine, name, serverUrl, localNetwork, watchFiles } = context
    // Contacts that meet without a server find each other without one.
    const owner = { receive, server: serverUrl ?? localNetwork.server.url }
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
      prefetch: prefetches,
      attributes,
      ...(this.#triedIn !== null && { after: this.#triedIn }),
    })
    if (error !== null) this.#fail(error)
  }

  #endRun(lingerMs = 0): void {
    if (this.#run !== null) this.#options.context.engine.end(this.#run.session, lingerMs)
    this.#run = null
  }

  /** The first message of a run is part of its `join` if it is ready in time and only this server gets it. */
  #hello({ isHome, isAlone }: Asking): ClientMessage {
    const { nameplate, pass } = this.#options
    const body = this.#run === null || !isAlone ? null : this.#sendOpening(this.#run)
    if (isHome) this.#isCarrying = body !== null
    return {
      t: 'join',
      v: SIGNALING_VERSION,
      nameplate,
      // Only the home server may see its pass.
      ...(pass === null || !isHome ? {} : { pass }),
      ...(body === null ? {} : { body }),
    }
  }

  /** Returns `null` if the message was sent before. */
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
      case 'server-relay':
        void this.#addRelays(message)
        break
      case 'pass':
        if (isHome) this.#options.onPass(message.pass)
        break
      case 'gone':
        // The end of the socket follows and decides the next step.
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
   * The first message went to a dead end, so `peer` has not received it. It is not sent again: a server that denies
   * knowing the nameplate may still have passed it on, and the sender accepts no run twice.
   */
  #sendAgain(peer: string): void {
    this.#endRun()
    this.#repeats += 1
    if (this.#repeats > maxRepeats) {
      this.#fail(appError('E_SERVER_UNREACHABLE', 'lost again and again'))
      return
    }
    this.#begin()
    // The engine's first message is sent as soon as it is ready.
    if (this.#run !== null) this.#run.peer = peer
  }

  #pass(peer: string, payload: string): void {
    if (this.#run?.peer !== peer) return
    const error = this.post((session) => ({ type: 'signal', session, peer: sender, payload }))
    if (error !== null) this.#fail(error)
  }

  async #addRelays(message: TurnMessage | ServerRelayMessage): Promise<void> {
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
      // A sender that changed networks returns to the server before its silence is noticed.
      if (this.#isSenderGone) this.post((session) => ({ type: 'probe-peer', session }))
      this.#closeSearch()
      return
    }
    if (this.#goElsewhere(error)) return
    const stage = this.#run?.stage ?? 'new'
    // The sender still expects this run, and a share for one receiver admits no other. The engine's
    // verdict follows, even if a stranger stops passing messages on.
    if (stage === 'paired' && this.#search.isNear) {
      this.#closeSearch()
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

  /** The first message asks, the second one is the proof. */
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
   * Handles the verdict of the engine. Two sides that know each other retry once after an altered
   * message, and once without a route.
   */
  #onRunFailed(verdict: AppError): void {
    const { context, patienceMs } = this.#options
    const hasRelay = this.#options.ice.turn.length > 0 || !this.#search.isAtMeeting
    const error = this.#judged(hasRelay ? verdict : withoutRelay(verdict))
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
   * Anyone can answer on the local network. Until the sender has proved itself there, errors from
   * it must not end a receive that a key resumes.
   */
  #judged(error: AppError): AppError {
    const isProven = this.#run?.stage === 'paired' || this.#phase !== 'finding'
    return this.#search.isNear && !isProven && this.#options.secret.kind === 'resume'
      ? appError('E_PEER_GONE', `${error.code} nearby`)
      : error
  }

  /** Tries another place once per link; returns false if there is none. */
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

  /** Starts over after the sender has proved itself: a stranger nearby may have passed its messages on and cut it off. */
  #startAgain(): void {
    this.#startOver(this.#search.isNear ? this.#search.again : undefined)
  }

  /** Leaves the sender and the server; `begin` contacts both again. */
  #startOver(leftover?: Leftover): void {
    this.#cancelProofWatch()
    this.#endRun()
    this.#closeSearch()
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
    const final = (isEarly ? (first ?? elsewhere) : null) ?? error
    this.#options.onFailed(final)
  }
}
