/** The receivers of one share, from the server's announcement to their end. */
import type { ContactNotifier } from '#client/contacts/contact-notifier'
import type { EngineCommand, EngineEvent } from '#client/engine'
import { fromEngine, type SessionNumber } from '#client/engine-link'
import { countersOf, fileChangesOf, outcomeOf } from '#client/from-engine'
import { FilePages } from '#client/session/file-pages'
import {
  type NewReceiverEvent,
  type SessionContext,
  withoutRelay,
} from '#client/session/session-context'
import type { TurnMessage } from '#client/signaling/offered-relays'
import type { ServerRelayMessage } from '#client/signaling/offered-server-relay'
import type { Returning } from '#client/state/remembered-share'
import { type AppError, appError, isPassing } from '#shared/errors'
import type { FilePage, FileQuery } from '#shared/files'
import { limits } from '#shared/limits'
import { err, ok, type Result } from '#shared/result'
import type { PeerId, Route, ShareId, TransferId } from '#shared/state/app-state'
import type { ContactId } from '#shared/state/contacts'

/** A receiver's progress; server messages about it are ignored once it is connected. */
type Peer = {
  readonly phase: 'pairing' | 'proven' | 'connected'
  /** True once it has sent a message; many receivers only search for the nameplate, in several places. */
  readonly hasSpoken: boolean
  readonly route: Route | null
  /** Kinds of relays that the server named for it, at most once each. */
  readonly relays: readonly (TurnMessage | ServerRelayMessage)['t'][]
  /** The contact whose key admitted it. */
  readonly contact: ContactId | null
  /** Its name and transfer, once it has sent them. */
  readonly greeting: {
    readonly name: string
    readonly transfer: TransferId
    readonly browser?: true
  } | null
  /** True while it waits for approval. */
  readonly isAsking: boolean
}

/** The share's memory of its receivers, and its knowledge of how they came. */
export type ReceiversOptions = {
  /** Receivers that had accepted before a restart. */
  readonly restored?: readonly Returning[]
  /** Reports all that may reconnect. */
  readonly onReturning: (returning: readonly Returning[]) => void
  /** True for a receiver that no relay can reach, because it came through public meeting points. */
  readonly hasNoRelay: (peer: string) => boolean
}

/** The engine's events about one receiver. */
export type EngineReceiverEvent = Extract<EngineEvent, { readonly peer: string }>

/**
 * The time to wait for the engine's verdict after a proven receiver has left. A receiver that found no route leaves,
 * and the engine here reaches the same verdict by then.
 */
const verdictMs = 5000

/**
 * Limits above the engine's own, which are 75 s until the proof and 30 s from there to the connection. The engine's
 * errors carry a better reason.
 */
const proofMs = 90_000
const connectMs = 45_000

/** A connected receiver introduces itself immediately. */
const greetingMs = 30_000

/** Each share session has one. */
export class ShareReceivers {
  readonly #context: SessionContext
  readonly #share: ShareId
  readonly #session: SessionNumber
  readonly #notifier: Pick<ContactNotifier, 'joined' | 'undecided' | 'isInvited'>
  readonly #peers = new Map<string, Peer>()
  readonly #files: FilePages
  /** All receivers that ever proved themselves; the server never reuses their ids. */
  readonly #known = new Set<string>()
  /** Accepted receivers that lack data, with their contacts: they may reconnect after a lost connection. */
  readonly #unfinished = new Map<TransferId, ContactId | null>()
  /** Transfers of receivers that are no contacts. */
  readonly #strangers = new Set<TransferId>()
  readonly #options: ReceiversOptions
  /** Cancels the current wait of each receiver; a new wait replaces it. */
  readonly #waits = new Map<string, () => void>()

  /** `notifier` receives contacts' answers. */
  constructor(
    context: SessionContext,
    share: ShareId,
    session: SessionNumber,
    notifier: Pick<ContactNotifier, 'joined' | 'undecided' | 'isInvited'>,
    options: ReceiversOptions,
  ) {
    this.#context = context
    this.#share = share
    this.#session = session
    this.#notifier = notifier
    this.#files = new FilePages(context.clock)
    this.#options = options
    for (const { transfer, contact } of options.restored ?? [])
      this.#unfinished.set(transfer, contact)
  }

