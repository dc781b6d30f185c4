/**
 * The place of a share that answers a request: it joins the request's nameplate, whose host becomes its only receiver
 * (docs/protocol.md, "Requests"). After a lost connection it joins again.
 */
import { createHmac, randomBytes } from 'node:crypto'
import type { EngineCommand } from '#client/engine'
import type { SessionNumber } from '#client/engine-link'
import { codeOf, type JoinTarget } from '#client/session/receive/join-target'
import { Reconnection } from '#client/session/receive/reconnection'
import { firstPatienceMs } from '#client/session/receive/sender-link'
import { SenderSearch } from '#client/session/receive/sender-search'
import { ended } from '#client/session/requests'
import type { NewShareEvent, SessionContext } from '#client/session/session-context'
import type { Access } from '#client/session/share/share-access'
import type { ShareReceivers } from '#client/session/share/share-receivers'
import type { Admission, RememberedShare } from '#client/state/remembered-share'
import { type AppError, appError, isPassing } from '#shared/errors'
import type { Result } from '#shared/result'
import type { SourceItem } from '#shared/settings/share-options'
import {
  type ClientMessage,
  type ServerMessage,
  SIGNALING_VERSION,
} from '#shared/signaling/messages'
import { encodeSending, failureFor } from '#shared/signaling/sending'
import type { CodeEnd } from '#shared/state/app-state'

/** A host that requests files begins at once, unless others guess its code: then it lets this side wait for 40 s. */
const firstWordMs = 45_000

/** The requester, the last connection to it being still open when a new one begins. */
const places = 2

/** `words`: random by default. `restored`: an earlier program's data of the same share. `answers`: a request. */
export type ShareOrigin = {
  readonly words?: string | undefined
  readonly restored?: RememberedShare | null
  readonly answers?: JoinTarget | null
}

/** Dependencies of `AnswerAccess`; see `ShareAccessOptions`. */
export type AnswerAccessOptions = {
  readonly context: SessionContext
  readonly session: SessionNumber
  readonly answers: JoinTarget
  readonly receivers: Pick<ShareReceivers, 'lose' | 'mayReturn'>
  readonly ask: (command: EngineCommand) => Result<null, AppError>
  readonly record: (event: NewShareEvent) => void
  readonly onMessage: (message: ServerMessage) => void
  readonly fail: (error: AppError) => void
}

/** Each such share has one; `start` begins it, once. */
export class AnswerAccess implements Access {
  readonly #options: AnswerAccessOptions
  readonly #reconnection: Reconnection
  /** The same in all joins, so that the requester recognizes this share. */
  #id = ''
  #search: SenderSearch | null = null
  /** The first message of the current join. */
  #first = ''
  /** The requester's id there, once joined. */
  #peer: string | null = null
  #hasHeard = false
  /** True once the requester has proved to know the words: the engine decides how that connection ends. */
  #isProven = false
  /** True once the two were connected. */
  #hasMet = false
  #hasCode = false
  #startedAtMs = 0
  #codeEnd: CodeEnd | null = null
  #cancelWait: () => void = () => undefined
  #isOver = false
  #farewell: Promise<unknown> = Promise.resolve()

  constructor(options: AnswerAccessOptions) {
    this.#options = options
    this.#reconnection = new Reconnection(options.context.clock, options.context.random)
  }

  get opening() {
    return { maxReceivers: places, oneReceiver: false, approval: false, browsers: true }
  }

  get isHosted(): boolean {
    return this.#isProven
  }

  get codeEnd(): CodeEnd | null {
    return this.#codeEnd
  }

  start(): void {
    this.#startedAtMs = this.#options.context.clock.now()
    this.#join()
  }

  /** A joiner can only relay. */
  send(message: ClientMessage): void {
    if (message.t === 'relay') this.#search?.send(message)
  }

  /**
   * Derives both names of this share from the installation's secret, so that a restarted program continues.
   * The server sees the one in the join, and only the requester the other.
   */
  begin(installation: string, items: readonly SourceItem[]): Admission {
    const { nameplate } = this.#options.answers
    const paths = items.map((item) => (item.kind === 'path' ? item.path : item.kind))
    const named = (label: string): string =>
      createHmac('sha256', Buffer.from(installation, 'base64url'))
        .update(JSON.stringify(['thruflux answer', label, nameplate, ...paths]))
        .digest('hex')
        .slice(0, 32)
    this.#id = named('join')
    return { share: named('share'), wrong: 0, wrongOfShare: 0, receivers: [] }
  }

