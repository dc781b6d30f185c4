/** One share: an engine session, and its places at signaling servers, which receivers need only to connect. */
import type { ContactNotifier } from '#client/contacts/contact-notifier'
import type { AdmissionRecord, EngineCommand, EngineEvent } from '#client/engine'
import { fromEngine, type SessionNumber } from '#client/engine-link'
import { meetingUrl } from '#client/meeting/meeting-client'
import { ShareCalls } from '#client/nearby/share-calls'
import { codeOf, type JoinTarget } from '#client/session/receive/join-target'
import { ended, type NewShare, resultOf } from '#client/session/requests'
import type { NewShareEvent, SessionContext } from '#client/session/session-context'
import { AnswerAccess, type ShareOrigin } from '#client/session/share/answer-access'
import { type Access, ShareAccess } from '#client/session/share/share-access'
import { ShareProblems } from '#client/session/share/share-problems'
import { type EngineReceiverEvent, ShareReceivers } from '#client/session/share/share-receivers'
import { resumedCode, ShareRecorder } from '#client/session/share/share-recorder'
import { ShareScan } from '#client/session/share/share-scan'
import { ShareStun } from '#client/session/share/share-stun'
import { ShareWatch } from '#client/session/share/share-watch'
import { scanRules, titled, titleOf } from '#client/session/share/source-paths'
import type { RememberedShare } from '#client/state/remembered-share'
import { type AppError, appError } from '#shared/errors'
import type { FilePage, FileQuery } from '#shared/files'
import { err, ok, type Result } from '#shared/result'
import type { CodeChange, ShareOptions, SourceItem } from '#shared/settings/share-options'
import type { ServerMessage } from '#shared/signaling/messages'
import { decodeSending, refusal } from '#shared/signaling/sending'
import type { PeerId, ShareId } from '#shared/state/app-state'
import type { ContactId } from '#shared/state/contacts'
import type { NearbyId } from '#shared/state/nearby'

/** More than checking sources and resolving the names of servers may take. */
const openTimeoutMs = 60_000

/** A share for invited people stays for this time after the last of them, for contact requests. */
const afterEveryoneMs = 60_000

/** The time to wait for the disk that stores a receiver's key; its connection may take 30 s. */
const maxStoringMs = 5000

/** The client makes it and calls `start` once. */
export class ShareSession {
  readonly #context: SessionContext
  readonly #id: ShareId
  readonly #session: SessionNumber
  readonly #options: ShareOptions
  readonly #access: Access
  readonly #answers: JoinTarget | null
  readonly #scan: ShareScan
  readonly #receivers: ShareReceivers
  readonly #stun: ShareStun
  readonly #notifier: ContactNotifier
  readonly #calls: ShareCalls
  readonly #watch: ShareWatch
  #summary = ''
  readonly #problems = new ShareProblems((event) => this.#record(event))
  readonly #opened: Promise<void>
  readonly #recorder: ShareRecorder
  readonly #restored: RememberedShare | null
  #hasRelay = false
  #resolveOpened: () => void = () => undefined
  #cancelStop: () => void = () => undefined
  #isOver = false

