/**
 * One receive, from the code to the last file. After a lost connection an accepted receive searches for the sender
 * again and resumes with the same folder, choices and transfer id.
 */
import type { EngineEvent, IceServers } from '#client/engine'
import { countersOf, offerOf, outcomeOf } from '#client/from-engine'
import {
  acceptanceOf,
  type Ask,
  pauseOf,
  priorityOf,
  selectionOf,
} from '#client/session/receive/engine-changes'
import { watchFolder } from '#client/session/receive/folder-check'
import { InactivityTimer, offerMs } from '#client/session/receive/inactivity-timer'
import { codeOf, type JoinTarget, secretFor } from '#client/session/receive/join-target'
import { LateSender } from '#client/session/receive/late-sender'
import { OfferQuestions } from '#client/session/receive/offer-questions'
import { ParallelReconnect } from '#client/session/receive/parallel-reconnect'
import type { ArrivedLink, ReceiveLink } from '#client/session/receive/receive-link'
import {
  type Accepted,
  finishingIn,
  hasOffer,
  runningIn,
  type Stage,
  withFlow,
  withoutLink,
  withPlan,
} from '#client/session/receive/receive-stage'
import { Reconnection } from '#client/session/receive/reconnection'
import { firstPatienceMs, SenderLink } from '#client/session/receive/sender-link'
import { toAppEvent } from '#client/session/receive/to-app-event'
import { lostStream, type NewPlan, noOffer, planOf, resultOf } from '#client/session/requests'
import type { NewReceiveEvent, SessionContext } from '#client/session/session-context'
import { titleOf } from '#client/session/share/source-paths'
import { ReceiveRecorder, type TransferFacts } from '#client/state/receive-recorder'
import { type AppError, appError, type ErrorCode, isPassing } from '#shared/errors'
import type { Preflight } from '#shared/offer'
import { err, ok, type Result } from '#shared/result'
import {
  type ReceivePlan,
  type SelectionChange,
  withChange,
  withFirst,
} from '#shared/settings/receive-options'
import type { ReceiveId, Route, ShareId, StallReason, TransferId } from '#shared/state/app-state'
import type { Outcome } from '#shared/state/counters'

/** The sender may still need the last acknowledgements, and the two people may want to become contacts. */
const lingerMs = 60_000

/** The request that a receive answers: its sender comes by itself, and comes back the same way. */
export type Arrival = { readonly request: ShareId; readonly onAccepted: () => void }

/** The client makes it and calls `start` once. */
export class ReceiveSession {
  /** Questions about the offer. Errors: there is no offer, or it ends before the answer. */
  readonly questions: OfferQuestions
  readonly #context: SessionContext
  readonly #id: ReceiveId
  readonly #target: JoinTarget
  readonly #transfer: TransferId
  readonly #reconnection: Reconnection
  readonly #parallel: ParallelReconnect
  readonly #recorder: ReceiveRecorder
  readonly #inactivity: InactivityTimer
  readonly #late: LateSender
  #ice: IceServers | null = null
  #link: ReceiveLink | null = null
  readonly #arrival: Arrival | null
  #pass: string | null
  #stage: Stage = { kind: 'searching' }
  /** The sender's route and name on the current link. */
  #sender: { readonly route?: Route; readonly name?: string } = {}
  /** An offered stream can't be resumed once part of it was received. */
  #stream: 'none' | 'offered' | 'begun' = 'none'
  /** The last outcome, until the receive accepts again or learns of a change. */
  #inStep: Outcome | null = null

