/** Reports events in words for people: results to standard output, everything else to standard error. */
import { assertNever } from '#shared/assert-never'
import { linkOfShare } from '#shared/code/join-link'
import type { ErrorText } from '#shared/describe-error'
import { describeMissing, describeUnsent } from '#shared/describe-peer'
import type { AppError } from '#shared/errors'
import type { AppEvent, ReceiveEvent, ReceiverEvent } from '#shared/events'
import type { FileChanges } from '#shared/files'
import { formatSafety } from '#shared/format/format'
import {
  codeEndNote,
  loadNote,
  receiveLabel,
  receiverLabel,
  stallLabel,
  storageNote,
} from '#shared/labels'
import type { Preflight } from '#shared/offer'
import type { ConflictPolicy } from '#shared/settings/receive-options'
import type { AppState, FlowState, Receive, ReceiveId, Receiver } from '#shared/state/app-state'
import { hasEnded, hasOnlyTexts, isRunning, textsIn } from '#shared/state/app-state'
import type { ContactRequest, Reachability } from '#shared/state/contacts'
import type { ReportFlags } from '../options/flags'
import type { Terminal } from '../terminal/terminal'
import { text } from '../text'
import { CodeReporter } from './code-reporter'
import type { TimedStep } from './connection-timing'
import { contactRequestLine, invitationLine, InvitedLines } from './contact-text'
import { deletionLines } from './deletion-text'
import {
  errorText,
  happenedText,
  outcomeText,
  problemText,
  routeText,
  stallNote,
  summaryText,
  totalsText,
  type Wording,
} from './event-text'
import { currentText, fileLines, withoutTexts } from './file-text'
import { CallLines, questionLine } from './nearby-text'
import { courseOf, hasStream } from './offer-kind'
import { mappedLines, preflightLines } from './preflight-text'
import { ProgressDisplay } from './progress-display'
import { describeLostReceiver, type ReceiveEnd, senderEnd } from './receiver-end'
import type { Reporter } from './reporter'
import {
  findReceive,
  findReceiver,
  isAnswer,
  isComplete,
  isKnown,
  namedReceiver,
  receiverName,
  senderName,
} from './state-lookup'
import { VerboseLines } from './verbose-text'

type ShareCounted = Extract<AppEvent, { readonly type: 'share-counted' }>
type CodeEnded = Extract<AppEvent, { readonly type: 'share-code-ended' }>
export class PlainReporter implements Reporter {
  readonly #terminal: Terminal
  readonly #progress: ProgressDisplay
  readonly #flows = new Map<string, FlowState['kind']>()
  /** Numbers of a receive's renamed entries that were reported. */
  readonly #reportedNames = new Map<ReceiveId, number>()
  readonly #calls = new CallLines()
  readonly #invited = new InvitedLines()
  readonly #asked: ReportFlags
  readonly #verbose = new VerboseLines()
  readonly #codes: CodeReporter