  /** True while a proven receiver is connected or may reconnect. */
  get mayReturn(): boolean {
    const isProven = ({ phase }: Peer): boolean => phase !== 'pairing'
    return this.#unfinished.size > 0 || [...this.#peers.values()].some(isProven)
  }

  /** The number of receivers that have joined and are no contacts. */
  get strangers(): number {
    return this.#strangers.size
  }

  /** Adds a receiver that wants to join, perhaps with a first message. Repeated ids are ignored. */
  add(peer: string, opening?: string): void {
    if (this.#peers.has(peer) || this.#known.has(peer)) return
    if (this.#peers.size >= limits.receiversShown) return
    this.#peers.set(peer, newPeer)
    this.#within(proofMs, peer, ({ phase }) => phase === 'pairing', noProof)
    this.#postFor(peer, { type: 'add-peer', session: this.#session, peer })
    if (opening !== undefined) this.signal(peer, opening)
  }

  /** Adds relays of one kind for a receiver's path; repeated kinds are ignored. */
  async addRelays(message: TurnMessage | ServerRelayMessage): Promise<void> {
    const { peer, t } = message
    const known = this.#peers.get(peer)
    if (known?.phase !== 'proven' || known.relays.includes(t)) return
    this.#peers.set(peer, { ...known, relays: [...known.relays, t] })
    const turn = await this.#context.offeredRelays(message)
    if (turn.length === 0 || this.#peers.get(peer)?.phase !== 'proven') return
    this.#context.engine.post({ type: 'add-relays', session: this.#session, peer, turn })
  }

  /** Delivers a receiver's sealed message, unless it is connected. */
  signal(peer: string, payload: string): void {
    const known = this.#peers.get(peer)
    const phase = known?.phase
    if (known === undefined || (phase !== 'pairing' && phase !== 'proven')) return
    if (!known.hasSpoken) this.#peers.set(peer, { ...known, hasSpoken: true })
    this.#postFor(peer, { type: 'signal', session: this.#session, peer, payload })
  }

  /** The server reports that a receiver's socket ended, which is irrelevant once it is connected. */
  lose(peer: string): void {
    const { phase, hasSpoken = false } = this.#peers.get(peer) ?? {}
    if (phase === 'pairing' && !hasSpoken) this.#forget(peer)
    else if (phase === 'pairing') this.#giveUp(peer, leftEarly)
    if (phase !== 'proven') return
    this.#within(verdictMs, peer, isProven, leftEarly)
  }

  /** The place at the server was released, so nothing can arrive through it. */
  loseAll(): void {
    for (const peer of [...this.#peers.keys()]) this.lose(peer)
  }

  /** Ends all receivers that have not proved themselves. */
  giveUpStrangers(): void {
    for (const [peer, { phase }] of [...this.#peers]) {
      if (phase === 'pairing') this.#giveUp(peer, leftEarly)
    }
  }

  /** Disconnects a receiver. */
  disconnect(peer: PeerId): void {
    this.#forgetUnfinished(this.#peers.get(peer))
    this.#forget(peer, false)
    this.#fail(peer, appError('E_CANCELLED'))
  }

  /** Admits or refuses a waiting receiver. Error: it is not waiting. */
  answer(peer: PeerId, approved: boolean): Result<null, AppError> {
    const session = this.#session
    if (this.#peers.get(peer)?.isAsking !== true) return err(notAsking)
    const error = this.#context.engine.post({ type: 'approve-peer', session, peer, approved })
    return error === null ? ok(null) : err(error)
  }

  /** Pauses one receiver, or resumes it. */
  pause(peer: PeerId, paused: boolean): AppError | null {
    return this.#peers.has(peer)
      ? this.#context.engine.post({ type: 'set-paused', session: this.#session, peer, paused })
      : notConnected
  }

  /** Returns a page of a receiver's files. Errors: it is not connected, and those of `FilePages`. */
  listFiles(peer: PeerId, query: FileQuery): Promise<Result<FilePage, AppError>> {
    const session = this.#session
    if (this.#peers.get(peer)?.phase !== 'connected') return Promise.resolve(err(notConnected))
    return this.#files.ask(query, (ask) => this.#context.engine.post(ask(session, peer)))
  }

  /** Handles an engine event about a receiver, which may have left already. */
  onEvent(event: EngineReceiverEvent): void {
    const { peer } = event
    if (event.type === 'files') this.#files.onAnswer(event)
    const known = this.#peers.get(peer)
    if (known === undefined) return
    switch (event.type) {
      case 'pairing-done':
        this.#peers.set(peer, { ...known, phase: 'proven', ...contactOf(event) })
        this.#known.add(peer)
        this.#within(connectMs, peer, isProven, noRoute)
        this.#record(peer, { type: 'receiver-joined', safety: event.safety, ...contactOf(event) })
        break
      case 'connected':
        this.#meet(peer, { ...known, phase: 'connected', route: event.route })
        this.#within(greetingMs, peer, ({ greeting }) => greeting === null, noGreeting)
        break
      case 'route-changed':
        this.#peers.set(peer, { ...known, route: event.route })
        this.#record(peer, { type: 'receiver-route-changed', route: event.route })
        break
      case 'greeted': {
        const greeting = {
          name: event.name,
          transfer: event.id as TransferId,
          ...(event.browser && { browser: true as const }),
        }
        this.#meet(peer, { ...known, greeting })
        break
      }
      case 'approval-requested':
        this.#onAsked(peer, known)
        break
      case 'approved':
        this.#peers.set(peer, { ...known, isAsking: false })
        this.#record(peer, { type: 'receiver-approved' })
        break
      case 'accepted':
        this.#onAccepted(known)
        this.#record(peer, { type: 'receiver-accepted' })
        break
      case 'progress':
        this.#record(peer, { type: 'receiver-progressed', counters: countersOf(event) })
        break
      case 'flow':
        this.#record(peer, { type: 'receiver-flow-changed', flow: event.state })
        break
      case 'files-changed':
        this.#record(peer, { type: 'receiver-files-changed', ...fileChangesOf(event) })
        break
      case 'statistics':
        this.#record(peer, { type: 'receiver-measured', statistics: event.statistics })
        break
      case 'stalled':
        this.#record(peer, { type: 'receiver-stalled', reason: event.reason })
        break
      case 'finished':
        if (event.inStep === true) {
          this.#record(peer, { type: 'receiver-in-step', outcome: outcomeOf(event) })
          break
        }
        this.#remove(peer)
        this.#forgetUnfinished(known)
        this.#record(peer, { type: 'receiver-finished', outcome: outcomeOf(event) })
        break
      case 'failed': {
        const error = fromEngine(event.error)
        // It returns at once for the changes.
        if (error.code === 'E_SHARE_CHANGED') {
          this.#remove(peer)
          break
        }
        this.#reportContactEnd(known, error)
        if (!isPassing(error)) this.#forgetUnfinished(known)
        this.#fail(peer, error)
        break
      }
      default:
        break
    }
  }

  /** Call it when the share has ended. */
  end(): void {
    for (const cancel of this.#waits.values()) cancel()
    this.#files.fail(notConnected)
  }

  /** Records the connection once its route and name are known. */
  #meet(peer: string, known: Peer): void {
    this.#peers.set(peer, known)
    const { route, greeting } = known
    if (route === null || greeting === null) return
    if (this.#contactOf(known) === null) this.#strangers.add(greeting.transfer)
    this.#record(peer, { type: 'receiver-connected', ...greeting, route })
    this.#endEarlier(peer, greeting.transfer)
  }

  /** Ends an earlier connection of a returning receiver, which notices its loss before this side does. */
  #endEarlier(peer: string, transfer: TransferId): void {
    for (const [other, { greeting }] of this.#peers) {
      if (other !== peer && greeting?.transfer === transfer) this.#forget(other)
    }
  }

  /** Admits a contact without approval if it was invited to this share. */
  #onAsked(peer: string, known: Peer): void {
    this.#peers.set(peer, { ...known, isAsking: true })
    const isInvited = known.contact !== null && this.#notifier.isInvited(known.contact)
    if (isInvited) this.answer(peer as PeerId, true)
    else this.#record(peer, { type: 'receiver-approval-requested' })
  }

  #onAccepted(known: Peer): void {
    const contact = this.#contactOf(known)
    if (known.greeting !== null) {
      this.#unfinished.set(known.greeting.transfer, contact)
      this.#reportReturning()
    }
    if (contact !== null) this.#notifier.joined(contact)
  }

  /** A contact that declined has answered; other errors leave the invitation open. */
  #reportContactEnd(known: Peer, { code }: AppError): void {
    const contact = this.#contactOf(known)
    if (contact === null) return
    if (code === 'E_DECLINED') this.#notifier.joined(contact)
    if (code === 'E_UNDECIDED') this.#notifier.undecided(contact)
  }

  #contactOf({ contact, greeting }: Peer): ContactId | null {
    const before = greeting === null ? undefined : this.#unfinished.get(greeting.transfer)
    return contact ?? before ?? null
  }

  /** The receiver has everything, or wants nothing more. */
  #forgetUnfinished(known: Peer | undefined): void {
    const transfer = known?.greeting?.transfer
    if (transfer !== undefined && this.#unfinished.delete(transfer)) this.#reportReturning()
  }

  #reportReturning(): void {
    this.#options.onReturning(
      [...this.#unfinished].map(([transfer, contact]) => ({ transfer, contact })),
    )
  }

  /** Gives up a receiver for which `isStill` holds after the delay. */
  #within(delayMs: number, peer: string, isStill: (known: Peer) => boolean, why: AppError): void {
    this.#waits.get(peer)?.()
    const cancel = this.#context.clock.after(delayMs, () => {
      this.#waits.delete(peer)
      const known = this.#peers.get(peer)
      if (known !== undefined && isStill(known)) this.#giveUp(peer, why)
    })
    this.#waits.set(peer, cancel)
  }

