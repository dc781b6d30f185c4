/**
 * One request for files: a place at signaling servers where senders join, and a receive for each of them. The request
 * hosts the code, and in everything else it receives (docs/protocol.md, "Requests").
 */
import type { EngineCommand, IceServers } from '#client/engine'
import type { ReceiveSession } from '#client/session/receive/receive-session'
import { ArrivingLink } from '#client/session/request/arriving-link'
import { GuessLimits, type GuessRun } from '#client/session/request/guess-limits'
import { ended } from '#client/session/requests'
import type { NewShareEvent, SessionContext } from '#client/session/session-context'
import { ShareAccess } from '#client/session/share/share-access'
import { newFacts, type TransferFacts } from '#client/state/receive-recorder'
import { type AppError, appError, type ErrorCode } from '#shared/errors'
import { ok, type Result } from '#shared/result'
import type { CodeChange, ShareOptions } from '#shared/settings/share-options'
import type { ServerMessage } from '#shared/signaling/messages'
import { decodeSending, isReceiving, refusal } from '#shared/signaling/sending'
import type { ReceiveId, ShareId } from '#shared/state/app-state'
import { text } from '#shared/text/current'

/** The time that a joiner waits for its run, and that it has for its proof; the latter is shorter while others wait. */
const waitMs = 40_000
const proofMs = 15_000
const busyProofMs = 5000
const maxWaiting = 100

/** Begins a receive for a sender, which gets its first link by `adopt`. */
export type BeginReceive = (
  id: ReceiveId,
  beginning: {
    readonly nameplate: string
    readonly words: string
    readonly facts: TransferFacts
    readonly onAccepted: () => void
    readonly onEnded: () => void
  },
) => Result<ReceiveSession, AppError>

/** Dependencies of `RequestSession`. */
export type RequestSessionOptions = {
  readonly context: SessionContext
  readonly id: ShareId
  readonly options: ShareOptions
  readonly words: string | undefined
  readonly newReceiveId: () => ReceiveId
  readonly begin: BeginReceive
}

/** A sender whose receive has not ended, and the id of the share that it sends. */
type Sender = {
  readonly receive: ReceiveId
  readonly facts: TransferFacts
  session: ReceiveSession | null
  share: string | null
  isAccepted: boolean
}

/** A joiner before it is connected. */
type Joiner = {
  readonly peer: string
  /** Its first message and the id in it, once they have arrived. */
  readonly first: string
  readonly sender: string
  readonly cancel: () => void
  readonly run: GuessRun | null
  readonly link: ArrivingLink | null
}

/** The client makes it and calls `start` once. */
export class RequestSession {
  readonly #options: RequestSessionOptions
  readonly #access: ShareAccess
  readonly #guesses = new GuessLimits()
  /** Joiners that have not sent anything yet, the oldest first. */
  readonly #silent = new Set<string>()
  /** Joiners that wait for their run, the oldest first. */
  readonly #waiting = new Map<string, Joiner>()
  /** Joiners that pair, and those that are connected: later server messages are for them. */
  readonly #joiners = new Map<string, Joiner>()
  /** Senders whose receives have not ended, by the id that they join with. */
  readonly #senders = new Map<string, Sender>()
  #ice: IceServers | null = null
  #place: { readonly nameplate: string; readonly words: string } | null = null
  #mostSenders: number
  /** The first accepted offer ends all others. */
  #isForOne: boolean
  #wrong = 0
  #cancelNext: () => void = () => undefined
  #isOver = false

