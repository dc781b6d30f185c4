/** The part of `reduce` about receives. */
import { assertNever } from '#shared/assert-never'
import { keepNewestFirst, replaceFirst, without } from '#shared/bounded-list'
import type { ReceiveEvent } from '#shared/events'
import { limits } from '#shared/limits'
import {
  hasEnded,
  isRunning,
  type Receive,
  type ReceivedText,
  type ReceivePhase,
} from '#shared/state/app-state'
import {
  bytesSoFar,
  noBytes,
  outcomeOf,
  phaseOf,
  progressed,
  withContactRequest,
  withProblem,
} from '#shared/state/reduce-transfer'

/** The receives after `event`; the same list when nothing changed. */
export function reduceReceives(
  receives: readonly Receive[],
  event: ReceiveEvent,
): readonly Receive[] {
  if (event.type === 'receive-opened') {
    if (receives.some(({ id }) => id === event.receive)) return receives
    return keepNewestFirst([openedReceive(event), ...receives], limits.transfersShown, hasEnded)
  }
  if (event.type === 'receive-removed') return without(receives, ({ id }) => id === event.receive)
  if (event.type === 'receive-contact-request-changed') {
    return replaceFirst(
      receives,
      ({ id }) => id === event.receive,
      (receive) => withContactRequest(receive, event.contactRequest),
    )
  }
  return replaceFirst(
    receives,
    ({ id }) => id === event.receive,
    (receive) => (hasEnded(receive) ? receive : reduceReceive(receive, event)),
  )
}

function reduceReceive(
  receive: Receive,
  event: Exclude<
    ReceiveEvent,
    { readonly type: 'receive-opened' | 'receive-removed' | 'receive-contact-request-changed' }
  >,
): Receive {
  switch (event.type) {
    case 'receive-found':
      return { ...receive, phase: findingPhase(receive, 'connecting') }
    case 'receive-paired':
      return { ...receive, safety: event.safety }
    case 'receive-reached':
      return receive
    case 'receive-connected': {
      const { from, route } = event
      return { ...receive, phase: findingPhase(receive, 'listing'), from, route }
    }
    case 'receive-route-changed':
      return { ...receive, route: event.route }
    case 'receive-approval-requested':
      return receive.phase === 'listing' ? { ...receive, phase: 'approving' } : receive
    case 'receive-counted': {
      const phase = receive.phase === 'approving' ? 'listing' : receive.phase
      return { ...receive, phase, totals: event.totals }
    }
    case 'receive-offered': {
      const { title, items, totals, leftOut = [], followable } = event
      // One whose sender came back before it was accepted is offered again.
      const isUnanswered = receive.phase === 'reconnecting' && receive.acceptedAtMs === undefined
      const isFirst =
        isFinding(receive) || ['approving', 'listing'].includes(receive.phase) || isUnanswered
      const phase = isFirst ? 'offered' : receive.phase
      const shown = items.slice(0, limits.entriesShown)
      const changes = isUnanswered ? { attempt: 0, error: null } : {}
      return { ...receive, ...changes, phase, title, items: shown, totals, leftOut, followable }
    }
    case 'receive-accepted': {
      const before = receive.outcome === null ? receive : anew(receive)
      const acceptedAtMs = before.acceptedAtMs ?? event.atMs
      const { directory } = event
      return { ...before, phase: 'preparing', directory, acceptedAtMs, attempt: 0, error: null }
    }
    case 'receive-started': {
      const { conflicts, mappedCount } = event
      // Bytes that this receive got over an earlier connection count as transferred.
      const resumedBytes = receive.conflicts === null ? event.resumedBytes : receive.resumedBytes
      const mappedNames = event.mappedNames.slice(0, limits.entriesShown)
      // Earlier write failures may succeed now; persistent ones are reported again.
      const changes = { resumedBytes, conflicts, mappedCount, mappedNames, problems: [] }
      return { ...receive, ...changes, deletions: undefined, phase: phaseOf(receive.flow) }
    }
    case 'receive-deletions': {
      const { moved, folder, keptCount, kept } = event
      return { ...receive, deletions: { moved, folder, keptCount, kept } }
    }
    case 'receive-names-mapped': {
      const { mappedCount } = event
      const all = [...receive.mappedNames, ...event.mappedNames]
      return { ...receive, mappedCount, mappedNames: all.slice(0, limits.entriesShown) }
    }
    case 'receive-progressed': {
      const progress = progressed(receive.progress, event, receive.before)
      return { ...receive, progress }
    }
    case 'receive-flow-changed': {
      const { flow } = event
      const phase = isRunning(receive) ? phaseOf(flow) : receive.phase
      return { ...receive, phase, flow, stall: 'none' }
    }
    case 'receive-measured':
      return { ...receive, statistics: event.statistics }
    case 'receive-stalled':
      return { ...receive, stall: event.reason }
    case 'receive-files-changed':
      return receive
    case 'receive-text-arrived':
      return { ...receive, texts: withText(receive.texts, event) }
    case 'receive-problem':
      return { ...receive, problems: withProblem(receive.problems, event) }
    case 'receive-lost':
      return lost(receive, event)
    case 'receive-in-step':
    case 'receive-finished': {
      const since = receive.acceptedAtMs ?? receive.startedAtMs
      const outcome = outcomeOf(event, since, receive.before)
      const phase = event.type === 'receive-finished' ? 'done' : 'in-step'
      return { ...receive, phase, stall: 'none', error: null, outcome }
    }
    case 'receive-interrupted':
      return { ...receive, phase: 'interrupted', stall: 'none', attempt: 0, error: event.error }
    case 'receive-failed': {
      const { error } = event
      const retryFromMs = error.code === 'E_PEER_IDENTITY' ? event.atMs + limits.identityPauseMs : 0
      return { ...receive, phase: 'failed', stall: 'none', attempt: 0, error, retryFromMs }
    }
    default:
      return assertNever(event)
  }
}

