/**
 * Admission to a share: its code, the code's lifetime, the servers that hold its nameplate, and its entrance. The rest
 * of the share works without these.
 */
import { isDeepStrictEqual } from 'node:util'
import type { ContactNotifier } from '#client/contacts/contact-notifier'
import type { EngineCommand } from '#client/engine'
import type { SessionNumber } from '#client/engine-link'
import {
  isHopeless,
  type NewShareEvent,
  type SessionContext,
} from '#client/session/session-context'
import { Registrations } from '#client/session/share/registrations'
import { ShareCode } from '#client/session/share/share-code'
import { ShareEntrance } from '#client/session/share/share-entrance'
import type { ShareReceivers } from '#client/session/share/share-receivers'
import { codeEndOf, type ShareRecorder } from '#client/session/share/share-recorder'
import type { Admission, RememberedShare } from '#client/state/remembered-share'
import { checkWords } from '#shared/code/chosen-words'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import type { CodeChange, ShareOptions, SourceItem } from '#shared/settings/share-options'
import type { ClientMessage, ServerMessage } from '#shared/signaling/messages'
import type { CodeEnd, MeetingState } from '#shared/state/app-state'

/** Dependencies of `ShareAccess`. */
export type ShareAccessOptions = {
  readonly context: SessionContext
  readonly session: SessionNumber
  readonly options: ShareOptions
  /** The words of the code; random by default. */
  readonly words: string | undefined
  readonly restored: RememberedShare | null
  readonly recorder: Pick<ShareRecorder, 'coded' | 'forget' | 'recoding' | 'setOptions'>
  readonly receivers: Pick<ShareReceivers, 'giveUpStrangers' | 'loseAll' | 'mayReturn'>
  readonly notifier: Pick<ContactNotifier, 'hosted'>
  readonly ask: (command: EngineCommand) => Result<null, AppError>
  /** A server has the share, which these words admit to. */
  readonly onPlace: (place: { readonly nameplate: string; readonly words: string }) => void
  readonly record: (event: NewShareEvent) => void
  /** Receives server messages about present and future receivers. */
  readonly onMessage: (message: ServerMessage) => void
  /** The share can never be reached. */
  readonly fail: (error: AppError) => void
}

/** A code, its server, whether a configured server has the share, and whether browsers can receive there. */
type Told = {
  readonly code: string
  readonly server: string | null
  readonly isFar: boolean
  readonly hasPage: boolean
  readonly meeting: MeetingState | undefined
}

/** Each share has one; `start` begins it, once. */
export class ShareAccess {
  readonly #options: ShareAccessOptions
  readonly #entrance: ShareEntrance
  readonly #code: ShareCode
  readonly #registrations: Registrations
  readonly #startedAtMs: number
  /** The resume keys of receivers that may return, the latest last. */
  #returning: readonly string[]
  #wasHosted: boolean
  /** The last reported code and its server; `null` while no server has the share. */
  #told: Told | null = null
  #isOver = false

