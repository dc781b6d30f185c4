/** What happens, in words for people: results to standard output, everything else beside them. */
import { ProgressDisplay } from './progress-display'
import type { Reporter } from './reporter'
import { findReceive, findReceiver } from './state-lookup'
import type { Terminal } from './terminal'
import type {
  AppState,
  ItemProblem,
  Receiver,
  Route,
  Totals,
  TransferOutcome,
} from '#shared/app-state'
import { assertNever } from '#shared/assert-never'
import { describeError } from '#shared/describe-error'
import type { AppError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import { formatBytes, formatCounted, formatDuration } from '#shared/format'
import { signalingPath } from '#shared/signaling'

/** `12,480 files · 84.2 GB`. */
export const totalsText = ({ files, bytes }: Pick<Totals, 'files' | 'bytes'>): string =>
  `${formatCounted(files, 'file')} · ${formatBytes(bytes)}`

/** How two computers are connected, in words. */
export function routeText({ kind, family, transport, relay }: Route): string {
  switch (kind) {
    case 'local':
      return 'on the local network'
    case 'direct':
      return family === 6 ? 'directly (IPv6)' : 'directly'
    case 'relay':
      return `relayed via ${relay}${transport === 'tcp' ? ' (TCP)' : ''}`
    default:
      return assertNever(kind)
  }
}

/** `Verified. 61.9 GB in 9 min 8 s`, and what is not as it should be. */
export function outcomeText(outcome: TransferOutcome): string {
  const { files, bytes, problems, renamed, startedAtMs, endedAtMs } = outcome
  const time = `${formatBytes(bytes)} in ${formatDuration(Math.max(1000, endedAtMs - startedAtMs))}`
  const verified =
    problems === 0
      ? `Verified. ${time}`
      : `Done with ${formatCounted(problems, 'problem')} · ${formatCounted(files, 'file')} verified · ${time}`
  return renamed === 0
    ? verified
    : `${verified} · ${formatCounted(renamed, 'file')} got another name, because theirs was taken`
}

const errorText = (error: AppError): string => {
  const { what, remedy } = describeError(error)
  const detail = error.detail === '' ? error.code : `${error.code}: ${error.detail}`
  return `${what} ${remedy} [${detail}]`
}

const problemText = ({ path, error }: ItemProblem): string => {
  const text = errorText(error)
  return text.includes(path) ? `Problem: ${text}` : `Problem: ${path}: ${text}`
}

const nameOf = (receiver: Receiver | undefined): string =>
  receiver === undefined || receiver.name === '' ? 'A receiver' : receiver.name

/** See above. */
export class PlainReporter implements Reporter {
  readonly #terminal: Terminal
  readonly #progress: ProgressDisplay
  #code: string | null = null

  constructor(terminal: Terminal) {
    this.#terminal = terminal
    this.#progress = new ProgressDisplay(terminal)
  }

  fail(error: AppError): void {
    this.#progress.note(`thru: ${errorText(error)}`)
  }

  end(): void {
    this.#progress.end()
  }

  tell(event: AppEvent, state: AppState): void {
    switch (event.type) {
      case 'server-changed':
        if (event.server.phase === 'unreachable') {
          this.#note(`Trying to reach the signaling server at ${event.server.url}`)
        }
        break
      case 'share-coded':
        this.#tellCode(event.code, state)
        break
      case 'share-counted':
        if (event.totals.complete) this.#note(totalsText(event.totals))
        break
      case 'share-unreachable':
        this.#note('The signaling server is lost: who is connected goes on, others have to wait.')
        break
      case 'share-problem':
      case 'receive-problem':
        this.#note(problemText(event))
        break
      case 'share-failed':
      case 'receive-failed':
        this.#progress.end()
        this.fail(event.error)
        break
      case 'receiver-connected': {
        const { name, route } = event
        this.#note(`${name} is connected ${routeText(route)} and sees what is offered.`)
        break
      }
      case 'receiver-accepted':
        this.#note(`${nameOf(findReceiver(state, event))} receives.`)
        break
      case 'receiver-progressed': {
        const receiver = findReceiver(state, event)
        if (receiver?.phase === 'receiving' && receiver.progress !== null) {
          this.#progress.show(event.peer, nameOf(receiver), receiver.progress, event.atMs)
        }
        break
      }
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
      case 'receive-connected':
        this.#note(`${event.from} is connected ${routeText(event.route)}.`)
        break
      case 'receive-accepted':
        this.#note(`Receiving into ${event.directory}`)
        break
      case 'receive-progressed': {
        const receive = findReceive(state, event)
        if (receive?.phase === 'receiving' && receive.progress !== null) {
          this.#progress.show(event.receive, '', receive.progress, event.atMs)
        }
        break
      }
      case 'receive-finished': {
        const receive = findReceive(state, event)
        this.#progress.end()
        if (receive?.phase === 'done' && receive.outcome !== null) {
          this.#terminal.out(outcomeText(receive.outcome))
        }
        break
      }
      case 'share-opened':
      case 'share-listed':
      case 'share-stopped':
      case 'share-removed':
      case 'receiver-joined':
      case 'receive-opened':
      case 'receive-found':
      case 'receive-counted':
      case 'receive-offered':
      case 'receive-removed':
        break
      default:
        assertNever(event)
    }
  }

  #note(line: string): void {
    this.#progress.note(line)
  }

  #tellCode(code: string, state: AppState): void {
    if (code === this.#code) {
      this.#note('The signaling server is back; the code is the same.')
      return
    }
    if (this.#code !== null) this.#note('The code has changed:')
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

  /** Who never proved to know the code is a stranger; only a wrong code is worth a word. */
  #tellLostReceiver(error: AppError, receiver: Receiver | undefined): void {
    if (receiver !== undefined) this.#note(`${nameOf(receiver)}: ${errorText(error)}`)
    else if (error.code === 'E_CODE_MISMATCH') this.#note('Somebody entered a wrong code.')
  }
}