  constructor(
    context: SessionContext,
    id: ShareId,
    options: ShareOptions,
    { words, restored = null, answers = null }: ShareOrigin = {},
  ) {
    this.#context = context
    this.#id = id
    this.#options = options
    this.#restored = restored
    this.#answers = answers
    const facts = { server: context.serverUrl, options, rules: context.shareRules }
    this.#recorder = new ShareRecorder(context.clock, context.shareFile, facts, restored)
    // Contacts that meet without a server find each other without one.
    const server = context.serverUrl ?? context.localNetwork.server.url
    const owner = { share: id, server }
    this.#session = context.engine.open((event) => this.#onEngine(event), owner)
    this.#notifier = context.notifier(
      context.server.url === meetingUrl ? meetingUrl : server,
      (message) => this.#access.send(message),
      (invited) => {
        const to = invited.flatMap(({ contact, phase }) => (phase === 'joined' ? [] : [contact]))
        void this.#recorder.update({ to })
        this.#record({ type: 'share-invited', invited })
        this.#endIfServed()
      },
    )
    this.#receivers = new ShareReceivers(context, id, this.#session, this.#notifier, {
      restored: restored?.returning ?? [],
      onReturning: (returning) => void this.#recorder.update({ returning }),
      hasNoRelay: (peer) => !this.#hasRelay && this.#access.isFromMeeting(peer),
    })
    this.#stun = new ShareStun(context, this.#session)
    this.#watch = new ShareWatch(context.clock, context.watchPaths, () => {
      this.#ask({ type: 'rescan', session: this.#session })
    })
    this.#opened = new Promise((resolve) => (this.#resolveOpened = resolve))
    this.#scan = new ShareScan({
      ...{ clock: context.clock, problems: this.#problems, recorder: this.#recorder },
      record: (event) => this.#record(event),
      describe: (summary) => {
        this.#summary = summary
        this.#notifier.describe(summary)
      },
      // No one can join before the user could see which links lead out of the share.
      onListed: () => {
        if (options.followLinks && options.scanOnly !== true) this.#access.start()
      },
    })
    this.#calls = new ShareCalls({
      ...{ clock: context.clock, call: context.callNearby },
      summary: () => this.#summary,
      joined: () => this.#receivers.strangers,
      onChange: (calls) => {
        if (this.#isOver) return
        this.#record({ type: 'share-called', calls })
        this.#endIfServed()
      },
    })
    const parts = {
      ...{ context, session: this.#session, receivers: this.#receivers },
      ask: (command: EngineCommand) => this.#ask(command),
      record: (event: NewShareEvent) => {
        this.#record(event)
        if (event.type === 'share-reachable') this.#endIfServed()
      },
      onMessage: (message: ServerMessage) => this.#onServer(message),
      fail: (error: AppError) => this.#fail(error),
    }
    this.#access =
      answers === null
        ? new ShareAccess({
            ...parts,
            ...{ options, words, restored, recorder: this.#recorder, notifier: this.#notifier },
            onPlace: (place) => this.#calls.sharedAt(place),
          })
        : new AnswerAccess({ ...parts, answers })
  }

  /** Offers the usable ones of `items`, whose paths are absolute. */
  async start(items: readonly SourceItem[]): Promise<void> {
    const { maxReceivers, oneReceiver, approve, browsers, invitedOnly } = this.#options
    const title = titleOf(items.map(titled))
    const rules = {
      ...(oneReceiver && { oneReceiver }),
      ...(approve && { approve }),
      ...(!browsers && { noBrowsers: true as const }),
      ...(invitedOnly && { invitedOnly }),
      ...(this.#answers !== null && { answers: codeOf(this.#answers) }),
    }
    const { codeEnd } = this.#access
    const code = resumedCode(this.#restored)
    this.#record({ type: 'share-opened', title, maxReceivers, ...rules, ...code })
    if (codeEnd !== null) this.#record({ type: 'share-code-ended', why: codeEnd })
    void this.#recorder.update({ title })
    this.#scan.name(title)
    const cancel = this.#context.clock.after(openTimeoutMs, () =>
      this.#fail(appError('E_DISK_IO', 'opening the share took too long')),
    )
    const [usable, ice, installation] = await Promise.all([
      this.#check(items),
      this.#context.iceServers(this.#context.server),
      this.#context.installationSecret(),
    ])
    cancel()
    if (this.#isOver) return
    if (usable.length === 0) {
      this.#fail(appError('E_NOTHING_TO_SEND'))
      return
    }
    if (!ice.ok) {
      this.#fail(ice.error)
      return
    }
    this.#hasRelay = ice.value.turn.length > 0
    const error = this.#context.engine.post({
      type: 'open-share',
      session: this.#session,
      items: usable,
      ...scanRules(this.#options),
      ...this.#access.opening,
      name: this.#context.name,
      installation,
      ice: ice.value,
      restored: this.#access.begin(installation, usable),
      storesAdmission: true,
      watchFiles: this.#context.watchFiles,
    })
    if (error === null) {
      this.#stun.begin(ice.value)
      this.#recorder.offered(
        usable,
        items.filter((item) => !usable.includes(item)),
      )
      if (this.#restored?.paused === true) this.pause(null, true)
      this.#scan.start()
      if (this.#options.watch === true) this.setWatch(true)
      const { followLinks, scanOnly } = this.#options
      if (!followLinks && scanOnly !== true) this.#access.start()
    } else {
      this.#fail(error)
    }
    this.#resolveOpened()
  }

  /** Adds items, for present and later receivers. Errors: none of them can be offered. */
  async add(items: readonly SourceItem[]): Promise<Result<null, AppError>> {
    const [usable] = await Promise.all([this.#check(items), this.#opened])
    if (this.#isOver) return ended
    if (usable.length === 0) return err(appError('E_NOTHING_TO_SEND'))
    const added = this.#ask({ type: 'add-items', session: this.#session, items: usable })
    if (added.ok) this.#recorder.added(usable)
    if (this.#watch.isWatching) this.#watchItems()
    return added
  }

  /** The current offer. */
  get offer(): NewShare {
    return this.#recorder.offer
  }

  /** Invites these contacts to the share. */
  invite(contacts: readonly ContactId[]): void {
    if (!this.#isOver) this.#notifier.invite(contacts)
  }

  /** Asks a nearby computer to receive the share. Error: `E_BAD_ARGUMENT` if it is no longer there. */
  call(computer: NearbyId): Result<null, AppError> {
    return this.#isOver ? ended : this.#calls.call(computer)
  }

  /** A person has compared the number of a call: it is right, or the call ends. */
  compare(computer: NearbyId, isRight: boolean): Result<null, AppError> {
    if (this.#isOver) return ended
    this.#calls.compare(computer, isRight)
    return ok(null)
  }

  /** Removes an item; receivers keep the files they already have. */
  removeItem(item: number): Result<null, AppError> {
    const removed = this.#ask({ type: 'remove-item', session: this.#session, item })
    if (removed.ok) this.#recorder.takenOut(item)
    return removed
  }

  /** Sets the number of simultaneous receivers, at most `limits.maxReceiversPerShare`; connected ones stay. */
  setMaxReceivers(count: number): Result<null, AppError> {
    return this.#access.setMaxReceivers(count)
  }

  /** Changes the rules of the code. Error: it has ended. */
  changeCode(change: CodeChange): Result<null, AppError> {
    return this.#access.change(change)
  }

  /** Replaces the code, with drawn words or these; present receivers stay, and the old code no longer admits anyone. */
  renewCode(words?: string): Result<null, AppError> {
    return this.#access.renew(words)
  }

  /** Pauses or resumes one receiver or, with `null`, all of them. */
  pause(peer: PeerId | null, paused: boolean): Result<null, AppError> {
    if (peer !== null) return resultOf(this.#receivers.pause(peer, paused))
    const done = this.#ask({ type: 'set-paused', session: this.#session, peer: '', paused })
    if (done.ok) {
      void this.#recorder.update({ paused })
      this.#record({ type: 'share-paused', paused })
    }
    return done
  }

  /** Returns a page of the files sent to one receiver, at most `limits.entriesShown`. */
  listFiles(peer: PeerId, query: FileQuery): Promise<Result<FilePage, AppError>> {
    return this.#receivers.listFiles(peer, query)
  }

  /** Reports changes of the items to receivers that follow, or no longer. */
  setWatch(watch: boolean): Result<null, AppError> {
    const asked = this.#ask({ type: 'set-followable', session: this.#session, followable: watch })
    if (!asked.ok) return asked
    this.#recorder.setOptions({ watch })
    this.#record({ type: 'share-watched', watch })
    if (watch) this.#watchItems()
    else this.#watch.stop()
    return ok(null)
  }

  #watchItems(): void {
    this.#watch.watch(this.#recorder.paths)
  }

  /** Ends the share for all its receivers. */
  stop(): Result<null, AppError> {
    if (this.#isOver) return ended
    this.#record({ type: 'share-stopped' })
    this.#recorder.forget()
    this.#end()
    return ok(null)
  }

  /**
   * Ends the share so that another program can reopen it. Receivers `wait` for that, or learn that it `stopped`.
   * Returns false if there is nothing to reopen; then it is stopped for good.
   */
  suspend(receivers: 'wait' | 'stopped'): boolean {
    const isKept = !this.#isOver && this.#recorder.release()
    if (isKept) {
      if (receivers === 'wait') this.#ask({ type: 'suspend-share', session: this.#session })
      this.#access.suspend()
    }
    this.stop()
    return isKept
  }

  /** Passes on the result of the stream's producer, if the stream waits for it. */
  endStream(complete: boolean): Result<null, AppError> {
    return this.#ask({ type: 'end-stream', session: this.#session, complete })
  }

  /** Ends the share with its program; receivers of a suspended share wait for the next one. */
  close(how: 'suspended' | 'stopped'): void {
    if (how === 'suspended') this.suspend('wait')
    else this.stop()
  }

  /** Admits or refuses a waiting receiver. Error: it is not waiting. */
  answer(peer: PeerId, approved: boolean): Result<null, AppError> {
    return this.#receivers.answer(peer, approved)
  }

  /** Disconnects a receiver. */
  disconnect(peer: PeerId): Result<null, AppError> {
    this.#receivers.disconnect(peer)
    return ok(null)
  }

  #check(items: readonly SourceItem[]): Promise<readonly SourceItem[]> {
    return this.#problems.offerable(items, this.#context.sources, () => this.#isOver)
  }

  /** Call it when the computer wakes up. */
  onWake(): void {
    this.#access.onWake()
    this.#stun.onWake()
  }

  /** Call it when settings have changed: a person may have agreed to public meeting points. */
  onSettings(): void {
    if (this.#access.meetPublicly()) this.#stun.onWake()
  }

  /** Handles server messages that follow the nameplate. */
  #onServer(message: ServerMessage): void {
    switch (message.t) {
      case 'peer':
        if (message.body !== undefined && decodeSending(message.body) !== null)
          this.#access.send(refusal(message.peer, message.body, 'E_CODE_SHARES'))
        // A contact that has removed this side says so in place of joining.
        else if (message.body === undefined || !this.#notifier.onAnswer(message.body))
          this.#receivers.add(message.peer, message.body)
        break
      case 'relay':
        this.#receivers.signal(message.from, message.body)
        break
      case 'gone':
        this.#receivers.lose(message.peer)
        break
      case 'error':
        if (message.peer !== undefined) this.#receivers.lose(message.peer)
        break
      case 'notified':
        this.#notifier.onNotified(message.mailbox, message.reached)
        break
      case 'turn':
      case 'server-relay':
        void this.#receivers.addRelays(message)
        break
      default:
        break
    }
  }

  #onEngine(event: EngineEvent): void {
    switch (event.type) {
      case 'scan':
      case 'scan-items':
        this.#scan.onEvent(event)
        if (event.type === 'scan-items' && this.#watch.isWatching) this.#watchItems()
        break
      case 'item-problem':
        this.#problems.report(event.path, fromEngine(event.error, event.path))
        break
      case 'signal':
        this.#access.send({ t: 'relay', to: event.peer, body: event.payload })
        break
      case 'guesses': {
        const { wrong, locked, spent } = event
        // One wrong proof ends an answer.
        if (this.#answers !== null) break
        this.#record({ type: 'share-guessed', guesses: { wrong, locked, spent } })
        break
      }
      case 'admission':
        void this.#storeAdmission(event.record, event.revision)
        this.#access.onAdmission(event.record)
        break
      case 'unauthenticated-load':
        this.#record({ type: 'share-unauthenticated-load', high: event.high })
        break
      case 'pairing-done':
        this.#access.send({ t: 'grant', peer: event.peer })
        this.#stun.onReceiver()
        this.#onReceiverEvent(event)
        if (event.approved) this.#access.onReceiver()
        break
      case 'approved':
        this.#onReceiverEvent(event)
        this.#access.onReceiver()
        break
      case 'connected':
        this.#access.onConnected()
        this.#onReceiverEvent(event)
        break
      case 'finished':
        this.#onReceiverEvent(event)
        if (event.inStep !== true) this.#access.onEnded(event.peer, null)
        break
      case 'failed':
        if (event.peer === '')
          this.#fail(this.#problems.explained(fromEngine(event.error), this.#options))
        else if (!this.#access.failIfFinal(event.peer, fromEngine(event.error))) {
          this.#onReceiverEvent(event)
          this.#access.onEnded(event.peer, fromEngine(event.error))
        }
        break
      default:
        if ('peer' in event) this.#onReceiverEvent(event)
    }
  }

  /** Stores the receivers' keys before they are used. A disk that hangs delays a receiver, but doesn't keep it away. */
  async #storeAdmission(admission: AdmissionRecord, revision: number): Promise<void> {
    const confirm = (): void => {
      this.#ask({ type: 'confirm-admission', session: this.#session, revision })
    }
    const cancel = this.#context.clock.after(maxStoringMs, confirm)
    await this.#recorder.update({ admission })
    cancel()
    confirm()
  }

  #onReceiverEvent(event: EngineReceiverEvent): void {
    this.#receivers.onEvent(event)
    this.#access.leaveWhenUnneeded()
    this.#endIfServed()
  }

  /** Ends a share for invited people a while after everyone has answered and lacks nothing. */
  #endIfServed(): void {
    const { invitedOnly } = this.#options
    if (!invitedOnly || this.#isOver || !this.#access.isHosted || this.#access.codeEnd !== null)
      return
    const hasPeople = this.#notifier.hasInvited || this.#calls.all.length > 0
    const isAnswered = this.#notifier.isAnswered && this.#calls.isAnswered
    if (!hasPeople || !isAnswered || this.#receivers.mayReturn) return
    this.#access.endInvited()
    this.#cancelStop = this.#context.clock.after(afterEveryoneMs, () => void this.stop())
  }

  #fail(error: AppError): void {
    if (this.#isOver) return
    this.#record({ type: 'share-failed', error })
    this.#recorder.failed()
    this.#end()
  }

  #end(): void {
    this.#isOver = true
    this.#cancelStop()
    this.#watch.stop()
    this.#scan.end()
    this.#stun.end()
    this.#resolveOpened()
    this.#receivers.end()
    this.#notifier.end()
    this.#context.engine.end(this.#session)
    const farewell = Promise.all([this.#access.end(), this.#calls.end()])
    this.#context.ended(farewell.then(() => undefined))
  }

  #ask(command: EngineCommand): Result<null, AppError> {
    return resultOf(this.#context.engine.post(command))
  }

  #record(event: NewShareEvent): void {
    this.#context.record({ ...event, share: this.#id })
  }
}