  constructor(terminal: Terminal, asked: ReportFlags = {}) {
    this.#terminal = terminal
    this.#asked = asked
    this.#progress = new ProgressDisplay(terminal)
    this.#codes = new CodeReporter({
      out: (line) => terminal.out(line, 'strong'),
      note: (line) => this.#note(line),
      alert: (line) => this.#alert(line),
      hasKeys: terminal.canAsk,
      explain: (error) => this.#explained(error),
    })
  }

  fail(error: AppError): void {
    if (!this.#codes.hasTold(error)) this.#alert(text.transfer.failed(this.#explained(error)))
  }

  preflight(
    offer: Receive,
    preflight: Preflight,
    policy: ConflictPolicy | null,
    compared: boolean,
  ): void {
    this.#reportedNames.set(offer.id, preflight.mappedCount)
    if (hasOnlyTexts(offer.items)) return
    for (const line of preflightLines(preflight, policy, compared)) this.#note(line)
  }

  timing(steps: readonly TimedStep[]): void {
    const total = steps.reduce((sum, { ms }) => sum + ms, 0)
    const names = text.transfer.timing
    const width = Math.max(...Object.values(names).map(({ length }) => length))
    for (const { step, ms } of [...steps, { step: 'total', ms: total } as const]) {
      this.#progress.note(`${names[step].padEnd(width)} ${ms} ms`)
    }
  }

  end(): void {
    this.#progress.end()
  }

  report(event: AppEvent, state: AppState): void {
    const step = this.#asked.verbose === true ? this.#verbose.line(event, state) : null
    if (step !== null) this.#progress.note(step, 'faint')
    switch (event.type) {
      case 'server-changed':
        this.#codes.reportServer(event.server, state)
        break
      case 'local-network-changed':
        if (event.localNetwork.phase === 'blocked') {
          const { reason, urls } = event.localNetwork
          const [share] = state.shares
          const link = share === undefined ? null : linkOfShare(share, state.localNetwork)
          this.#note(text.localNetwork[reason](urls, link))
        } else this.#codes.reportPage(state)
        break
      case 'share-coded':
        this.#codes.reportCode(event, state)
        this.#codes.reportPage(state)
        break
      case 'share-code-ended':
        this.#reportCodeEnd(event, state)
        break
      case 'share-guessed':
        this.#codes.reportGuesses(event.guesses)
        break
      case 'share-unauthenticated-load':
        if (event.high) this.#note(loadNote())
        break
      case 'storage-failed':
        this.#alert(
          text.transfer.withDetail(storageNote(event.storageError), event.storageError.detail),
        )
        break
      case 'share-counted':
        if (event.totals.complete) this.#reportTotals(event, state)
        break
      case 'share-listed':
        this.#codes.reportFollowed(event.followed, this.#asked.verbose === true)
        break
      case 'share-unreachable':
        this.#note(isAnswer(state, event) ? text.share.backAgain : text.share.serverLost)
        break
      case 'share-problem':
        this.#alert(problemText(event, this.#wording(describeUnsent(event.error))))
        break
      case 'receive-problem':
        this.#alert(problemText(event, this.#wording(describeMissing(event.error))))
        break
      case 'share-failed':
        this.#progress.end()
        this.fail(event.error)
        break
      case 'receive-failed':
        this.#progress.end()
        // The end of a dry run is no failure.
        if (this.#asked.dryRun === true && event.error.code === 'E_CANCELLED') break
        if (!this.#codes.hasTold(event.error)) this.#reportEnd(event, state)
        break
      case 'receiver-connected': {
        const receiver = findReceiver(state, event)
        const name = receiverName(state, receiver)
        if (isKnown(receiver)) break
        const hasReconnected = (receiver?.reconnections ?? 0) > 0
        if (hasReconnected) this.#note(text.share.reconnected(name))
        this.#note(routeText(namedReceiver(state, receiver), event.route))
        const isAsked = state.shares.some(({ id, approve }) => id === event.share && approve)
        if (!hasReconnected && !isAsked) this.#note(text.share.reviewing(name))
        this.#reportSafety(receiver?.safety)
        break
      }
      case 'receiver-route-changed':
        this.#note(routeText(receiverName(state, findReceiver(state, event)), event.route))
        break
      case 'receiver-approved':
        this.#note(text.share.reviewing(receiverName(state, findReceiver(state, event))))
        break
      case 'receive-approval-requested': {
        const receive = findReceive(state, event)
        if (receive?.phase !== 'approving') break
        this.#note(receiveLabel(receive))
        // The sender's question shows the same number.
        if (this.#asked.safetyNumber !== true && receive.safety !== null) {
          this.#note(text.receive.askedAbout(formatSafety(receive.safety)))
        }
        break
      }
      case 'receiver-accepted':
        if (isKnown(findReceiver(state, event))) break
        this.#note(text.share.receiving(receiverName(state, findReceiver(state, event))))
        break
      case 'receiver-progressed':
        this.#showReceiver(event, state)
        break
      case 'receiver-flow-changed': {
        const receiver = findReceiver(state, event)
        if (receiver && isRunning(receiver)) {
          const name = receiverName(state, receiver)
          const words = text.transfer.about(name, receiverLabel(receiver))
          this.#reportFlow(event.peer, event.flow, words)
          this.#showReceiver(event, state)
        }
        break
      }
      case 'receive-flow-changed': {
        const receive = findReceive(state, event)
        if (receive && isRunning(receive)) {
          this.#reportFlow(event.receive, event.flow, receiveLabel(receive))
          this.#showReceive(event, state)
        }
        break
      }
      case 'receiver-stalled': {
        const why = stallLabel(event.reason)
        const name = receiverName(state, findReceiver(state, event))
        if (why !== null) this.#note(text.transfer.stalledFor(name, why))
        break
      }
      case 'receive-stalled': {
        const why = stallLabel(event.reason)
        if (why !== null) this.#note(stallNote(event.reason, why))
        break
      }
      case 'receive-text-arrived':
        this.#reportText(event.name, event.text)
        break
      case 'receive-lost': {
        const receive = findReceive(state, event)
        if (event.attempt === 1) {
          this.#alert(happenedText(event.error, this.#wording(senderEnd(event, state))))
        }
        if (receive && !hasEnded(receive)) this.#note(receiveLabel(receive))
        break
      }
      case 'receive-interrupted':
        this.#progress.end()
        this.#reportEnd(event, state)
        break
      case 'receiver-in-step':
      case 'receiver-finished': {
        const receiver = findReceiver(state, event)
        this.#progress.remove(event.peer)
        if (isComplete(receiver)) {
          const share = state.shares.find(({ id }) => id === event.share)
          const texts = textsIn(share?.items ?? [])
          const ended = outcomeText(receiver.outcome, { ...receiver, side: 'sender', texts })
          this.#progress.note(text.transfer.about(receiverName(state, receiver), ended))
        }
        break
      }
      case 'receiver-failed':
        this.#reportLostReceiver(event.error, findReceiver(state, event), state)
        this.#progress.remove(event.peer)
        break
      case 'receive-paired':
        this.#reportSafety(event.safety)
        break
      case 'receive-connected':
      case 'receive-route-changed': {
        const receive = findReceive(state, event)
        if (!isKnown(receive)) this.#note(routeText(senderName(state, receive), event.route))
        break
      }
      case 'receiver-files-changed':
        this.#reportFiles(event.peer, event, receiverName(state, findReceiver(state, event)))
        break
      case 'receive-files-changed': {
        const items = findReceive(state, event)?.items ?? []
        this.#reportFiles(event.receive, withoutTexts(event, items), null)
        break
      }
      case 'receive-accepted':
        this.#reportFolder(event.directory, findReceive(state, event))
        break
      case 'receive-started':
      case 'receive-names-mapped': {
        const receive = findReceive(state, event)
        if (receive) this.#reportNames(receive)
        break
      }
      case 'receive-deletions':
        for (const line of deletionLines(event)) this.#note(line)
        break
      case 'receive-progressed':
        this.#showReceive(event, state)
        break
      case 'receive-in-step':
      case 'receive-finished': {
        const receive = findReceive(state, event)
        this.#progress.end()
        if (isComplete(receive)) {
          const texts = textsIn(receive.items)
          const ended = outcomeText(receive.outcome, { ...receive, side: 'receiver', texts })
          const summary = summaryText(receive)
          this.#terminal.note(ended)
          if (summary !== '') this.#terminal.note(summary)
          if (receive.phase === 'in-step') this.#note(receiveLabel(receive))
        }
        break
      }
      case 'share-invited':
        for (const line of this.#invited.of(event.invited, state)) this.#note(line)
        break
      case 'receiver-contact-request-changed':
        this.#reportContactRequest(
          receiverName(state, findReceiver(state, event)),
          event.contactRequest,
        )
        break
      case 'receive-contact-request-changed':
        this.#reportContactRequest(
          senderName(state, findReceive(state, event)),
          event.contactRequest,
        )
        break
      case 'share-called':
        for (const line of this.#calls.of(event.calls)) this.#note(line)
        break
      case 'nearby-asked':
        if (event.question.phase === 'asking') this.#note(questionLine(event.question))
        break
      case 'invitation-arrived':
        this.#note(invitationLine(event.invitation, state))
        break
      case 'reachability-changed':
        this.#reportReachability(event.reachability)
        break
      case 'contacts-changed':
      case 'nearby-changed':
      case 'nearby-question-removed':
      case 'invitation-removed':
      case 'history-changed':
      case 'update-changed':
      case 'share-opened':
      case 'share-reachable':
      case 'share-paused':
      case 'share-code-changed':
      case 'share-resized':
      case 'share-stopped':
      case 'share-removed':
      case 'share-recoding':
      case 'receiver-joined':
      case 'receiver-approval-requested':
      case 'receiver-measured':
      case 'share-watched':
      case 'receive-opened':
      case 'receive-found':
      case 'receive-reached':
      case 'receive-counted':
      case 'receive-offered':
      case 'receive-measured':
      case 'receive-removed':
      case 'limits-changed':
      case 'storage-mended':
      case 'settings-changed':
      case 'resumable-listed':
      case 'resumable-recorded':
      case 'resumable-removed':
        break
      default:
        assertNever(event)
    }
  }

  /** Prints a note, unless `--quiet` was given. */
  #note(line: string): void {
    if (this.#asked.quiet !== true) this.#progress.note(line)
  }

  #alert(line: string): void {
    this.#progress.note(line, 'bad')
  }

  #showReceiver(event: Pick<ReceiverEvent, 'share' | 'peer' | 'atMs'>, state: AppState): void {
    const receiver = findReceiver(state, event)
    const share = state.shares.find(({ id }) => id === event.share)
    if (receiver === undefined || !isRunning(receiver) || receiver.progress === null) return
    const name = receiverName(state, receiver)
    const course = courseOf(receiver.flow, share)
    this.#show(event.peer, name, receiver.progress, event.atMs, course)
  }

  #showReceive(event: Pick<ReceiveEvent, 'receive' | 'atMs'>, state: AppState): void {
    const receive = findReceive(state, event)
    if (receive === undefined || !isRunning(receive) || receive.progress === null) return
    const course = courseOf(receive.flow, receive)
    this.#show(event.receive, '', receive.progress, event.atMs, course)
  }

  #show(...progress: Parameters<ProgressDisplay['show']>): void {
    if (this.#asked.quiet !== true) this.#progress.show(...progress)
  }

  #reportTotals({ share, totals }: ShareCounted, state: AppState): void {
    const offer = state.shares.find(({ id }) => id === share)
    // A stream is counted again after each read.
    if (offer !== undefined && (hasOnlyTexts(offer.items) || hasStream(offer))) return
    const leftOut = totals.leftOut ?? 0
    const amount = totalsText(totals, offer?.items ?? [])
    this.#note(leftOut === 0 ? amount : text.share.leftOut(amount, leftOut))
  }

  #reportFolder(directory: string | null, receive: Receive | undefined): void {
    if (directory === null) this.#note(text.receive.toOutput)
    else if (receive === undefined || !hasOnlyTexts(receive.items))
      this.#note(text.receive.into(directory))
  }

  #reportFiles(id: string, changes: FileChanges, receiver: string | null): void {
    this.#progress.setCurrent(id, currentText(changes))
    for (const line of fileLines(changes, receiver)) this.#progress.note(line, 'faint')
  }

  /** Reports a flow as resumed only after something held it up. */
  #reportFlow(id: string, { kind }: FlowState, words: string): void {
    // It follows each transfer, and its end soon follows.
    if (kind === 'finishing') return
    const before = this.#flows.get(id) ?? 'flowing'
    this.#flows.set(id, kind)
    if (kind === before) return
    const hasKeys = this.#terminal.canAsk && kind === 'paused'
    this.#note(hasKeys ? text.transfer.spaceResumes(words) : words)
  }

  /** Reports only new names; names beyond the list appear in the summary. */
  #reportNames({ id, mappedCount, mappedNames }: Receive): void {
    const before = this.#reportedNames.get(id) ?? 0
    const names = mappedNames.slice(before)
    this.#reportedNames.set(id, mappedCount)
    if (names.length === 0) return
    for (const line of mappedLines(mappedCount - before, names)) this.#note(line)
  }

  /** A share for contacts ends with the last of them, as its summary says. */
  #reportCodeEnd({ share, why }: CodeEnded, { shares }: AppState): void {
    const { invitedOnly, answers } = shares.find(({ id }) => id === share) ?? {}
    if (why !== 'everyone' && answers === undefined)
      this.#note(codeEndNote(why, invitedOnly === true))
  }

  #reportContactRequest(name: string, contactRequest: ContactRequest | null): void {
    const isAnswered = this.#asked.keep === true
    // If a person can answer, a question about it follows.
    if (contactRequest === 'received' && (isAnswered || this.#terminal.canAsk)) return
    const line = contactRequestLine(name, contactRequest)
    if (line !== null) this.#note(line)
  }

  #reportReachability(reachability: Reachability): void {
    if (reachability.phase === 'on' && reachability.insecure === true) this.#codes.reportInsecure()
    if (reachability.phase === 'on') this.#note(text.contact.listening)
    else if (reachability.phase === 'trying' && reachability.error !== null) {
      this.#note(this.#explained(reachability.error))
    }
  }

  /** Prints each line separately, so that the terminal obeys no control sequence in it. */
  #reportText(name: string, content: string): void {
    this.#note(text.receive.text(name))
    for (const line of content.split(/\r?\n/)) this.#terminal.out(line)
  }

  #reportSafety(safety: string | undefined): void {
    if (this.#asked.safetyNumber !== true || safety === undefined) return
    this.#progress.note(text.transfer.safetyNumber(formatSafety(safety)))
  }

  /** A stranger never proved to know the code; few of a stranger's errors are reported. */
  #reportLostReceiver(error: AppError, receiver: Receiver | undefined, state: AppState): void {
    if (receiver !== undefined) {
      this.#alert(this.#explained(error, describeLostReceiver(error, receiver, state)))
    } else if (error.code === 'E_PEER_VERSION') this.#note(this.#explained(error))
  }

  #reportEnd(event: ReceiveEnd, state: AppState): void {
    this.#alert(text.transfer.failed(this.#explained(event.error, senderEnd(event, state))))
  }

  #explained(error: AppError, description?: ErrorText): string {
    return errorText(error, this.#wording(description))
  }

  #wording(description?: ErrorText): Wording {
    const verbose = this.#asked.verbose === true
    return description === undefined ? { verbose } : { verbose, description }
  }
}
