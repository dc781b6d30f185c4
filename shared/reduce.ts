/**
 * The only way from events to state. Pure and total: it reads no clock, and an event about
 * something unknown or already ended changes nothing.
 */
import type {
  AppState,
  ItemProblem,
  Progress,
  Receive,
  ReceiveId,
  Receiver,
  Share,
  ShareId,
  TransferOutcome,
} from '#shared/app-state'
import { assertNever } from '#shared/assert-never'
import { appError } from '#shared/errors'
import type { AppEvent, Counters, Outcome } from '#shared/events'
import { limits } from '#shared/limits'
import { addSample } from '#shared/rate'

type ShareEvent = Extract<AppEvent, { readonly share: ShareId }>
type ReceiverEvent = Extract<ShareEvent, { readonly type: `receiver-${string}` }>
type ReceiveEvent = Extract<AppEvent, { readonly receive: ReceiveId }>

/** The state after `event`; the same object when nothing changed. */
export function reduce(state: AppState, event: AppEvent): AppState {
  if (event.type === 'server-changed') return { ...state, server: event.server }
  if ('share' in event) return withShares(state, reduceShares(state.shares, event))
  return withReceives(state, reduceReceives(state.receives, event))
}

const withShares = (state: AppState, shares: readonly Share[]): AppState =>
  shares === state.shares ? state : { ...state, shares }

const withReceives = (state: AppState, receives: readonly Receive[]): AppState =>
  receives === state.receives ? state : { ...state, receives }

function reduceShares(shares: readonly Share[], event: ShareEvent): readonly Share[] {
  if (event.type === 'share-opened') {
    if (shares.some(({ id }) => id === event.share)) return shares
    return newestFirst([openedShare(event), ...shares], shareEnded)
  }
  if (event.type === 'share-removed') return without(shares, ({ id }) => id === event.share)
  return replace(
    shares,
    ({ id }) => id === event.share,
    (share) => (shareEnded(share) ? share : reduceShare(share, event)),
  )
}

function reduceShare(
  share: Share,
  event: Exclude<ShareEvent, { readonly type: 'share-opened' | 'share-removed' }>,
): Share {
  switch (event.type) {
    case 'share-counted':
      return share.totals.complete ? share : { ...share, totals: event.totals }
    case 'share-listed':
      return { ...share, items: event.items }
    case 'share-coded':
      return { ...share, phase: 'open', code: event.code }
    case 'share-unreachable':
      return share.phase === 'open' ? { ...share, phase: 'reconnecting' } : share
    case 'share-problem':
      return { ...share, problems: withProblem(share.problems, event) }
    case 'share-stopped':
      return { ...endReceivers(share, appError('E_CANCELLED')), phase: 'stopped' }
    case 'share-failed':
      return { ...endReceivers(share, event.error), phase: 'failed', error: event.error }
    default:
      return reduceReceivers(share, event)
  }
}

function reduceReceivers(share: Share, event: ReceiverEvent): Share {
  const isMeant = ({ peer }: Receiver): boolean => peer === event.peer
  const receivers =
    event.type === 'receiver-joined' && !share.receivers.some(isMeant)
      ? oldestFirst([...share.receivers, joinedReceiver(event)], receiverEnded)
      : replace(share.receivers, isMeant, (receiver) =>
          receiverEnded(receiver) ? receiver : reduceReceiver(receiver, event),
        )
  return receivers === share.receivers ? share : { ...share, receivers }
}

function reduceReceiver(receiver: Receiver, event: ReceiverEvent): Receiver {
  switch (event.type) {
    case 'receiver-joined':
      return receiver
    case 'receiver-connected':
      return {
        ...receiver,
        phase: receiver.phase === 'connecting' ? 'deciding' : receiver.phase,
        name: event.name,
        route: event.route,
      }
    case 'receiver-accepted':
      return { ...receiver, phase: 'receiving', acceptedAtMs: event.atMs }
    case 'receiver-progressed':
      return { ...receiver, progress: progressed(receiver.progress, event) }
    case 'receiver-finished': {
      const since = receiver.acceptedAtMs ?? receiver.joinedAtMs
      return { ...receiver, phase: 'done', outcome: ended(event, since) }
    }
    case 'receiver-failed':
      return { ...receiver, phase: 'failed', error: event.error }
    default:
      return assertNever(event)
  }
}

function reduceReceives(receives: readonly Receive[], event: ReceiveEvent): readonly Receive[] {
  if (event.type === 'receive-opened') {
    if (receives.some(({ id }) => id === event.receive)) return receives
    return newestFirst([openedReceive(event), ...receives], receiveEnded)
  }
  if (event.type === 'receive-removed') return without(receives, ({ id }) => id === event.receive)
  return replace(
    receives,
    ({ id }) => id === event.receive,
    (receive) => (receiveEnded(receive) ? receive : reduceReceive(receive, event)),
  )
}