  /** `entry` describes the unfinished or new receive; its key is used only if there are no words. */
  constructor(
    context: SessionContext,
    id: ReceiveId,
    target: JoinTarget,
    entry: TransferFacts,
    arrival: Arrival | null = null,
  ) {
    this.#context = context
    this.#id = id
    this.#target = target
    this.#arrival = arrival
    this.#transfer = entry.transfer
    this.#pass = target.pass ?? null
    this.#late = new LateSender(context.clock, target.waitMs)
    this.#reconnection = new Reconnection(context.clock, context.random)
    this.#parallel = new ParallelReconnect({
      context,
      open: () => this.#newLink(0),
      onConnected: (link, event) => this.#goOver(link, event),
    })
    this.questions = new OfferQuestions(context.clock, (ask) =>
      hasOffer(this.#stage) ? this.#post(ask) : noOffer,
    )
    this.#inactivity = new InactivityTimer({
      clock: context.clock,
      report: (reason) => this.#record({ type: 'receive-stalled', reason }),
    })
    const facts = target.words === null ? entry : { ...entry, resumeKey: null }
    this.#recorder = new ReceiveRecorder(context.clock, facts, context.recordResumable)
  }

  /** Searches for the sender. */
  async start(): Promise<void> {
    const { nameplate, contact, nearby } = this.#target
    const { server, serverUrl } = this.#context
    const opened = { code: codeOf(this.#target), transfer: this.#transfer, contact, nearby }
    const place = { server: serverUrl ?? undefined, request: this.#arrival?.request }
    this.#record({ type: 'receive-opened', ...opened, ...place })
    if (this.#arrival !== null) return
    const ice = await this.#context.preparation().iceServers(nameplate, server)
    if (this.#stage.kind === 'over') return
    if (ice.ok) {
      this.#ice = ice.value
      this.#connect(firstPatienceMs)
    } else this.#fail(ice.error)
  }

  /** Determines the consequences of accepting a plan. Errors: there is no offer, or it ends before the answer. */
  async preflight(plan: NewPlan): Promise<Result<Preflight, AppError>> {
    return this.#stage.kind === 'accepted' ? err(noOffer) : this.questions.preflight(planOf(plan))
  }

  /** Continues on the link of a sender that has come. */
  adopt(link: ArrivedLink): void {
    if (this.#link !== null) this.#leaveLink(appError('E_PEER_GONE', 'it has come back'))
    this.#reconnection.stop()
    this.#link = link
    link.own({
      onEvent: (event) => this.#onEngine(event),
      onFailed: (error) => this.#onLinkFailed(error),
    })
  }

  /** Accepts the offer into a folder, which is created if missing. */
  accept(wanted: NewPlan): Result<null, AppError> {
    if (this.#stage.kind !== 'offered') return err(noOffer)
    const accepted = { kind: 'accepted', plan: planOf(wanted), isPaused: false } as const
    const error = this.#take(accepted, this.#recorder.wasFollowing)
    if (error !== null) return err(error)
    this.#remember(accepted.plan)
    this.#arrival?.onAccepted()
    return ok(null)
  }

  /** Changes the selection during the transfer. */
  select(change: SelectionChange): Result<null, AppError> {
    return this.#change(selectionOf(change), ({ changes }) => ({
      changes: withChange(changes, change),
    }))
  }

  /** Receives these files before other missing ones, also after resuming. */
  prioritize(patterns: readonly string[]): Result<null, AppError> {
    return this.#change(priorityOf(patterns), (plan) => withFirst(plan, patterns))
  }

  /** Pauses or resumes; a pause outlasts a lost connection. */
  pause(paused: boolean): Result<null, AppError> {
    const isRunning = runningIn(this.#stage) !== null
    const done = this.#change(pauseOf(paused), () => ({}), paused)
    const kind = paused ? 'paused' : 'flowing'
    if (done.ok && !isRunning) this.#record({ type: 'receive-flow-changed', flow: { kind } })
    return done
  }

  /** Sends a change to a running engine session; `#onStarted` repeats it on later links. */
  #change(
    ask: Ask,
    changed: (plan: ReceivePlan) => Partial<ReceivePlan>,
    isPaused?: boolean,
  ): Result<null, AppError> {
    const next = withPlan(this.#stage, changed, isPaused)
    if (!next.ok) return next
    const error = next.value.link === 'lost' ? null : this.#post(ask)
    if (error !== null) return err(error)
    this.#stage = next.value
    this.#remember(next.value.plan)
    return ok(null)
  }

  /** Stores the plan for a later run of the program, if the receive could be resumed then. */
  #remember(plan: ReceivePlan): void {
    if (this.#mayResume(plan)) this.#recorder.accepted(plan)
  }

  #mayResume({ toOutput }: ReceivePlan): boolean {
    return toOutput !== true && this.#stream === 'none'
  }

  /** Call it when the computer wakes up. */
  onWake(): void {
    this.#reconnection.hurry()
    this.#parallel.onWake()
    this.#link?.onWake()
  }

  /** Declines the offer or cancels the receive, and fails with `why`, which the sender of an offer receives, too. */
  cancel(why?: AppError): Result<null, AppError> {
    const isUndecided = this.#stage.kind === 'offered'
    if (isUndecided && why !== undefined) this.#refuse(why.code)
    this.#fail(why ?? appError(isUndecided ? 'E_DECLINED' : 'E_CANCELLED'))
    return ok(null)
  }

  /** Leaves the offer to a person: the receive ends with `E_UNDECIDED` at both ends. */
  defer(): Result<null, AppError> {
    return resultOf(this.#stage.kind === 'offered' ? this.#refuse('E_UNDECIDED') : noOffer)
  }

  #refuse(why: ErrorCode): AppError | null {
    return this.#post((session) => ({ type: 'refuse', session, why }))
  }

  #connect(patienceMs: number): void {
    const link = this.#newLink(patienceMs)
    if (link === null) {
      if (this.#arrival !== null) this.#onLinkFailed(appError('E_PEER_GONE', 'not back yet'))
      return
    }
    this.#inactivity.expect('network')
    this.#link = link
    link.start()
  }

  /** A new link, not started. Until it becomes the receive's own, it searches for the sender in parallel. */
  #newLink(patienceMs: number): SenderLink | null {
    const secret = secretFor(this.#target, this.#recorder.resumeKey)
    if (this.#ice === null || secret === null) return null
    const isOwn = (): boolean => link === this.#link
    const own = (run: () => void) => (): void => {
      if (isOwn()) run()
    }
    const link: SenderLink = new SenderLink({
      context: this.#context,
      receive: this.#id,
      nameplate: this.#target.nameplate,
      pass: this.#pass,
      onPass: (pass) => {
        this.#pass = pass
        this.#recorder.setPass(pass)
      },
      ...{ secret, transfer: this.#transfer, ice: this.#ice },
      ...{ patienceMs, prefetches: this.#context.receiving.prefetch && !this.#recorder.hasData },
      attributes: (this.#recorder.options ?? this.#context.receiving).keepAttributes,
      onWaiting: own(() => this.#inactivity.expect('peer')),
      onFound: own(() => {
        this.#inactivity.expect('peer')
        this.#record({ type: 'receive-found' })
      }),
      onNoRoute: own(() => this.#inactivity.expectRoute()),
      onEvent: (event) => (isOwn() ? this.#onEngine(event) : this.#parallel.onEvent(event)),
      onFailed: (error) => (isOwn() ? this.#onLinkFailed(error) : this.#parallel.onFailed()),
    })
    return link
  }

  /** Handles the start or end of the sender's silence. */
  #onSilence(isSilent: boolean): void {
    const running = runningIn(this.#stage)
    const mayReturn = running !== null && this.#mayResume(running.plan)
    if (!isSilent) this.#parallel.stop()
    else if (mayReturn && this.#recorder.resumeKey !== null) this.#parallel.start()
  }

  /** Continues on a link that found the silent sender over another route. */
  #goOver(link: SenderLink, event: EngineEvent): void {
    this.#leaveLink(appError('E_PEER_GONE', 'no sign of life'))
    this.#link = link
    this.#onEngine(event)
  }

  #leaveLink(error: AppError): void {
    this.#link?.detach()
    this.#forgetLink(error)
    this.#record({ type: 'receive-lost', attempt: 1, error })
  }

  /** Accepts the offer on the current link. `again`: an earlier link's offer was accepted. */
  #take(accepted: Omit<Accepted, 'link'>, again: boolean): AppError | null {
    const { directory, toOutput } = accepted.plan
    const error = this.#post(acceptanceOf(accepted.plan, again))
    if (error !== null) return error
    this.#inStep = null
    this.#stage = { ...accepted, link: 'running' }
    this.#record({ type: 'receive-accepted', directory: toOutput === true ? null : directory })
    return null
  }

  #onEngine(event: EngineEvent): void {
    switch (event.type) {
      case 'pairing-done':
        this.#inactivity.expect('network')
        this.#record({ type: 'receive-paired', safety: event.safety })
        break
      case 'resume-key': {
        if (this.#arrival !== null) break
        const { nameplate } = this.#target
        const server = this.#context.serverUrl
        this.#recorder.setResumeKey({ nameplate, key: event.key, server, pass: this.#pass })
        break
      }
      case 'connected':
        if (this.#sender.route === undefined) this.#record({ type: 'receive-reached' })
        this.#sender = { ...this.#sender, route: event.route }
        this.#expectOffer()
        this.#reportConnected()
        break
      case 'greeted':
        this.#sender = { ...this.#sender, name: event.name }
        this.#expectOffer()
        this.#recorder.update({ from: event.name })
        this.#reportConnected()
        break
      case 'approval-requested':
        this.#expectOffer('none', offerMs.approval)
        this.#record({ type: 'receive-approval-requested' })
        break
      case 'offer':
        this.#onOffer(event)
        break
      case 'listing':
      case 'files':
      case 'preflight':
        this.questions.onAnswer(event)
        break
      case 'accepted':
        this.#onStarted(event)
        break
      case 'progress': {
        const counters = countersOf(event)
        if (counters.transferred > 0) {
          if (this.#stream === 'offered') this.#stream = 'begun'
          this.#reconnection.succeeded()
        }
        this.#watchDisk()
        this.#record({ type: 'receive-progressed', counters })
        this.#recorder.progressed(counters)
        break
      }
      case 'flow':
        this.#stage = withFlow(this.#stage, event.state)
        this.#watchDisk()
        this.#record({ type: 'receive-flow-changed', flow: event.state })
        break
      case 'silence':
        this.#onSilence(event.silent)
        break
      case 'finished':
        this.#inactivity.stop()
        if (event.inStep === true) {
          this.#inStep = outcomeOf(event)
          this.#reconnection.succeeded()
          this.#record({ type: 'receive-in-step', outcome: this.#inStep })
        } else this.#finish(outcomeOf(event), lingerMs)
        break
      default: {
        if (event.type === 'scan') this.#expectOffer()
        const appEvent = toAppEvent(event, this.#parallel.isRunning)
        if (appEvent !== null) this.#record(appEvent)
      }
    }
  }

  #finish(outcome: Outcome, engineLingerMs: number): void {
    this.#record({ type: 'receive-finished', outcome })
    this.#context.completeResumable(this.#transfer)
    this.#end(engineLingerMs)
  }

  /** While received data becomes durable, the engine reports no stalls. */
  #watchDisk(): void {
    const finishing = (): Accepted | null =>
      this.#inStep === null ? finishingIn(this.#stage) : null
    watchFolder(this.#context.sources, this.#inactivity, finishing, (error) => this.#fail(error))
  }

  /** Waits for the offer of the connected sender. */
  #expectOffer(reason: StallReason = 'peer', afterMs = offerMs.silence): void {
    if (hasOffer(this.#stage)) return
    const run = (): void => {
      void this.#link?.end(0)
      this.#onLinkFailed(appError('E_PEER_GONE', 'connected, but nothing was offered'))
    }
    this.#inactivity.expect(reason, { afterMs, run })
  }

  /** Reports the connection once its route and name are known. */
  #reportConnected(): void {
    const { route, name: from } = this.#sender
    if (route === undefined || from === undefined) return
    this.#record({ type: 'receive-connected', from, route })
  }

  #onOffer(event: Extract<EngineEvent, { readonly type: 'offer' }>): void {
    const offer = offerOf(event)
    this.questions.offered(event)
    const title = titleOf(offer.items)
    if (this.#stage.kind === 'searching') this.#stage = { kind: 'offered' }
    if (!offer.items.some(({ kind }) => kind === 'stream')) this.#stream = 'none'
    else if (this.#stream === 'none') this.#stream = 'offered'
    this.#inactivity.stop()
    this.#recorder.update({ title, totalBytes: event.bytes })
    this.#record({ type: 'receive-offered', title, ...offer })
    if (this.#stage.kind === 'accepted' && this.#stage.link === 'lost') void this.#takeAgain()
  }

  /** Accepts what was accepted before, once the new key is stored: the sender then forgets the previous one. */
  async #takeAgain(): Promise<void> {
    const link = this.#link
    await this.#recorder.stored()
    const stage = this.#stage
    if (link !== this.#link || stage.kind !== 'accepted' || stage.link !== 'lost') return
    const error = this.#take(stage, true)
    if (error !== null) this.#fail(error)
  }

  #onStarted(event: Extract<EngineEvent, { readonly type: 'accepted' }>): void {
    const { resumedBytes, conflicts, mappedCount, mappedNames } = event
    this.#reconnection.returned()
    this.#record({ type: 'receive-started', resumedBytes, conflicts, mappedCount, mappedNames })
    if (this.#stage.kind !== 'accepted') return
    for (const change of this.#stage.plan.changes) this.#post(selectionOf(change))
    if (this.#stage.isPaused) this.#post(pauseOf(true))
  }

  /** Drops the state of the current link. */
  #forgetLink(error: AppError): void {
    this.#parallel.stop()
    this.#inactivity.stop()
    this.#sender = {}
    this.#stage = withoutLink(this.#stage)
    this.questions.fail(error)
  }

  #onLinkFailed(error: AppError): void {
    const isEarly = this.#stage.kind === 'searching'
    this.#forgetLink(error)
    if (isEarly && this.#late.waits(error, () => this.#connect(firstPatienceMs))) return
    if (error.code === 'E_CODE_MISMATCH' && this.#recorder.resumeKey !== null) {
      this.#context.suspectResumeKey(this.#transfer)
    }
    // Data that went to an output, or was read from a stream, can't be repeated.
    const isStreaming = this.#stream === 'begun'
    if (this.#stage.kind !== 'accepted' || this.#stage.plan.toOutput === true || isStreaming) {
      this.#fail(isStreaming && isPassing(error) ? lostStream(error) : error)
      return
    }
    if (error.code === 'E_SHARE_CHANGED') this.#inStep = null
    const { follow } = this.#stage.plan.options
    const next = this.#reconnection.next(error, () => this.#connect(0), follow)
    this.#recorder.save()
    const isEnd = error.code === 'E_STOPPED'
    if (next === 'hopeless' && isEnd && this.#inStep !== null) this.#finish(this.#inStep, 0)
    else if (next === 'hopeless') this.#fail(error)
    else if (next === 'too-late') {
      this.#record({ type: 'receive-interrupted', error })
      this.#end(0)
    } else if (error.code !== 'E_SHARE_CHANGED') {
      this.#record({ type: 'receive-lost', attempt: next.attempt, error })
    }
  }

  #fail(error: AppError): void {
    if (this.#stage.kind === 'over') return
    this.#inactivity.stop()
    this.#recorder.save()
    this.#record({ type: 'receive-failed', error })
    this.#end(0)
  }

  #end(engineLingerMs: number): void {
    this.#stage = { kind: 'over' }
    this.#late.stop()
    this.#reconnection.stop()
    this.#parallel.stop()
    this.questions.fail(appError('E_CANCELLED', 'the receive has ended'))
    this.#context.ended(this.#link?.end(engineLingerMs) ?? Promise.resolve())
  }

  #post(ask: Ask): AppError | null {
    return this.#link?.post(ask) ?? null
  }

  #record(event: NewReceiveEvent): void {
    this.#context.record({ ...event, receive: this.#id })
  }
}