  constructor(options: ShareAccessOptions) {
    this.#options = options
    const { context, session, restored, words } = options
    this.#startedAtMs = context.clock.now()
    // People already have a restored code, so the search for its server has no time limit.
    this.#wasHosted = restored !== null
    this.#code = new ShareCode({
      clock: context.clock,
      newWords: () => context.words.newWords(),
      lifeMs: options.options.codeLifeMs,
      onExpired: () => this.#endCode('expired'),
      words,
      restored,
    })
    this.#entrance = new ShareEntrance({
      session,
      rules: options.options,
      codeEnd: restored === null ? null : codeEndOf(restored, context.clock.now()),
      ask: options.ask,
    })
    this.#returning = returningKeys(restored?.admission ?? null)
    this.#registrations = new Registrations({
      context,
      restored,
      returning: () => this.#returning,
      onHosted: (nameplate) => this.#own(nameplate),
      onNearer: () => {
        if (this.#told !== null) this.#tell(this.#told.code)
      },
      onMessage: options.onMessage,
      onLost: (error, isLast) => this.#onPlacesLost(error, isLast),
    })
  }

  /** The entrance rules for the engine's new share. */
  get opening() {
    return this.#entrance.opening
  }

  /** True while a server has the share. */
  get isHosted(): boolean {
    return this.#told !== null
  }

  /** The reason why the current code admits no new receivers, or `null`. */
  get codeEnd(): CodeEnd | null {
    return this.#entrance.codeEnd
  }

  /** Connects to the servers. */
  start(): void {
    this.#registrations.start()
  }

  /** Sends through the server of the message's receiver, or else the main one. */
  send(message: ClientMessage): void {
    this.#registrations.send(message)
  }

  /** The state of an earlier program's share, for the engine's new one. */
  begin(_installation: string, _items: readonly SourceItem[]): Admission | null {
    return this.#options.restored?.admission ?? null
  }

  /** Call it when the engine has ended a receiver; `null` if it has everything that it wants. */
  onEnded(peer: string, error: AppError | null): void {
    if (error?.code === 'E_CODE_MISMATCH') this.#registrations.noteWrongGuess(peer)
  }

  /** Fails the share if it ends with this receiver; returns false otherwise. */
  failIfFinal(_peer: string, _error: AppError): boolean {
    return false
  }

  /** Call it when a receiver is connected. */
  onConnected(): void {
    // Its place was taken when it proved itself.
  }

  /** Call it when the engine has admitted or forgotten receivers. */
  onAdmission(admission: Admission): void {
    this.#returning = returningKeys(admission)
    this.#registrations.onReturning()
  }

  /** True for a receiver that came through public meeting points. */
  isFromMeeting(peer: string): boolean {
    return this.#registrations.isFromMeeting(peer)
  }

  /** Sets the number of simultaneous receivers; connected ones stay. */
  setMaxReceivers(count: number): Result<null, AppError> {
    const { recorder, record } = this.#options
    const done = this.#entrance.change({ maxReceivers: count })
    if (!done.ok) return done
    recorder.setOptions({ maxReceivers: count })
    record({ type: 'share-resized', maxReceivers: count })
    return done
  }

  /** Changes the rules of the code. Error: it has ended. */
  change({ codeLifeMs, ...change }: CodeChange): Result<null, AppError> {
    const { recorder, record } = this.#options
    if (this.#entrance.codeEnd !== null || this.#isOver) {
      return err(appError('E_BAD_ARGUMENT', 'This code has ended. Make a new one.'))
    }
    const done = this.#entrance.change(change)
    if (!done.ok) return done
    recorder.setOptions(change)
    if (codeLifeMs !== undefined) {
      this.#code.setLife(codeLifeMs)
      recorder.setOptions({ codeLifeMs })
      if (this.#told !== null) this.#noteCode()
    }
    const { oneReceiver, approve } = this.#entrance.rules
    const { endsAtMs } = this.#code
    record({ type: 'share-code-changed', oneReceiver, approve, endsAtMs })
    if (this.#entrance.isComplete) this.#endCode('one-receiver')
    return done
  }

  /** Replaces the code, with drawn words or these: the old one no longer admits anyone. */
  renew(words?: string): Result<null, AppError> {
    const { session, recorder, receivers, ask, record } = this.#options
    if (!this.#wasHosted || this.#options.options.invitedOnly)
      return err(appError('E_BAD_ARGUMENT', 'There is no code yet. Wait a moment.'))
    const unfit = checkWords(words, this.#code.words)
    if (unfit !== null) return err(unfit)
    const given = ask({ type: 'revoke-code', session })
    if (!given.ok) return given
    const done = this.#entrance.renew()
    if (!done.ok) return done
    this.#code.renew(words)
    this.#told = null
    recorder.recoding()
    receivers.loseAll()
    record({ type: 'share-recoding' })
    this.#registrations.renew()
    return ok(null)
  }

  /** Call it when a receiver has got a place. */
  onReceiver(): void {
    this.#entrance.onReceiver()
    if (this.#entrance.isComplete) this.#endCode('one-receiver')
  }

  /** Ends admission because everyone who was invited has answered. */
  endInvited(): void {
    this.#endCode('everyone')
  }

  /** Releases the nameplate once admission has ended and no receiver may need it to reconnect. */
  leaveWhenUnneeded(): void {
    const { recorder, receivers } = this.#options
    if (this.#entrance.codeEnd === null || receivers.mayReturn) return
    recorder.forget()
    this.#registrations.deregister()
  }

  /** Call it when the computer wakes up. */
  onWake(): void {
    this.#registrations.onWake()
    if (this.#entrance.codeEnd === null) this.#code.onWake()
  }

  /** Registers the share at public meeting points, too, if that has become possible; returns false otherwise. */
  meetPublicly(): boolean {
    return this.#registrations.meetPublicly()
  }

  /** Leaves the servers so that they keep the nameplate for the program that reopens the share. */
  suspend(): void {
    this.#registrations.deregister('returns')
  }

  /** Ends the access. Resolves when all its sockets are closed. */
  end(): Promise<void> {
    this.#isOver = true
    this.#code.stop()
    this.#registrations.deregister()
    return this.#registrations.left()
  }

  #own(nameplate: string): void {
    const { session, notifier, ask, fail, onPlace } = this.#options
    const { text: code, isNew } = this.#code.at(nameplate)
    this.#wasHosted = true
    if (isNew) {
      const done = ask({ type: 'set-code', session, code })
      if (!done.ok) {
        fail(done.error)
        return
      }
    }
    this.#noteCode()
    this.#tell(code)
    notifier.hosted(nameplate)
    onPlace({ nameplate, words: this.#code.words })
  }

  /** Reports the code and its server, unless they are known. A share for invited people keeps its code to itself. */
  #tell(code: string): void {
    const { serverUrl: server, isFar, meeting } = this.#registrations
    const hasPage = this.#options.options.browsers && this.#registrations.hasPage
    const told: Told = { code, server, isFar, hasPage, meeting }
    if (isDeepStrictEqual(told, this.#told)) return
    this.#told = told
    const { endsAtMs } = this.#code
    if (this.#options.options.invitedOnly) {
      this.#options.record({ type: 'share-reachable' })
      return
    }
    this.#options.record({
      type: 'share-coded',
      code,
      endsAtMs: endsAtMs ?? undefined,
      server: server ?? undefined,
      serverAway: server !== null && !isFar ? true : undefined,
      web: hasPage ? true : undefined,
      meeting,
    })
  }

  /** Ends admission. Connected receivers may still need the nameplate to reconnect. */
  #endCode(why: CodeEnd): void {
    const { receivers, record } = this.#options
    if (this.#isOver || this.#entrance.codeEnd !== null) return
    this.#code.stop()
    this.#entrance.end(why)
    if (why === 'one-receiver') receivers.giveUpStrangers()
    this.#noteCode()
    record({ type: 'share-code-ended', why })
    this.leaveWhenUnneeded()
  }

  #noteCode(): void {
    this.#options.recorder.coded(this.#registrations.owner, this.#code, this.#entrance.codeEnd)
  }

  #onPlacesLost(error: AppError, isLast: boolean): void {
    const { context, record, fail } = this.#options
    this.#told = null
    const { clock, patienceMs } = context
    const isLate = clock.now() - this.#startedAtMs >= patienceMs
    if (this.#wasHosted) record({ type: 'share-unreachable' })
    else if ((isHopeless(error) && isLast) || isLate) fail(error)
  }
}

/** The admission to a share, whether it has a code of its own or answers a request. */
export type Access = { readonly [Key in keyof ShareAccess]: ShareAccess[Key] }

/** The keys of receivers with unfinished transfers. Each may have one of two, if its connection was lost early. */
const returningKeys = (admission: Admission | null): readonly string[] =>
  (admission?.receivers ?? []).flatMap(({ key, next, hasPlace }) =>
    hasPlace ? [key, ...(next === null ? [] : [next])] : [],
  )