/** The figures of a receive that was complete begin again with each change of the share. */
const anew = (receive: Receive): Receive => ({
  ...receive,
  acceptedAtMs: undefined,
  progress: null,
  outcome: null,
  conflicts: null,
  resumedBytes: 0,
  before: noBytes,
})

const isFinding = ({ phase }: Receive): boolean => phase === 'looking-up' || phase === 'connecting'

/** Reconnecting to a lost sender is a single phase for people, whatever its progress. */
const findingPhase = (receive: Receive, next: ReceivePhase): ReceivePhase =>
  isFinding(receive) ? next : receive.phase

function lost(
  receive: Receive,
  { attempt, error }: Extract<ReceiveEvent, { readonly type: 'receive-lost' }>,
): Receive {
  const flow = receive.flow.kind === 'paused' ? receive.flow : ({ kind: 'flowing' } as const)
  const changes = { flow, attempt, error, before: bytesSoFar(receive), route: null }
  return { ...receive, ...changes, phase: 'reconnecting', stall: 'none' }
}

/** The same text arrives again after a lost connection. */
function withText(
  texts: readonly ReceivedText[],
  { name, text }: ReceivedText,
): readonly ReceivedText[] {
  if (texts.some((one) => one.name === name && one.text === text)) return texts
  const characters = texts.reduce((sum, one) => sum + one.text.length, text.length)
  return texts.length < limits.textsKept && characters <= limits.textCharactersKept
    ? [...texts, { name, text }]
    : texts
}

const openedReceive = (
  event: Extract<ReceiveEvent, { readonly type: 'receive-opened' }>,
): Receive => ({
  id: event.receive,
  transfer: event.transfer,
  code: event.code,
  server: event.server,
  phase: 'looking-up',
  flow: { kind: 'flowing' },
  stall: 'none',
  attempt: 0,
  from: '',
  title: '',
  totals: null,
  items: [],
  problems: [],
  leftOut: [],
  texts: [],
  route: null,
  directory: null,
  resumedBytes: 0,
  conflicts: null,
  mappedCount: 0,
  mappedNames: [],
  before: noBytes,
  progress: null,
  outcome: null,
  error: null,
  retryFromMs: 0,
  safety: null,
  startedAtMs: event.atMs,
  contact: event.contact,
  nearby: event.nearby,
  request: event.request,
})
