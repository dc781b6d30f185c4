/** One share: its places at signaling servers, which receivers need only to meet it, and a session of the engine. */
import type { ContactNotifier } from '#client/contacts/contact-notifier'
import type { EngineCommand, EngineEvent } from '#client/engine'
import { fromEngine, type SessionNumber } from '#client/engine-link'
import {
  isHopeless,
  type NewShareEvent,
  type SessionContext,
} from '#client/session/session-context'
import { ShareCode } from '#client/session/share-code'
import { ShareEntrance } from '#client/session/share-entrance'
import { codeEndOf, resumedCode, ShareNote } from '#client/session/share-note'
import { SharePlaces } from '#client/session/share-places'
import { ShareProblems } from '#client/session/share-problems'
import { type EngineReceiverEvent, ShareReceivers } from '#client/session/share-receivers'
import { nameOf, scanRules, titleOf } from '#client/session/source-paths'
import { relaysOf, type TurnMessage } from '#client/signaling/offered-relays'
import type { RememberedShare } from '#client/state/remembered-share'
import type { CodeEnd, PeerId, ShareId, Totals } from '#shared/app-state'
import { checkWords } from '#shared/chosen-words'
import type { ContactId } from '#shared/contacts'
import { type AppError, appError } from '#shared/errors'
import type { FilePage, FileQuery } from '#shared/files'
import { formatBytes } from '#shared/format'
import { err, ok, type Result } from '#shared/result'
import type { CodeChange, ShareOptions, SourceItem } from '#shared/share-options'
import type { ServerMessage } from '#shared/signaling'
import { text } from '#shared/text/current'

/** Above what looking at sources and resolving the names of servers may take by themselves. */
const openTimeoutMs = 60_000

/** A scan reports several times a second what it finds; a disk that slept is awake by then. */
const scanSilenceMs = 60_000

/** Made by the client, which then calls `start` once. */
export class ShareSession {
  readonly #context: SessionContext
  readonly #id: ShareId
  readonly #session: SessionNumber
  readonly #options: ShareOptions
  readonly #entrance: ShareEntrance
  readonly #code: ShareCode
  readonly #startedAtMs: number
  readonly #receivers: ShareReceivers
  readonly #notifier: ContactNotifier
  readonly #problems = new ShareProblems((event) => this.#record(event))
  readonly #opened: Promise<void>
  readonly #note: ShareNote
  readonly #restored: RememberedShare | null
  #resolveOpened: () => void = () => undefined
  readonly #places: SharePlaces
  #wasHosted = false
  /** A server has it now. */
  #isHosted = false
  #title = ''
  #cancelScanWatch: () => void = () => undefined
  #isOver = false