  /** Removes a receiver and its wait. Returns false if it was gone already. */
  #remove(peer: string): boolean {
    this.#waits.get(peer)?.()
    this.#waits.delete(peer)
    return this.#peers.delete(peer)
  }

  #giveUp(peer: string, why: AppError): void {
    this.#forget(peer)
    this.#fail(peer, why)
  }

  #forget(peer: string, mayReturn = true): void {
    if (!this.#remove(peer)) return
    this.#context.engine.post({
      type: 'disconnect-peer',
      session: this.#session,
      peer,
      mayResume: mayReturn,
    })
  }

  #postFor(peer: string, command: EngineCommand): void {
    const error = this.#context.engine.post(command)
    if (error !== null) this.#fail(peer, error)
  }

  /** A receiver that never proved itself was never shown, so its event changes nothing. */
  #fail(peer: string, error: AppError): void {
    this.#remove(peer)
    const why = this.#options.hasNoRelay(peer) ? withoutRelay(error) : error
    this.#record(peer, { type: 'receiver-failed', error: why })
  }

  #record(peer: string, event: NewReceiverEvent): void {
    this.#context.record({ ...event, share: this.#share, peer: peer as PeerId })
  }
}

const newPeer: Peer = {
  phase: 'pairing',
  hasSpoken: false,
  route: null,
  relays: [],
  contact: null,
  greeting: null,
  isAsking: false,
}

const isProven = ({ phase }: Peer): boolean => phase === 'proven'

const leftEarly = appError('E_PEER_GONE', 'left before it was connected')
const notConnected = appError('E_BAD_ARGUMENT', 'This receiver is not connected.')
const notAsking = appError('E_BAD_ARGUMENT', 'This receiver does not ask to be let in.')
const noProof = appError('E_PEER_GONE', 'no proof in time')
const noRoute = appError('E_NO_ROUTE', 'no connection in time')
const noGreeting = appError('E_PEER_GONE', 'connected, but silent')

const contactOf = ({ contact }: { readonly contact: string }) =>
  contact === '' ? {} : { contact: contact as ContactId }