  constructor(options: RequestSessionOptions) {
    const { context, options: rules, words } = options
    this.#options = options
    this.#mostSenders = rules.maxReceivers
    this.#isForOne = rules.oneReceiver
    this.#access = new ShareAccess({
      context,
      session: 0,
      options: rules,
      words,
      restored: null,
      recorder: unrecorded,
      receivers: this,
      notifier: { hosted: () => undefined },
      ask: (command) => this.#apply(command),
      onPlace: (place) => (this.#place = place),
      record: (event) => this.#record(event),
      onMessage: (message) => this.#onServer(message),
      fail: (error) => this.#fail(error),
    })
  }

  /** Requests a code. */
  async start(): Promise<void> {
    const { context, options } = this.#options
    const { maxReceivers, oneReceiver, browsers } = options
    const rules = {
      ...(oneReceiver && { oneReceiver }),
      ...(!browsers && { noBrowsers: true as const }),
    }
    this.#record({
      type: 'share-opened',
      title: text.counted.request,
      maxReceivers,
      ...rules,
      requests: true,
    })
    void context.installationSecret()
    const ice = await context.iceServers(context.server)
    if (this.#isOver) return
    if (!ice.ok) {
      this.#fail(ice.error)
      return
    }
    this.#ice = ice.value
    this.#access.start()
  }

  /** Changes the rules of the code. Error: it has ended. */
  changeCode(change: CodeChange): Result<null, AppError> {
    const wasForOne = this.#isForOne
    this.#isForOne = change.oneReceiver ?? wasForOne
    const done = this.#access.change(change)
    if (!done.ok) this.#isForOne = wasForOne
    return done
  }

  /** Replaces the code, with drawn words or these; present senders stay. */
  renewCode(words?: string): Result<null, AppError> {
    return this.#access.renew(words)
  }

  /** Ends the request; receives that have begun continue, but a sender that is lost can't come back. */
  stop(): Result<null, AppError> {
    if (this.#isOver) return ended
    this.#record({ type: 'share-stopped' })
    this.#end()
    return ok(null)
  }

  /** True while a sender is connected or may come back. */
  get mayReturn(): boolean {
    return this.#senders.size > 0
  }

  /** Ends everyone whose offer was not accepted; `ShareAccess` calls it when the one sender has been chosen. */
  giveUpStrangers(): void {
    this.#refuseAll('E_TOO_MANY_RECEIVERS')
    const chosen = appError('E_TOO_MANY_RECEIVERS', 'another offer was accepted')
    for (const { isAccepted, session } of [...this.#senders.values()])
      if (!isAccepted) session?.cancel(chosen)
  }

  /** The place was released, so nothing can arrive through it; `ShareAccess` calls it. */
  loseAll(): void {
    this.#refuseAll(null)
  }

  /** Call it when the computer wakes up. */
  onWake(): void {
    this.#access.onWake()
  }

  /** Call it when settings have changed. */
  onSettings(): void {
    this.#access.meetPublicly()
  }

  /** The commands by which a share would change its admission in the engine. */
  #apply(command: EngineCommand): Result<null, AppError> {
    if (command.type === 'set-max-receivers') this.#mostSenders = command.count
    if (command.type === 'revoke-code') {
      this.#guesses.renew()
      this.#reportGuesses()
    }
    return ok(null)
  }

  #onServer(message: ServerMessage): void {
    switch (message.t) {
      case 'peer':
        if (message.body !== undefined) this.#onFirst(message.peer, message.body)
        else this.#addSilent(message.peer)
        break
      case 'relay':
        if (this.#silent.delete(message.from)) this.#onFirst(message.from, message.body)
        else this.#joiners.get(message.from)?.link?.signal(message.body)
        break
      case 'gone':
        this.#lose(message.peer)
        break
      case 'error':
        if (message.peer !== undefined) this.#lose(message.peer)
        break
      case 'turn':
      case 'server-relay':
        void this.#joiners.get(message.peer)?.link?.addRelays(message)
        break
      default:
        break
    }
  }

  #addSilent(peer: string): void {
    this.#silent.add(peer)
    const [oldest] = this.#silent
    if (this.#silent.size > maxWaiting && oldest !== undefined) this.#silent.delete(oldest)
  }

  #lose(peer: string): void {
    this.#silent.delete(peer)
    this.#waiting.get(peer)?.cancel()
    this.#waiting.delete(peer)
    this.#joiners.get(peer)?.link?.lose(appError('E_PEER_GONE', 'left before its proof'))
    this.#joiners.delete(peer)
  }

  #onFirst(peer: string, first: string): void {
    const sending = decodeSending(first)
    if (sending === null) {
      if (isReceiving(first)) this.#refuse(peer, first, 'E_CODE_REQUESTS')
      return
    }
    const why = this.#refusal(sending.id)
    if (why !== null) {
      this.#refuse(peer, first, why)
      return
    }
    const cancel = this.#options.context.clock.after(waitMs, () => {
      this.#waiting.delete(peer)
      this.#refuse(peer, first, 'E_RATE_LIMITED')
    })
    this.#waiting.set(peer, { peer, first, sender: sending.id, cancel, run: null, link: null })
    this.#letIn()
  }

  /** The reason why a sender can't come now, or `null`. */
  #refusal(sender: string): ErrorCode | null {
    if (this.#guesses.guesses.locked) return 'E_CODE_LOCKED'
    const isKnown = this.#senders.has(sender)
    if (!isKnown && this.#access.codeEnd !== null) return 'E_TOO_MANY_RECEIVERS'
    if (!isKnown && this.#senders.size >= this.#mostSenders) return 'E_TOO_MANY_RECEIVERS'
    return this.#waiting.size >= maxWaiting ? 'E_RATE_LIMITED' : null
  }

  /** Begins the runs of waiting joiners, as many as the limits of guesses allow. */
  #letIn(): void {
    const { clock } = this.#options.context
    this.#cancelNext()
    for (const joiner of [...this.#waiting.values()]) {
      const nextMs = this.#guesses.nextMs(clock.now())
      if (nextMs === null || this.#isOver) return
      if (nextMs > clock.now()) {
        this.#cancelNext = clock.after(nextMs - clock.now(), () => this.#letIn())
        return
      }
      joiner.cancel()
      this.#waiting.delete(joiner.peer)
      this.#pair(joiner)
    }
  }

  #pair(joiner: Joiner): void {
    const { context, newReceiveId } = this.#options
    const why = this.#refusal(joiner.sender)
    if (why !== null || this.#ice === null || this.#place === null) {
      this.#refuse(joiner.peer, joiner.first, why ?? 'E_RATE_LIMITED')
      return
    }
    const { peer } = joiner
    const known = this.#senders.get(joiner.sender)
    const sender: Sender = known ?? {
      receive: newReceiveId(),
      facts: newFacts(),
      session: null,
      share: null,
      isAccepted: false,
    }
    const run = this.#guesses.begin(context.clock.now())
    const place = this.#place
    const link = new ArrivingLink({
      ...{ context, ...place, ice: this.#ice },
      receive: sender.receive,
      transfer: sender.facts.transfer,
      relay: (body) => this.#access.send({ t: 'relay', to: peer, body }),
      onShown: () => run.shown(),
      onProven: () => {
        this.#endRun(joiner, run, true)
        this.#access.send({ t: 'grant', peer })
        if (known === undefined) this.#begin(joiner, sender, place, link)
      },
      onConnected: () => {
        if (known === undefined) return
        if (this.#senders.get(joiner.sender) === known) known.session?.adopt(link)
        else void link.end(0)
      },
      isExpected: (share) => (sender.share ??= share) === share,
      onFailed: () => {
        this.#endRun(joiner, run, false)
        this.#joiners.delete(peer)
      },
    })
    const givenMs = this.#waiting.size > 0 ? busyProofMs : proofMs
    const cancel = context.clock.after(givenMs, () =>
      link.giveUp(appError('E_PEER_GONE', 'no proof in time')),
    )
    this.#joiners.set(peer, { ...joiner, cancel, run, link })
    link.start()
  }

  #endRun({ peer }: Joiner, run: GuessRun, isProven: boolean): void {
    this.#joiners.get(peer)?.cancel()
    if (isProven) run.proven()
    else run.end()
    this.#reportGuesses()
    if (this.#guesses.guesses.locked) this.#refuseAll('E_CODE_LOCKED')
    this.#letIn()
  }

  #begin(
    joiner: Joiner,
    sender: Sender,
    place: { readonly nameplate: string; readonly words: string },
    link: ArrivingLink,
  ): void {
    const isTwice = this.#senders.has(joiner.sender)
    const begun = isTwice
      ? ended
      : this.#options.begin(sender.receive, {
          ...place,
          facts: sender.facts,
          onAccepted: () => this.#onAccepted(sender),
          onEnded: () => {
            this.#senders.delete(joiner.sender)
            this.#access.leaveWhenUnneeded()
          },
        })
    if (!begun.ok) {
      void link.end(0)
      this.#joiners.delete(joiner.peer)
      return
    }
    sender.session = begun.value
    this.#senders.set(joiner.sender, sender)
    begun.value.adopt(link)
  }

  #onAccepted(sender: Sender): void {
    sender.isAccepted = true
    this.#access.onReceiver()
    // An expired code ends nothing more, but its senders may still have offers.
    if (this.#isForOne) this.giveUpStrangers()
  }

  #refuse(to: string, first: string, code: ErrorCode): void {
    this.#access.send(refusal(to, first, code))
  }

  /** Ends all joiners that have not proved themselves; `null` without an answer. */
  #refuseAll(code: ErrorCode | null): void {
    for (const { peer, first, cancel } of this.#waiting.values()) {
      cancel()
      if (code !== null) this.#refuse(peer, first, code)
    }
    this.#waiting.clear()
    const lost = appError('E_PEER_GONE', 'the code has ended')
    for (const { link } of [...this.#joiners.values()]) link?.giveUp(lost)
  }

  /** Reports wrong guesses once it is known that they are wrong. */
  #reportGuesses(): void {
    const { guesses } = this.#guesses
    if (this.#isOver || (this.#guesses.isOpen && !guesses.locked) || guesses.wrong === this.#wrong)
      return
    this.#wrong = guesses.wrong
    this.#record({ type: 'share-guessed', guesses })
  }

  #fail(error: AppError): void {
    if (this.#isOver) return
    this.#record({ type: 'share-failed', error })
    this.#end()
  }

  #end(): void {
    this.#isOver = true
    this.#cancelNext()
    this.#refuseAll(null)
    this.#options.context.ended(this.#access.end())
  }

  #record(event: NewShareEvent): void {
    const { context, id } = this.#options
    context.record({ ...event, share: id })
  }
}

/** A request ends with its program: its senders could not be told from others after a restart. */
const unrecorded = {
  coded: () => undefined,
  forget: () => undefined,
  recoding: () => undefined,
  setOptions: () => undefined,
}