  /** `words`: of its code, unless drawn; `restored`: what an earlier program noted of the same share. */
  constructor(
    context: SessionContext,
    id: ShareId,
    options: ShareOptions,
    words?: string,
    restored: RememberedShare | null = null,
  ) {
    this.#context = context
    this.#id = id
    this.#options = options
    this.#restored = restored
    // Its code is known to people: as long as it may take, it looks for the server.
    this.#wasHosted = restored !== null
    const facts = { server: context.serverUrl, options }
    this.#note = new ShareNote(context.clock, context.shareFile, facts, restored)
    this.#code = new ShareCode({
      clock: context.clock,
      newWords: () => context.words.newWords(),
      lifeMs: options.codeLifeMs,
      onExpired: () => this.#endCode('expired'),
      words,
      restored,
    })
    this.#startedAtMs = context.clock.now()
    const owner = { share: id, server: context.server.url }
    this.#session = context.engine.open((event) => this.#onEngine(event), owner)
    this.#entrance = new ShareEntrance({
      session: this.#session,
      rules: options,
      codeEnd: restored === null ? null : codeEndOf(restored, context.clock.now()),
      ask: (command) => this.#ask(command),
    })
    this.#notifier = context.notifier(
      context.server.url,
      (message) => this.#places.send(message),
      (invited) => {
        const to = invited.flatMap(({ contact, phase }) => (phase === 'joined' ? [] : [contact]))
        this.#note.update({ to })
        this.#record({ type: 'share-invited', invited })
      },
    )
    this.#receivers = new ShareReceivers(context, id, this.#session, this.#notifier, {
      restored: restored?.returning ?? [],
      onReturning: (returning) => this.#note.update({ returning }),
    })
    this.#opened = new Promise((resolve) => (this.#resolveOpened = resolve))
    this.#places = new SharePlaces({
      context,
      restored,
      onHosted: (nameplate) => this.#own(nameplate),
      onMessage: (message) => this.#onServer(message),
      onLost: (error) => this.#onPlacesLost(error),
    })
  }

  /** Offers what of `items`, whose paths are absolute, can be offered. */
  async start(items: readonly SourceItem[]): Promise<void> {
    const { maxReceivers, oneReceiver, approve } = this.#options
    const title = titleOf(items.map(nameOf))
    const rules = { ...(oneReceiver && { oneReceiver }), ...(approve && { approve }) }
    const { codeEnd } = this.#entrance
    const code = resumedCode(this.#restored)
    this.#record({ type: 'share-opened', title, maxReceivers, ...rules, ...code })
    if (codeEnd !== null) this.#record({ type: 'share-code-ended', why: codeEnd })
    this.#title = title
    this.#note.update({ title })
    this.#notifier.describe(title)
    const cancel = this.#context.clock.after(openTimeoutMs, () => {
      this.#fail(appError('E_DISK_IO', 'opening the share took too long'))
    })
    const [usable, ice, installation] = await Promise.all([
      this.#check(items),
      this.#context.iceServers(),
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
    const error = this.#context.engine.post({
      type: 'open-share',
      session: this.#session,
      items: usable,
      ...scanRules(this.#options),
      ...this.#entrance.opening,
      name: this.#context.name,
      installation,
      ice: ice.value,
      restored: this.#restored?.admission ?? null,
      watchFiles: this.#context.watchFiles,
    })
    if (error === null) {
      this.#note.offered(
        usable,
        items.filter((item) => !usable.includes(item)),
      )
      if (this.#restored?.paused === true) this.pause(null, true)
      this.#watchScan()
      this.#places.start()
    } else {
      this.#fail(error)
    }
    this.#resolveOpened()
  }

  /** More items, for present and later receivers. Errors: none of them can be offered. */
  async add(items: readonly SourceItem[]): Promise<Result<null, AppError>> {
    const [usable] = await Promise.all([this.#check(items), this.#opened])
    if (this.#isOver) return err(appError('E_BAD_ARGUMENT', 'The share has ended.'))
    if (usable.length === 0) return err(appError('E_NOTHING_TO_SEND'))
    const added = this.#ask({ type: 'add-items', session: this.#session, items: usable })
    if (added.ok) this.#note.added(usable)
    return added
  }

  /** Invites these contacts to the share. */
  invite(contacts: readonly ContactId[]): void {
    if (!this.#isOver) this.#notifier.invite(contacts)
  }

  /** Takes an item out. */
  removeItem(item: number): Result<null, AppError> {
    const removed = this.#ask({ type: 'remove-item', session: this.#session, item })
    if (removed.ok) this.#note.takenOut(item)
    return removed
  }

  /** Receivers at the same time; present ones stay. */
  setMaxReceivers(count: number): Result<null, AppError> {
    const done = this.#entrance.change({ maxReceivers: count })
    if (!done.ok) return done
    this.#note.setOptions({ maxReceivers: count })
    this.#record({ type: 'share-resized', maxReceivers: count })
    return done
  }

  /** Other rules for the code from now on. Error: it has ended. */
  changeCode({ codeLifeMs, ...change }: CodeChange): Result<null, AppError> {
    if (this.#entrance.codeEnd !== null || this.#isOver) {
      return err(appError('E_BAD_ARGUMENT', 'This code has ended. Make a new one.'))
    }
    const done = this.#entrance.change(change)
    if (!done.ok) return done
    this.#note.setOptions(change)
    if (codeLifeMs !== undefined) {
      this.#code.setLife(codeLifeMs)
      this.#note.setOptions({ codeLifeMs })
      if (this.#isHosted) this.#noteCode()
    }
    const { oneReceiver, approve } = this.#entrance.rules
    const { endsAtMs } = this.#code
    this.#record({ type: 'share-code-changed', oneReceiver, approve, endsAtMs })
    if (this.#entrance.isComplete) this.#endCode('one-receiver')
    return done
  }

  /** Replaces the code, with drawn words or these: the old one no longer admits anyone. */
  renewCode(words?: string): Result<null, AppError> {
    if (!this.#wasHosted)
      return err(appError('E_BAD_ARGUMENT', 'There is no code yet. Wait a moment.'))
    const unfit = checkWords(words, this.#code.words)
    if (unfit !== null) return err(unfit)
    const given = this.#ask({ type: 'give-up-code', session: this.#session })
    if (!given.ok) return given
    const done = this.#entrance.renew()
    if (!done.ok) return done
    this.#code.renew(words)
    this.#isHosted = false
    this.#note.recoding()
    this.#receivers.loseAll()
    this.#record({ type: 'share-recoding' })
    this.#places.renew()
    return ok(null)
  }

  /** Pauses one receiver or, with `null`, all; or resumes. */
  pause(peer: PeerId | null, paused: boolean): Result<null, AppError> {
    if (peer !== null) {
      const error = this.#receivers.pause(peer, paused)
      return error === null ? ok(null) : err(error)
    }
    const done = this.#ask({ type: 'set-paused', session: this.#session, peer: '', paused })
    if (done.ok) {
      this.#note.update({ paused })
      this.#record({ type: 'share-paused', paused })
    }
    return done
  }

  /** A page of what one receiver is sent. */
  listFiles(peer: PeerId, query: FileQuery): Promise<Result<FilePage, AppError>> {
    return this.#receivers.listFiles(peer, query)
  }

  /** Ends the share for everybody. */
  stop(): void {
    if (this.#isOver) return
    this.#record({ type: 'share-stopped' })
    this.#note.forget()
    this.#end()
  }

  /**
   * Ends the share so that another program can open it again. Receivers `wait` for that, or learn that
   * it `stopped`. False: there is nothing to open again, and it is stopped for good.
   */
  suspend(receivers: 'wait' | 'stopped'): boolean {
    const isKept = !this.#isOver && this.#note.release()
    if (isKept) {
      if (receivers === 'wait') this.#ask({ type: 'suspend-share', session: this.#session })
      this.#places.leave('returns')
    }
    this.stop()
    return isKept
  }

  /** What the producer of its stream came to. */
  endStream(complete: boolean): Result<null, AppError> {
    return this.#ask({ type: 'end-stream', session: this.#session, complete })
  }

  /** The program ends; receivers of a share that is suspended wait for the next one. */
  close(how: 'suspended' | 'stopped'): void {
    if (how === 'suspended') this.suspend('wait')
    else this.stop()
  }

  /** Lets in a receiver that asks, or refuses it. Error: it doesn't ask. */
  answer(peer: PeerId, approved: boolean): Result<null, AppError> {
    return this.#receivers.answer(peer, approved)
  }

  /** Ends one receiver. */
  drop(peer: PeerId): void {
    this.#receivers.drop(peer)
  }

  #check(items: readonly SourceItem[]): Promise<readonly SourceItem[]> {
    return this.#problems.offerable(items, this.#context.sources, () => this.#isOver)
  }

  /** The computer woke up. */
  noticeWake(): void {
    this.#places.noticeWake()
    if (this.#entrance.codeEnd === null) this.#code.noticeWake()
  }

  /** What follows the nameplate. */
  #onServer(message: ServerMessage): void {
    switch (message.t) {
      case 'peer':
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
        this.#addRelays(message)
        break
      default:
        break
    }
  }

  #addRelays(message: TurnMessage): void {
    const turn = this.#context.usesRelays() ? relaysOf(message) : []
    if (turn.length > 0) this.#receivers.addRelays(message.peer, turn)
  }

  #own(nameplate: string): void {
    const { text: code, isNew } = this.#code.at(nameplate)
    const isKnown = !isNew && this.#isHosted
    this.#wasHosted = true
    this.#isHosted = true
    if (isNew) {
      const done = this.#ask({ type: 'set-code', session: this.#session, code })
      if (!done.ok) {
        this.#fail(done.error)
        return
      }
    }
    this.#noteCode()
    const { endsAtMs } = this.#code
    const { serverUrl } = this.#context
    const ends = endsAtMs === null ? {} : { endsAtMs }
    const where = serverUrl === null ? {} : { server: serverUrl }
    if (!isKnown) this.#record({ type: 'share-coded', code, ...ends, ...where })
    this.#notifier.hosted(nameplate)
  }

  /**
   * Nobody new is admitted. Connected receivers may need the nameplate to reconnect after a lost connection; when
   * nobody is left who could, it is given back.
   */
  #endCode(why: CodeEnd): void {
    if (this.#isOver || this.#entrance.codeEnd !== null) return
    this.#code.stop()
    this.#entrance.end(why)
    if (why === 'one-receiver') this.#receivers.giveUpStrangers()
    this.#noteCode()
    this.#record({ type: 'share-code-ended', why })
    this.#leaveWhenUnneeded()
  }

  #leaveWhenUnneeded(): void {
    if (this.#entrance.codeEnd === null || this.#receivers.mayReturn) return
    this.#note.forget()
    this.#places.leave()
  }

  #noteCode(): void {
    this.#note.coded(this.#places.owner, this.#code, this.#entrance.codeEnd)
  }

  #onPlacesLost(error: AppError): void {
    this.#isHosted = false
    const { clock, patienceMs } = this.#context
    const isLate = clock.now() - this.#startedAtMs >= patienceMs
    if (this.#wasHosted) this.#record({ type: 'share-unreachable' })
    else if (isHopeless(error) || isLate) this.#fail(error)
  }

  #onEngine(event: EngineEvent): void {
    switch (event.type) {
      case 'scan': {
        const { type: _type, session: _session, ...totals } = event
        this.#record({ type: 'share-counted', totals })
        if (totals.complete) this.#describe(totals)
        if (totals.complete) this.#cancelScanWatch()
        else this.#watchScan()
        break
      }
      case 'scan-items': {
        const { items } = event
        this.#title = titleOf(items.map(({ name }) => name))
        this.#record({ type: 'share-listed', title: this.#title, items })
        break
      }
      case 'item-problem':
        this.#problems.report(event.path, fromEngine(event.error, event.path))
        break
      case 'signal':
        this.#places.send({ t: 'relay', to: event.peer, body: event.payload })
        break
      case 'guesses': {
        const { wrong, locked, spent } = event
        this.#record({ type: 'share-guessed', guesses: { wrong, locked, spent } })
        break
      }
      case 'admission':
        this.#note.update({ admission: event.record })
        break
      case 'strangers':
        this.#record({ type: 'share-crowded', crowded: event.many })
        break
      case 'pairing-done':
        this.#places.send({ t: 'grant', peer: event.peer })
        this.#onReceiverEvent(event)
        if (event.approved) this.#onPlaceTaken()
        break
      case 'approved':
        this.#onReceiverEvent(event)
        this.#onPlaceTaken()
        break
      case 'failed':
        if (event.peer === '') this.#fail(fromEngine(event.error))
        else this.#onReceiverEvent(event)
        break
      default:
        if ('peer' in event) this.#onReceiverEvent(event)
    }
  }

  #onPlaceTaken(): void {
    this.#entrance.onReceiver()
    if (this.#entrance.isComplete) this.#endCode('one-receiver')
  }

  /** Reports a disk that does not answer during the scan, which continues when it does. */
  #watchScan(): void {
    this.#cancelScanWatch()
    this.#cancelScanWatch = this.#context.clock.after(scanSilenceMs, () => {
      this.#problems.report(this.#title, appError('E_DISK_IO', 'no answer in time', this.#title))
    })
  }

  #onReceiverEvent(event: EngineReceiverEvent): void {
    this.#receivers.onEvent(event)
    this.#leaveWhenUnneeded()
  }

  #describe({ files, bytes }: Pick<Totals, 'files' | 'bytes'>): void {
    const amount = `${text.counted.files(files)} · ${formatBytes(bytes)}`
    this.#notifier.describe(`${this.#title} · ${amount}`)
  }

  #fail(error: AppError): void {
    if (this.#isOver) return
    this.#record({ type: 'share-failed', error })
    this.#note.failed()
    this.#end()
  }

  #end(): void {
    this.#isOver = true
    this.#cancelScanWatch()
    this.#resolveOpened()
    this.#receivers.end()
    this.#notifier.end()
    this.#code.stop()
    this.#context.engine.end(this.#session)
    this.#places.leave()
    this.#context.ended(this.#places.left())
  }

  #ask(command: EngineCommand): Result<null, AppError> {
    const error = this.#context.engine.post(command)
    return error === null ? ok(null) : err(error)
  }

  #record(event: NewShareEvent): void {
    this.#context.record({ ...event, share: this.#id })
  }
}