  /** Joins again if the connection may come back; otherwise the share is over. */
  onEnded(peer: string, error: AppError | null): void {
    if (peer !== this.#peer) return
    this.#leave()
    if (error === null) this.#finish()
    else this.#again(error)
  }

  /** Another attempt can't help if the two never met. The requester's end is then reported as the share's alone. */
  failIfFinal(peer: string, error: AppError): boolean {
    const isFinal = peer === this.#peer && this.#isFinal(error)
    if (isFinal) this.#options.fail(error)
    return isFinal
  }

  onReceiver(): void {
    this.#isProven = true
    this.#search?.settle()
    this.#cancelWait()
  }

  onConnected(): void {
    this.#hasMet = true
    this.#reconnection.returned()
  }

  leaveWhenUnneeded(): void {
    // Only the end of the share leaves the server.
  }

  onAdmission(): void {
    // The requester comes by the words, never by a resume key.
  }

  isFromMeeting(): boolean {
    return this.#search?.isAtMeeting === true
  }

  setMaxReceivers(): Result<null, AppError> {
    return ended
  }

  change(): Result<null, AppError> {
    return ended
  }

  renew(): Result<null, AppError> {
    return ended
  }

  endInvited(): void {
    // No one was invited.
  }

  meetPublicly(): boolean {
    return false
  }

  onWake(): void {
    this.#reconnection.hurry()
    this.#search?.onWake()
  }

  suspend(): void {
    void this.end()
  }

  async end(): Promise<void> {
    this.#isOver = true
    this.#reconnection.stop()
    this.#leave()
    await this.#farewell
  }

  #join(): void {
    const { context, answers } = this.#options
    this.#first = encodeSending(this.#id, randomBytes(16))
    const search = new SenderSearch({
      context,
      nameplate: answers.nameplate,
      hasPass: false,
      hello: () => ({
        t: 'join',
        v: SIGNALING_VERSION,
        nameplate: answers.nameplate,
        body: this.#first,
      }),
      onMessage: (message) => {
        if (search === this.#search) this.#onServer(message)
      },
      onDown: (error) => {
        if (search === this.#search) this.#onDown(error)
      },
    })
    this.#search = search
    search.start()
  }

  #leave(): void {
    this.#cancelWait()
    this.#farewell = Promise.all([this.#farewell, this.#search?.close()])
    this.#search = null
    this.#peer = null
    this.#hasHeard = false
    this.#isProven = false
  }

  #onServer(message: ServerMessage): void {
    const { context, onMessage } = this.#options
    if (message.t === 'joined') {
      this.#peer = message.peer
      this.#setCode()
      this.#options.record({ type: 'share-reachable' })
      onMessage({ t: 'peer', peer: message.peer })
      this.#cancelWait = context.clock.after(firstWordMs, () => this.#onSilent())
      return
    }
    if (message.t === 'relay') {
      const refusal = this.#hasHeard ? null : failureFor(this.#first, message.body)
      if (refusal !== null) {
        this.#refused(appError(refusal, 'said by the other side'))
        return
      }
      this.#hasHeard = true
      this.#cancelWait()
    }
    onMessage(message)
  }

  #setCode(): void {
    if (this.#hasCode) return
    const { session, answers, ask, fail } = this.#options
    const done = ask({ type: 'set-code', session, code: codeOf(answers) })
    this.#hasCode = done.ok
    if (!done.ok) fail(done.error)
  }

  /** The host says nothing: it is an older version that shares. */
  #onSilent(): void {
    this.#refused(appError('E_CODE_SHARES', 'no answer'))
  }

  #refused(error: AppError): void {
    const { receivers } = this.#options
    const peer = this.#peer
    this.#leave()
    if (peer !== null) receivers.lose(peer)
    this.#again(error)
  }

  /** The place is lost. A connection survives that. */
  #onDown(error: AppError): void {
    if (this.#isProven) {
      this.#farewell = Promise.all([this.#farewell, this.#search?.close()])
      this.#search = null
      return
    }
    this.#refused(error)
  }

  /** True if the two never met, and another attempt can't change that. */
  #isFinal(error: AppError): boolean {
    const isLate = this.#options.context.clock.now() - this.#startedAtMs >= firstPatienceMs
    return !this.#hasMet && (isLate || !isPassing(error))
  }

  #again(error: AppError): void {
    if (this.#isOver) return
    const { fail, record } = this.#options
    if (this.#isFinal(error)) {
      fail(error)
      return
    }
    const next = this.#reconnection.next(error, () => this.#join())
    if (next === 'too-late') fail(error)
    else if (next === 'hopeless') this.#finish()
    else record({ type: 'share-unreachable' })
  }

  #finish(): void {
    this.#codeEnd = 'one-receiver'
    this.#options.record({ type: 'share-code-ended', why: 'one-receiver' })
  }
}
