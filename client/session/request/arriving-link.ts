/** The connection of a sender that joined a request: one session of the engine, which receives. */
import type { EngineCommand, EngineEvent, IceServers } from '#client/engine'
import { fromEngine, type SessionNumber } from '#client/engine-link'
import type { ArrivedLink, LinkOwner } from '#client/session/receive/receive-link'
import type { SessionContext } from '#client/session/session-context'
import type { TurnMessage } from '#client/signaling/offered-relays'
import type { ServerRelayMessage } from '#client/signaling/offered-server-relay'
import { type AppError, appError } from '#shared/errors'
import type { ReceiveId, TransferId } from '#shared/state/app-state'

/** The engine's name for the sender; only the server knows its id. */
const sender = 'sender'

/** The sender, and callbacks of the request, none of which is called after `end`. */
export type ArrivingLinkOptions = {
  readonly context: SessionContext
  readonly receive: ReceiveId
  readonly transfer: TransferId
  readonly nameplate: string
  readonly words: string
  readonly ice: IceServers
  readonly relay: (payload: string) => void
  /** The next message is this side's proof. */
  readonly onShown: () => void
  readonly onProven: () => void
  readonly onConnected: () => void
  /** Returns false for a share that isn't the one that was here before. */
  readonly isExpected: (share: string) => boolean
  /** The link has failed before it had an owner. */
  readonly onFailed: (error: AppError) => void
}

/** `start` begins it, once. */
export class ArrivingLink implements ArrivedLink {
  readonly #options: ArrivingLinkOptions
  readonly #relays = new Set<(TurnMessage | ServerRelayMessage)['t']>()
  #session: SessionNumber | null = null
  #sent = 0
  #isProven = false
  #isConnected = false
  /** Events for the owner, which has not come yet. */
  #early: EngineEvent[] = []
  #owner: LinkOwner | null = null
  #isOver = false

  constructor(options: ArrivingLinkOptions) {
    this.#options = options
  }

  start(): void {
    const { context, receive, transfer, nameplate, words, ice } = this.#options
    const { engine, name, serverUrl, localNetwork, watchFiles } = context
    const owner = { receive, server: serverUrl ?? localNetwork.server.url }
    const session = engine.open((event) => this.#onEngine(event), owner)
    this.#session = session
    const error = engine.post({
      type: 'open-receive',
      ...{ session, receiveId: transfer, nameplate, peer: sender, name, ice, watchFiles },
      secret: { kind: 'words', words },
      // Strangers must not fill memory.
      prefetch: false,
    })
    if (error !== null) this.#fail(error)
  }

  own(owner: LinkOwner): void {
    this.#owner = owner
    for (const event of this.#early.splice(0)) owner.onEvent(event)
  }

  /** Handles a message of the sender. */
  signal(payload: string): void {
    const error = this.post((session) => ({ type: 'signal', session, peer: sender, payload }))
    if (error !== null) this.#fail(error)
  }

  /** Adds relays of one kind; repeated kinds are ignored. */
  async addRelays(message: TurnMessage | ServerRelayMessage): Promise<void> {
    if (!this.#isProven || this.#isConnected || this.#relays.has(message.t)) return
    this.#relays.add(message.t)
    const turn = await this.#options.context.offeredRelays(message)
    if (turn.length === 0 || this.#isOver) return
    this.post((session) => ({ type: 'add-relays', session, peer: sender, turn }))
  }

  /** The sender has left the server: before its proof this is the end, and later the engine probes it. */
  lose(error: AppError): void {
    this.giveUp(error)
    if (this.#isConnected) this.post((session) => ({ type: 'probe-peer', session }))
  }

  /** Ends the link unless its sender has proved itself. */
  giveUp(error: AppError): void {
    if (!this.#isProven) this.#fail(error)
  }

  post(ask: (session: SessionNumber, peer: string) => EngineCommand): AppError | null {
    if (this.#session === null) return null
    return this.#options.context.engine.post(ask(this.#session, sender))
  }

  onWake(): void {
    // The request's registrations do what is needed.
  }

  detach(): void {
    if (this.#session !== null) this.#options.context.engine.detach(this.#session)
    this.#session = null
    void this.end(0)
  }

  end(lingerMs: number): Promise<void> {
    if (this.#session !== null) this.#options.context.engine.end(this.#session, lingerMs)
    this.#session = null
    this.#isOver = true
    return Promise.resolve()
  }

  #onEngine(event: EngineEvent): void {
    const { relay, onShown, onProven, onConnected } = this.#options
    if (event.type === 'failed') {
      this.#fail(fromEngine(event.error))
      return
    }
    if (event.type === 'signal') {
      this.#sent += 1
      // The first message asks, the second one is the proof.
      if (this.#sent === 2) onShown()
      relay(event.payload)
      return
    }
    if (event.type === 'greeted' && !this.#options.isExpected(event.id)) {
      this.#fail(appError('E_PEER_PROTOCOL', 'another share came back'))
      return
    }
    if (this.#owner === null) this.#early.push(event)
    else this.#owner.onEvent(event)
    if (event.type === 'pairing-done') {
      this.#isProven = true
      onProven()
    } else if (event.type === 'connected') {
      this.#isConnected = true
      onConnected()
    }
  }

  #fail(error: AppError): void {
    if (this.#isOver) return
    void this.end(0)
    if (this.#owner === null) this.#options.onFailed(error)
    else this.#owner.onFailed(error)
  }
}
