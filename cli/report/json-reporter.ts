/**
 * One JSON object per line on standard output, each with a `type`. Programs ignore unknown types and
 * fields. Sizes are bytes, times milliseconds; `peer` distinguishes the receivers of a share, `receive`
 * the receives of `listen` and `request`. Each of them gets at most four progress lines per second.
 */
import { join } from 'node:path'
import { assertNever } from '#shared/assert-never'
import { makeJoinLink, makeWebLink } from '#shared/code/join-link'
import { describeError, type ErrorText } from '#shared/describe-error'
import { describeMissing, describeUnsent } from '#shared/describe-peer'
import type { AppError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import { bytesPerSecond } from '#shared/format/rate'
import { withoutInvisible } from '#shared/format/visible-text'
import type { Preflight } from '#shared/offer'
import { reachOfShare } from '#shared/reach'
import type { AppState, Receive, Receiver, TransferOutcome } from '#shared/state/app-state'
import type { ContactRequest } from '#shared/state/contacts'
import { savedName } from '#shared/state/saved-name'
import { outputName, type ReportFlags } from '../options/flags'
import type { Terminal } from '../terminal/terminal'
import type { TimedStep } from './connection-timing'
import { describeHere } from './event-text'
import { withoutTexts } from './file-text'
import { hasStream } from './offer-kind'
import { describeLostReceiver, senderEnd } from './receiver-end'
import type { Reporter } from './reporter'
import { contactName, findReceive, findReceiver } from './state-lookup'

export type JsonLine = { readonly type: string } & Readonly<Record<string, unknown>>

const progressEveryMs = 250

/** One line; escapes invisible characters that `JSON.stringify` keeps and a terminal could obey. */
export const jsonText = (line: JsonLine): string =>
  withoutInvisible(JSON.stringify(line), (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  )

export class JsonReporter implements Reporter {
  readonly #terminal: Terminal
  readonly #reportsSafety: boolean
  readonly #isDryRun: boolean
  readonly #progressAtMs = new Map<string, number>()

  constructor(terminal: Terminal, asked: ReportFlags = {}) {
    this.#terminal = terminal
    this.#reportsSafety = asked.safetyNumber === true
    this.#isDryRun = asked.dryRun === true
  }

  report(event: AppEvent, state: AppState): void {
    if (this.#isTooSoon(event)) return
    // The end of a dry run is no failure.
    if (this.#isDryRun && event.type === 'receive-failed' && event.error.code === 'E_CANCELLED')
      return
    const line = this.#reportsSafety
      ? (safetyLine(event) ?? jsonLine(event, state))
      : jsonLine(event, state)
    if (line === null) return
    this.#write('receive' in event ? { ...line, receive: event.receive } : line)
  }

  timing(steps: readonly TimedStep[]): void {
    this.#write({ type: 'timing', ms: Object.fromEntries(steps.map(({ step, ms }) => [step, ms])) })
  }

  preflight(_offer: Receive, { error, ...preflight }: Preflight): void {
    const described = error === null ? {} : { error: { ...error, ...describeError(error) } }
    this.#write({ type: 'preflight', ...preflight, ...described })
  }

  fail(error: AppError): void {
    this.#write(errorLine(error))
  }

  end(): void {
    this.#progressAtMs.clear()
  }

  #isTooSoon(event: AppEvent): boolean {
    if (event.type !== 'receive-progressed' && event.type !== 'receiver-progressed') return false
    const id = event.type === 'receive-progressed' ? event.receive : event.peer
    if (event.atMs - (this.#progressAtMs.get(id) ?? -Infinity) < progressEveryMs) return true
    this.#progressAtMs.set(id, event.atMs)
    return false
  }

  #write(line: JsonLine): void {
    this.#terminal.out(jsonText(line))
  }
}

const errorLine = (error: AppError, description?: ErrorText): JsonLine => ({
  type: 'error',
  ...error,
  ...describeHere(error, description),
})

/** The safety number, as soon as it is known. */
function safetyLine(event: AppEvent): JsonLine | null {
  switch (event.type) {
    case 'receive-paired':
      return { type: 'safety-number', number: event.safety }
    case 'receiver-joined':
      return { type: 'safety-number', peer: event.peer, number: event.safety }
    default:
      return null
  }
}

/** The safety number of a transfer, once it is known. */
const numberOf = (side: Pick<Receive | Receiver, 'safety'> | undefined) =>
  side === undefined || side.safety === null ? {} : { number: side.safety }

/** The line for an event; `null` for events that only a window shows. */
export function jsonLine(event: AppEvent, state: AppState): JsonLine | null {
  switch (event.type) {
    case 'server-changed':
      return event.server.phase === 'idle' ? null : { type: 'server', ...event.server }
    case 'local-network-changed':
      return { type: 'local-network', ...event.localNetwork }
    case 'share-coded':
      return codeObject(event, state)
    case 'share-code-ended':
      return { type: 'code-ended', why: event.why }
    case 'share-guessed':
      return { type: 'guesses', ...event.guesses }
    case 'share-unauthenticated-load':
      return { type: 'unauthenticated-load', high: event.high }
    case 'storage-failed': {
      const { kind, file, detail } = event.storageError
      return { type: 'storage', kind, file, detail }
    }
    case 'storage-mended':
      return { type: 'storage-mended', file: event.file }
    case 'share-counted': {
      const { complete, leftOut = 0, ...totals } = event.totals
      const share = state.shares.find(({ id }) => id === event.share)
      // A stream is counted again after each read.
      if (share !== undefined && hasStream(share) && totals.bytes > 0) return null
      return complete ? { type: 'scan', ...totals, leftOut } : null
    }
    case 'share-listed':
      return event.followed === undefined ? null : { type: 'followed-links', ...event.followed }
    case 'share-unreachable':
      return { type: 'reconnecting' }
    case 'share-problem':
    case 'receive-problem': {
      const { path, error } = event
      const description =
        event.type === 'share-problem' ? describeUnsent(error) : describeMissing(error)
      return { type: 'problem', path, ...error, ...description }
    }
    case 'share-stopped':
      return { type: 'stopped' }
    case 'share-failed':
      return errorLine(event.error)
    case 'receive-failed':
      return errorLine(event.error, describeHere(event.error, senderEnd(event, state)))
    case 'receiver-connected': {
      const { peer, name, browser, route } = event
      return { type: 'connected', peer, name, browser, route }
    }
    case 'receive-connected':
      return { type: 'connected', name: event.from, route: event.route }
    case 'receiver-route-changed':
      return { type: 'route-changed', peer: event.peer, route: event.route }
    case 'receive-route-changed':
      return { type: 'route-changed', route: event.route }
    case 'receive-approval-requested':
      return { type: 'approval-requested', ...numberOf(findReceive(state, event)) }
    case 'receiver-approval-requested':
      return {
        type: 'approval-requested',
        peer: event.peer,
        ...numberOf(findReceiver(state, event)),
      }
    case 'receiver-approved':
      return { type: 'approved', peer: event.peer }
    case 'receiver-accepted':
      return { type: 'accepted', peer: event.peer }
    case 'receiver-files-changed':
    case 'receive-files-changed': {
      const received = event.type === 'receive-files-changed' ? findReceive(state, event) : null
      const { files, more } = withoutTexts(event, received?.items ?? [])
      const peer = 'peer' in event ? { peer: event.peer } : {}
      return files.length === 0 ? null : { type: 'files', ...peer, files, more }
    }
    case 'receive-accepted':
      return { type: 'accepted', directory: event.directory ?? outputName }
    case 'receive-started': {
      const { resumedBytes, conflicts, mappedCount, mappedNames } = event
      return { type: 'started', resumedBytes, conflicts, mappedCount, mappedNames }
    }
    case 'receive-names-mapped': {
      const { mappedCount, mappedNames } = event
      return { type: 'names', mappedCount, mappedNames }
    }
    case 'receive-deletions': {
      const { moved, folder, keptCount, kept } = event
      return { type: 'deletions', moved, folder, keptCount, kept }
    }
    case 'receive-text-arrived':
      return { type: 'text', name: event.name, text: event.text }
    case 'receive-lost': {
      const { attempt, error } = event
      return {
        type: 'reconnecting',
        attempt,
        ...error,
        ...describeHere(event.error, senderEnd(event, state)),
      }
    }
    case 'receive-interrupted':
      return {
        ...errorLine(event.error, describeHere(event.error, senderEnd(event, state))),
        type: 'interrupted',
      }
    case 'receiver-flow-changed':
      return { type: 'flow', peer: event.peer, ...event.flow }
    case 'receive-flow-changed':
      return { type: 'flow', ...event.flow }
    case 'receiver-stalled':
      return { type: 'stalled', peer: event.peer, reason: event.reason }
    case 'receive-stalled':
      return { type: 'stalled', reason: event.reason }
    case 'receiver-measured':
      return { type: 'statistics', peer: event.peer, ...rounded(event.statistics) }
    case 'receive-measured':
      return { type: 'statistics', ...rounded(event.statistics) }
    case 'receiver-progressed': {
      const samples = findReceiver(state, event)?.progress?.samples ?? []
      const speed = bytesPerSecond(samples, event.atMs)
      return {
        type: 'progress',
        peer: event.peer,
        ...event.counters,
        bytesPerSecond: speed && Math.round(speed),
      }
    }
    case 'receive-progressed': {
      const samples = findReceive(state, event)?.progress?.samples ?? []
      const speed = bytesPerSecond(samples, event.atMs)
      return { type: 'progress', ...event.counters, bytesPerSecond: speed && Math.round(speed) }
    }
    case 'receiver-in-step':
    case 'receiver-finished': {
      const outcome = findReceiver(state, event)?.outcome
      const type = event.type === 'receiver-finished' ? 'done' : 'in-step'
      return { type, peer: event.peer, ...(outcome ? doneFields(outcome) : event.outcome) }
    }
    case 'receive-in-step':
    case 'receive-finished': {
      const receive = findReceive(state, event)
      const outcome = receive?.outcome
      return {
        type: event.type === 'receive-finished' ? 'done' : 'in-step',
        directory: receive?.directory ?? outputName,
        paths: receive === undefined ? [] : savedPaths(receive),
        ...(outcome ? doneFields(outcome) : event.outcome),
        resumedBytes: receive?.resumedBytes ?? 0,
        conflicts: receive?.conflicts ?? null,
        mappedCount: receive?.mappedCount ?? 0,
        leftOut: receive?.leftOut ?? [],
      }
    }
    case 'receiver-failed': {
      const { peer, error } = event
      const receiver = findReceiver(state, event)
      return { ...errorLine(error, describeLostReceiver(error, receiver, state)), peer }
    }
    case 'receive-offered': {
      const { title, items, totals, leftOut = [] } = event
      const { files, folders, bytes } = totals
      const from = findReceive(state, event)?.from ?? ''
      return { type: 'offer', from, title, items, files, folders, bytes, leftOut }
    }
    case 'share-invited':
      return {
        type: 'invited',
        contacts: event.invited.map(({ contact, phase }) => ({
          contact: contactName(state, contact),
          phase,
        })),
      }
    case 'receiver-contact-request-changed':
      return isWorthReporting(event)
        ? { type: 'contact-request', peer: event.peer, state: event.contactRequest }
        : null
    case 'receive-contact-request-changed':
      return isWorthReporting(event)
        ? { type: 'contact-request', state: event.contactRequest }
        : null
    case 'share-called':
      return {
        type: 'called',
        computers: event.calls.map(({ name, phase, safety }) => ({ name, phase, safety })),
      }
    case 'nearby-asked': {
      const { id, name, summary, safety, phase } = event.question
      return { type: 'nearby-question', id, name, summary, safety, phase }
    }
    case 'invitation-arrived': {
      const { contact, nameplate, summary } = event.invitation
      return { type: 'invitation', contact: contactName(state, contact), nameplate, summary }
    }
    case 'reachability-changed':
      return { type: 'reachable', ...event.reachability }
    case 'contacts-changed':
    case 'invitation-removed':
    case 'nearby-changed':
    case 'nearby-question-removed':
    case 'history-changed':
    case 'update-changed':
    case 'share-opened':
    case 'share-reachable':
    case 'share-paused':
    case 'share-code-changed':
    case 'share-resized':
    case 'share-removed':
    case 'share-recoding':
    case 'receiver-joined':
    case 'receive-opened':
    case 'share-watched':
    case 'receive-found':
    case 'receive-paired':
    case 'receive-reached':
    case 'receive-counted':
    case 'receive-removed':
    case 'limits-changed':
    case 'settings-changed':
    case 'resumable-listed':
    case 'resumable-recorded':
    case 'resumable-removed':
      return null
    default:
      return assertNever(event)
  }
}

/** Figures with at most three decimals. */
const rounded = <T extends object>(figures: T): T =>
  JSON.parse(JSON.stringify(figures), (_key, value: unknown) =>
    typeof value === 'number' ? Math.round(value * 1000) / 1000 : value,
  ) as T

/** Paths of the received items; only the engine knows those of a part of the offer, and of files with numbers. */
function savedPaths(receive: Receive): readonly string[] {
  const { directory, items, outcome } = receive
  const isKnown = outcome?.renamed === 0 && outcome.unwantedFiles === 0
  if (directory === null || !isKnown) return []
  const saved = items.filter(({ kind }) => kind === 'file' || kind === 'folder')
  const names = saved.map(({ name }) => savedName(receive, name))
  return names.every((name) => name !== null) ? names.map((name) => join(directory, name)) : []
}

const doneFields = ({ startedAtMs, endedAtMs, ...outcome }: TransferOutcome) => ({
  ...outcome,
  durationMs: endedAtMs - startedAtMs,
})

const isWorthReporting = ({
  contactRequest,
}: {
  readonly contactRequest: ContactRequest | null
}): boolean => contactRequest !== null && contactRequest !== 'possible'

/** The code, with links that people can open instead of typing it. */
function codeObject(
  event: Extract<AppEvent, { readonly type: 'share-coded' }>,
  state: AppState,
): JsonLine {
  const { code, server = null, serverAway, web, meeting } = event
  const { scope } = reachOfShare({ server, serverAway, meeting }, state)
  const webLink = makeWebLink({ code, server })
  return {
    type: 'code',
    code,
    link: makeJoinLink({ code, server }),
    webLink: webLink ?? undefined,
    web,
    reach: scope,
    meeting,
  }
}
