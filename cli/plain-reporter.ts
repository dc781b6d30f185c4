/** What happens, in words for people: results to standard output, everything else beside them. */
import { invitationText, invitedText, keepingText } from './contact-text'
import {
  errorText,
  nameOf,
  outcomeText,
  problemText,
  routeText,
  summaryText,
  totalsText,
} from './event-text'
import { stepNames, type TimedStep } from './connection-timing'
import type { PairingFlags } from './flags'
import { ProgressDisplay } from './progress-display'
import type { Reporter } from './reporter'
import { findReceive, findReceiver } from './state-lookup'
import { mappedLines, surveyLines } from './survey-text'
import type { Terminal } from './terminal'
import type {
  AppState,
  FlowState,
  Guesses,
  Receive,
  ReceiveId,
  Receiver,
  ServerStatus,
  StallReason,
} from '#shared/app-state'
import { hasEnded, isRunning } from '#shared/app-state'
import { assertNever } from '#shared/assert-never'
import type { ContactId, Invited, Keeping, Reachability } from '#shared/contacts'
import { describeReceiverEnd, describeSenderEnd, describeUnsent } from '#shared/describe-peer'
import type { AppError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import { formatCount, formatSafety as safetyWords } from '#shared/format'
import type { Survey } from '#shared/offer'
import {
  codeEndNote as codeEndWords,
  crowdNote as crowdWords,
  guessNote as guessWords,
  movedNote as movedWords,
  receiveLabel as receiveWords,
  receiverLabel as receiverWords,
  stallLabel as stallWords,
  storageNote as storageWords,
} from '#shared/labels'
import { signalingPath } from '#shared/signaling'

type ShareCounted = Extract<AppEvent, { readonly type: 'share-counted' }>
type ReceiveEnd = Extract<
  AppEvent,
  { readonly type: 'receive-failed' | 'receive-lost' | 'receive-interrupted' }
>

const senderEndText = (event: ReceiveEnd, state: AppState): string =>
  errorText(event.error, describeSenderEnd(event.error, findReceive(state, event)?.from ?? ''))

/** Once is enough: it stays as it is as long as the address does. */
const insecureWords =
  'The way to the signaling server is not encrypted: on it, others see who connects to whom, and ' +
  'whoever changes what passes can use its relays or get in the way. Files stay protected. ' +
  'Use an address with wss:// where there is one.'

/** What is tried once more is no stall of something that was moving. */
const stallNote = (reason: StallReason, why: string): string =>
  reason === 'no-route'
    ? 'There is no way through yet, trying once more.'
    : `Nothing moves, ${why}.`

/** See above. */
export class PlainReporter implements Reporter {
  readonly #terminal: Terminal
  readonly #progress: ProgressDisplay
  readonly #flows = new Map<string, FlowState['kind']>()
  /** How many of a receive's names that are written differently. */
  readonly #namesTold = new Map<ReceiveId, number>()
  readonly #invited = new Map<ContactId, Invited['phase']>()
  readonly #tellsSafety: boolean
  #code: string | null = null
  #toldInsecure = false
  #guesses: Guesses = { wrong: 0, locked: false, spent: false }

  constructor(terminal: Terminal, asked: PairingFlags = {}) {
    this.#terminal = terminal
    this.#tellsSafety = asked.safetyNumber === true
    this.#progress = new ProgressDisplay(terminal)
  }

  fail(error: AppError): void {
    this.#progress.note(`thru: ${errorText(error)}`)
  }

  survey(receive: ReceiveId, survey: Survey): void {
    this.#namesTold.set(receive, survey.mappedCount)
    for (const line of surveyLines(survey)) this.#note(line)
  }

  timing(steps: readonly TimedStep[]): void {
    for (const { step, ms } of steps) this.#note(`${stepNames[step].padEnd(15)} ${ms} ms`)
    const total = steps.reduce((sum, { ms }) => sum + ms, 0)
    this.#note(`${'in all'.padEnd(15)} ${total} ms`)
  }

  end(): void {
    this.#progress.end()
  }

  tell(event: AppEvent, state: AppState): void {
    switch (event.type) {
      case 'server-changed':
        this.#tellServer(event.server)
        break
      case 'share-coded':
        this.#tellCode(event.code, state)
        break
      case 'share-code-ended':
        this.#note(codeEndWords(event.why))
        break
      case 'share-guessed':
        this.#tellGuesses(event.guesses)
        break
      case 'share-crowded':
        if (event.crowded) this.#note(crowdWords)
        break
      case 'storage-troubled':
        this.#note(`${storageWords(event.trouble)} [${event.trouble.detail}]`)
        break
      case 'share-counted':
        if (event.totals.complete) this.#tellTotals(event, state)
        break
      case 'share-unreachable':
        this.#note('The signaling server is lost: who is connected goes on, others have to wait.')
        break
      case 'share-problem':
        this.#note(problemText(event, describeUnsent(event.error)))
        break
      case 'receive-problem':
        this.#note(problemText(event))
        break
      case 'share-failed':
        this.#progress.end()
        this.fail(event.error)
        break
      case 'receive-failed':
        this.#progress.end()
        this.#note(`thru: ${senderEndText(event, state)}`)
        break
      case 'receiver-connected': {
        const { name, route } = event
        const hasReturned = (findReceiver(state, event)?.returns ?? 0) > 0
        const what = hasReturned ? 'has reconnected' : 'is connected'
        const more = hasReturned ? '.' : ' and sees what is offered.'
        this.#note(`${name} ${what} ${routeText(route)}${more}`)
        this.#tellSafety(findReceiver(state, event)?.safety)
        break
      }
      case 'receiver-accepted':
        this.#note(`${nameOf(findReceiver(state, event))} receives.`)
        break
      case 'receiver-progressed': {
        const receiver = findReceiver(state, event)
        if (receiver && isRunning(receiver) && receiver.progress !== null) {
          this.#progress.show(event.peer, nameOf(receiver), receiver.progress, event.atMs)
        }
        break
      }
      case 'receiver-flow-changed': {
        const receiver = findReceiver(state, event)
        if (receiver && isRunning(receiver)) {
          this.#tellFlow(event.peer, event.flow, `${nameOf(receiver)}: ${receiverWords(receiver)}`)
        }
        break
      }
      case 'receive-flow-changed': {
        const receive = findReceive(state, event)
        if (receive && isRunning(receive)) {
          this.#tellFlow(event.receive, event.flow, receiveWords(receive))
        }
        break
      }
      case 'receiver-stalled': {
        const why = stallWords(event.reason)
        if (why !== null)
          this.#note(`${nameOf(findReceiver(state, event))}: nothing moves, ${why}.`)
        break
      }
      case 'receive-stalled': {
        const why = stallWords(event.reason)
        if (why !== null) this.#note(stallNote(event.reason, why))
        break
      }
      case 'receive-text-arrived':
        this.#tellText(event.name, event.text)
        break
      case 'receive-lost': {
        const receive = findReceive(state, event)
        if (event.attempt === 1) this.#note(senderEndText(event, state))
        if (receive && !hasEnded(receive)) this.#note(receiveWords(receive))
        break
      }
      case 'receive-interrupted':
        this.#progress.end()
        this.#note('Interrupted. What is complete stays: "thru resume" goes on.')
        this.#note(`thru: ${senderEndText(event, state)}`)
        break
      case 'receiver-finished': {
        const receiver = findReceiver(state, event)
        this.#progress.remove(event.peer)
        if (receiver?.phase === 'done' && receiver.outcome !== null) {
          this.#note(`${nameOf(receiver)}: ${outcomeText(receiver.outcome)}`)
        }
        break
      }
      case 'receiver-failed':
        this.#tellLostReceiver(event.error, findReceiver(state, event))
        this.#progress.remove(event.peer)
        break
      case 'receive-paired':
        this.#tellSafety(event.safety)
        break
      case 'receive-connected':
        this.#note(`${event.from} is connected ${routeText(event.route)}.`)
        break
      case 'receive-accepted':
        this.#note(`Receiving into ${event.directory}`)
        break
      case 'receive-started':
      case 'receive-names-mapped': {
        const receive = findReceive(state, event)
        if (receive) this.#tellNames(receive)
        break
      }
      case 'receive-progressed': {
        const receive = findReceive(state, event)
        if (receive && isRunning(receive) && receive.progress !== null) {
          this.#progress.show(event.receive, '', receive.progress, event.atMs)
        }
        break
      }
      case 'receive-finished': {
        const receive = findReceive(state, event)
        this.#progress.end()
        if (receive?.phase === 'done' && receive.outcome !== null) {
          this.#terminal.out(outcomeText(receive.outcome))
          const summary = summaryText(receive)
          if (summary !== '') this.#terminal.out(summary)
        }
        break
      }
      case 'share-invited':
        this.#tellInvited(event.invited, state)
        break
      case 'receiver-keeping-changed':
        this.#tellKeeping(nameOf(findReceiver(state, event)), event.keeping)
        break
      case 'receive-keeping-changed':
        this.#tellKeeping(findReceive(state, event)?.from ?? '', event.keeping)
        break
      case 'invitation-arrived':
        this.#note(invitationText(event.invitation, state))
        break
      case 'reachability-changed':
        this.#tellReachability(event.reachability)
        break
      case 'contacts-changed':
      case 'invitation-removed':
      case 'share-opened':
      case 'share-listed':
      case 'share-paused':
      case 'share-resized':
      case 'share-stopped':
      case 'share-removed':
      case 'share-recoding':
      case 'receiver-joined':
      case 'receive-opened':
      case 'receive-found':
      case 'receive-reached':
      case 'receive-counted':
      case 'receive-offered':
      case 'receive-removed':
      case 'limits-changed':
      case 'unfinished-listed':
      case 'unfinished-noted':
      case 'unfinished-removed':
        break
      default:
        assertNever(event)
    }
  }

  #note(line: string): void {
    this.#progress.note(line)
  }

  #tellTotals({ share, totals }: ShareCounted, state: AppState): void {
    const leftOut = state.shares.find(({ id }) => id === share)?.problems.length ?? 0
    const more = leftOut === 0 ? '' : ` · ${formatCount(leftOut)} left out`
    this.#note(`${totalsText(totals)}${more}`)
  }

  /** That it flows is worth a word only after something kept it from flowing. */
  #tellFlow(id: string, { kind }: FlowState, words: string): void {
    const before = this.#flows.get(id) ?? 'flowing'
    this.#flows.set(id, kind)
    if (kind !== before) this.#note(words)
  }

  /** Those that are new; a mere number waits for the end. */
  #tellNames({ id, mappedCount, mappedNames }: Receive): void {
    const before = this.#namesTold.get(id) ?? 0
    const names = mappedNames.slice(before)
    this.#namesTold.set(id, mappedCount)
    if (names.length === 0) return
    for (const line of mappedLines(mappedCount - before, names)) this.#note(line)
  }

  #tellInvited(invited: readonly Invited[], state: AppState): void {
    for (const one of invited) {
      const text = invitedText(one, state)
      const isNew = this.#invited.get(one.contact) !== one.phase
      this.#invited.set(one.contact, one.phase)
      if (isNew && text !== null) this.#note(text)
    }
  }

  #tellKeeping(name: string, keeping: Keeping | null): void {
    const text = keepingText(name === '' ? 'The sender' : name, keeping)
    if (text !== null) this.#note(text)
  }

  #tellReachability(reachability: Reachability): void {
    if (reachability.phase === 'on' && reachability.insecure === true) this.#tellInsecure()
    if (reachability.phase === 'on') this.#note('Contacts can send to this computer now.')
    else if (reachability.phase === 'trying' && reachability.error !== null) {
      this.#note(errorText(reachability.error))
    }
  }

  /** Each line by itself, so that nothing in it is obeyed by the terminal. */
  #tellText(name: string, text: string): void {
    this.#note(`Text "${name}":`)
    for (const line of text.split(/\r?\n/)) this.#terminal.out(line)
  }

  #tellSafety(safety: string | undefined): void {
    if (!this.#tellsSafety || safety === undefined) return
    this.#note(`Safety number: ${safetyWords(safety)}, the same on the other computer.`)
  }

  /** Once when it becomes worth a word, and once when it is too much. */
  #tellGuesses(guesses: Guesses): void {
    const words = guessWords(guesses)
    const before = this.#guesses
    const isWorse = guesses.locked !== before.locked || guesses.spent !== before.spent
    this.#guesses = guesses
    if (words !== null && (guessWords(before) === null || isWorse)) this.#note(words)
  }

  #tellServer(server: ServerStatus): void {
    if (server.phase === 'unreachable') {
      this.#note(`Trying to reach the signaling server at ${server.url}`)
    } else if (server.phase === 'connected' && server.insecure) this.#tellInsecure()
  }

  #tellInsecure(): void {
    if (!this.#toldInsecure) this.#note(insecureWords)
    this.#toldInsecure = true
  }

  #tellCode(code: string, state: AppState): void {
    if (code === this.#code) {
      this.#note('The signaling server is back; the code is the same.')
      return
    }
    if (this.#code !== null) this.#note(movedWords)
    this.#code = code
    this.#terminal.out(`Code: ${code}`)
    const { server } = state
    if (server.phase === 'connected' && !server.embedded) {
      const url = server.url.slice(0, -signalingPath.length)
      this.#note(`To receive: thru join ${code} --out FOLDER --server-url ${url}`)
    } else {
      this.#note(`To receive: thru join ${code} --out FOLDER`)
      this.#note('No server is configured (--server-url): the code works on this computer only.')
    }
  }

  /** Who never proved to know the code is a stranger; few ends of one are worth a word. */
  #tellLostReceiver(error: AppError, receiver: Receiver | undefined): void {
    if (receiver !== undefined) {
      this.#note(errorText(error, describeReceiverEnd(error, receiver)))
    } else if (error.code === 'E_CODE_MISMATCH') this.#note('Somebody entered a wrong code.')
    else if (error.code === 'E_PEER_VERSION') this.#note(errorText(error))
  }
}