function reduceReceive(
  receive: Receive,
  event: Exclude<ReceiveEvent, { readonly type: 'receive-opened' | 'receive-removed' }>,
): Receive {
  switch (event.type) {
    case 'receive-found':
      return receive.phase === 'looking-up' ? { ...receive, phase: 'connecting' } : receive
    case 'receive-connected':
      return {
        ...receive,
        phase: isFinding(receive) ? 'listing' : receive.phase,
        from: event.from,
        route: event.route,
      }
    case 'receive-counted':
      return receive.totals?.complete === true ? receive : { ...receive, totals: event.totals }
    case 'receive-offered': {
      const { title, items, totals } = event
      const phase = receive.phase === 'receiving' ? 'receiving' : 'offered'
      return { ...receive, phase, title, items, totals }
    }
    case 'receive-accepted': {
      const { directory, atMs } = event
      return { ...receive, phase: 'receiving', directory, acceptedAtMs: atMs }
    }
    case 'receive-progressed':
      return { ...receive, progress: progressed(receive.progress, event) }
    case 'receive-problem':
      return { ...receive, problems: withProblem(receive.problems, event) }
    case 'receive-finished': {
      const since = receive.acceptedAtMs ?? receive.startedAtMs
      return { ...receive, phase: 'done', outcome: ended(event, since) }
    }
    case 'receive-failed':
      return { ...receive, phase: 'failed', error: event.error }
    default:
      return assertNever(event)
  }
}

const shareEnded = ({ phase }: Share): boolean => phase === 'stopped' || phase === 'failed'
const receiverEnded = ({ phase }: Receiver): boolean => phase === 'done' || phase === 'failed'
const receiveEnded = ({ phase }: Receive): boolean => phase === 'done' || phase === 'failed'

const isFinding = ({ phase }: Receive): boolean => phase === 'looking-up' || phase === 'connecting'

const openedShare = (event: Extract<AppEvent, { readonly type: 'share-opened' }>): Share => ({
  id: event.share,
  title: event.title,
  phase: 'opening',
  code: null,
  totals: { files: 0, folders: 0, bytes: 0, complete: false },
  items: [],
  problems: [],
  receivers: [],
  error: null,
  startedAtMs: event.atMs,
})

const joinedReceiver = (
  event: Extract<AppEvent, { readonly type: 'receiver-joined' }>,
): Receiver => ({
  peer: event.peer,
  name: '',
  phase: 'connecting',
  route: null,
  progress: null,
  outcome: null,
  error: null,
  joinedAtMs: event.atMs,
})

const openedReceive = (event: Extract<AppEvent, { readonly type: 'receive-opened' }>): Receive => ({
  id: event.receive,
  code: event.code,
  phase: 'looking-up',
  from: '',
  title: '',
  totals: null,
  items: [],
  problems: [],
  route: null,
  directory: null,
  progress: null,
  outcome: null,
  error: null,
  startedAtMs: event.atMs,
})

/** Nobody can still receive from a share that has ended. */
const endReceivers = (share: Share, error: Receiver['error']): Share => ({
  ...share,
  receivers: share.receivers.map((receiver) =>
    receiverEnded(receiver) ? receiver : { ...receiver, phase: 'failed', error },
  ),
})

const progressed = (
  before: Progress | null,
  { atMs, counters }: { readonly atMs: number; readonly counters: Counters },
): Progress => ({
  ...counters,
  samples: addSample(before?.samples ?? [], { atMs, bytes: counters.bytes }),
})

const ended = (
  { atMs, outcome }: { readonly atMs: number; readonly outcome: Outcome },
  startedAtMs: number,
): TransferOutcome => ({ ...outcome, startedAtMs, endedAtMs: atMs })

const withProblem = (
  problems: readonly ItemProblem[],
  { path, error }: ItemProblem,
): readonly ItemProblem[] =>
  problems.length < limits.problemsShown ? [...problems, { path, error }] : problems

/** The same list when nothing in it changed, so that a mirror can compare by identity. */
function replace<T>(
  list: readonly T[],
  isMeant: (item: T) => boolean,
  change: (item: T) => T,
): readonly T[] {
  const index = list.findIndex(isMeant)
  const before = list[index]
  if (before === undefined) return list
  const after = change(before)
  return after === before ? list : [...list.slice(0, index), after, ...list.slice(index + 1)]
}

const without = <T>(list: readonly T[], isMeant: (item: T) => boolean): readonly T[] =>
  list.some(isMeant) ? list.filter((item) => !isMeant(item)) : list

/** Not too many to show: the oldest that has ended leaves. `Client` bounds those that have not. */
function newestFirst<T>(list: readonly T[], hasEnded: (item: T) => boolean): readonly T[] {
  if (list.length <= limits.transfersShown) return list
  const leaving = list.map(hasEnded).lastIndexOf(true)
  return list.filter((_, index) => index !== leaving)
}

/** The same for receivers, whose number at a time the engine bounds. */
function oldestFirst<T>(list: readonly T[], hasEnded: (item: T) => boolean): readonly T[] {
  if (list.length <= limits.receiversShown) return list
  const leaving = list.findIndex(hasEnded)
  return list.filter((_, index) => index !== leaving)
}
