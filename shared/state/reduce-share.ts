/** The part of `reduce` about shares and their receivers. */
import { assertNever } from '#shared/assert-never'
import { keepNewestFirst, keepOldestFirst, replaceFirst, without } from '#shared/bounded-list'
import { appError, isPassing } from '#shared/errors'
import type { ReceiverEvent, ShareEvent } from '#shared/events'
import { limits } from '#shared/limits'
import {
  hasEnded,
  isRunning,
  type PeerId,
  type Receiver,
  type Share,
} from '#shared/state/app-state'
import { directAddress, hasStopped } from '#shared/state/queries'
import {
  bytesSoFar,
  noBytes,
  outcomeOf,
  phaseOf,
  progressed,
  withContactRequest,
  withProblem,
} from '#shared/state/reduce-transfer'

/** The shares after `event`; the same list when nothing changed. */
export function reduceShares(
  shares: readonly Share[],
  event: ShareEvent | ReceiverEvent,
): readonly Share[] {
  if (event.type === 'share-opened') {
    if (shares.some(({ id }) => id === event.share)) return shares
    return keepNewestFirst([openedShare(event), ...shares], limits.transfersShown, hasStopped)
  }
  if (event.type === 'share-removed') return without(shares, ({ id }) => id === event.share)
  return replaceFirst(
    shares,
    ({ id }) => id === event.share,
    (share) => (hasStopped(share) ? share : reduceShare(share, event)),
  )
}

function reduceShare(
  share: Share,
  event: Exclude<ShareEvent, { readonly type: 'share-opened' | 'share-removed' }> | ReceiverEvent,
): Share {
  switch (event.type) {
    case 'share-counted':
      return { ...share, totals: event.totals }
    case 'share-listed': {
      const { followed: _, ...known } = share
      const { title, followed } = event
      const items = event.items.slice(0, limits.entriesShown)
      return { ...known, title, items, ...(followed !== undefined && { followed }) }
    }
    case 'share-coded': {
      const { code, endsAtMs, server = null } = event
      const { serverAway: _, meeting: __, web: ___, ...known } = share
      const moved = share.code === null ? false : share.moved || share.code !== code
      const away = event.serverAway === true ? { serverAway: true as const } : {}
      const codeEndsAtMs = endsAtMs ?? null
      const { meeting } = event
      const met = meeting === undefined ? {} : { meeting }
      const web = event.web === true ? { web: true as const } : {}
      return { ...known, phase: 'open', code, server, ...away, ...web, ...met, codeEndsAtMs, moved }
    }
    case 'share-reachable':
      return { ...share, phase: 'open' }
    case 'share-code-changed':
      return {
        ...share,
        oneReceiver: event.oneReceiver,
        approve: event.approve,
        codeEndsAtMs: event.endsAtMs,
      }
    case 'share-recoding':
      return { ...share, ...withoutCode, phase: 'opening' }
    case 'share-code-ended':
      return { ...share, codeEnd: event.why }
    case 'share-guessed':
      return { ...share, guesses: event.guesses }
    case 'share-unauthenticated-load':
      return { ...share, highLoad: event.high }
    case 'share-unreachable':
      return share.phase === 'open' ? { ...share, phase: 'reconnecting' } : share
    case 'share-problem':
      return { ...share, problems: withProblem(share.problems, event) }
    case 'share-watched': {
      const { watch: _watch, ...unwatched } = share
      return event.watch ? { ...share, watch: true } : unwatched
    }
    case 'share-paused':
      return { ...share, paused: event.paused }
    case 'share-resized':
      return { ...share, maxReceivers: event.maxReceivers }
    case 'share-invited':
      return { ...share, invited: event.invited.slice(0, limits.contactsPerShare) }
    case 'share-called':
      return { ...share, calls: event.calls.slice(0, limits.nearbyComputers) }
    case 'share-stopped':
      return { ...endReceivers(share, appError('E_CANCELLED')), phase: 'stopped' }
    case 'share-failed':
      return { ...endReceivers(share, event.error), phase: 'failed', error: event.error }
    default:
      return withReceivers(share, reduceReceivers(share.receivers, event))
  }
}

const withReceivers = (share: Share, receivers: readonly Receiver[]): Share =>
  receivers === share.receivers ? share : { ...share, receivers }

function reduceReceivers(
  receivers: readonly Receiver[],
  event: ReceiverEvent,
): readonly Receiver[] {
  const isMeant = ({ peer }: Receiver): boolean => peer === event.peer
  if (event.type === 'receiver-joined' && !receivers.some(isMeant)) {
    return keepOldestFirst([...receivers, joinedReceiver(event)], limits.receiversShown, hasEnded)
  }
  if (event.type === 'receiver-contact-request-changed') {
    return replaceFirst(receivers, isMeant, (receiver) =>
      withContactRequest(receiver, event.contactRequest),
    )
  }
  const changed = replaceFirst(receivers, isMeant, (receiver) =>
    hasEnded(receiver) ? receiver : reduceReceiver(receiver, event),
  )
  return event.type === 'receiver-connected'
    ? withDistinctName(inPlaceOfLost(changed, event), event.peer)
    : changed
}

/**
 * Numbers a name that another receiver has: `vm (2)`. Only receivers that joined from one computer, one after the other,
 * share a name.
 */
function withDistinctName(receivers: readonly Receiver[], peer: PeerId): readonly Receiver[] {
  return replaceFirst(
    receivers,
    (one) => one.peer === peer && !hasEnded(one) && one.name !== '',
    (one) => {
      const isTaken = (name: string): boolean =>
        receivers.some((other) => other !== one && other.name === name && !isFormer(other, one))
      let name = one.name
      for (let number = 2; isTaken(name); number += 1) name = `${one.name} (${number.toString()})`
      return { ...one, name }
    },
  )
}

/** True if `one` may be `former` again, by its contact or its address. */
const isFormer = (former: Receiver, one: Receiver): boolean =>
  hasEnded(former) &&
  (one.contact === undefined
    ? directAddress(former) === directAddress(one)
    : former.contact === one.contact)

/** A receiver that reconnected keeps its position in the list. */
function inPlaceOfLost(
  receivers: readonly Receiver[],
  { peer, transfer }: Extract<ReceiverEvent, { readonly type: 'receiver-connected' }>,
): readonly Receiver[] {
  const back = receivers.find((one) => one.peer === peer)
  const lost = receivers.find(
    (one) => one.peer !== peer && one.transfer === transfer && one.phase !== 'done',
  )
  if (back === undefined || hasEnded(back) || lost === undefined) return receivers
  const { name, joinedAtMs, acceptedAtMs, progress, reconnections } = lost
  // It comes for changes, not because its connection was lost.
  if (lost.outcome !== null) {
    const { outcome } = lost
    const returned = { ...back, name, contact: back.contact ?? lost.contact, joinedAtMs, outcome }
    return receivers.flatMap((one) => (one === back ? [] : one === lost ? [returned] : [one]))
  }
  const returned: Receiver = {
    ...back,
    name,
    contact: back.contact ?? lost.contact,
    joinedAtMs,
    progress,
    reconnections: reconnections + 1,
    before: bytesSoFar(lost),
    acceptedAtMs,
  }
  return receivers.flatMap((one) => (one === back ? [] : one === lost ? [returned] : [one]))
}

function reduceReceiver(
  receiver: Receiver,
  event: Exclude<ReceiverEvent, { readonly type: 'receiver-contact-request-changed' }>,
): Receiver {
  switch (event.type) {
    case 'receiver-joined':
      return receiver
    case 'receiver-connected': {
      const { name, transfer, route, browser } = event
      const phase = receiver.phase === 'connecting' ? 'deciding' : receiver.phase
      const known = { ...receiver, phase, name, ownName: name, transfer, route }
      return browser === undefined ? known : { ...known, browser }
    }
    case 'receiver-route-changed':
      return { ...receiver, route: event.route }
    case 'receiver-approval-requested':
      return receiver.phase === 'deciding' ? { ...receiver, phase: 'approving' } : receiver
    case 'receiver-approved':
      return receiver.phase === 'approving' ? { ...receiver, phase: 'deciding' } : receiver
    case 'receiver-accepted': {
      const acceptedAtMs = receiver.acceptedAtMs ?? event.atMs
      return { ...receiver, phase: phaseOf(receiver.flow), acceptedAtMs }
    }
    case 'receiver-progressed': {
      const progress = progressed(receiver.progress, event, receiver.before)
      return { ...receiver, progress }
    }
    case 'receiver-flow-changed': {
      const { flow } = event
      const phase = isRunning(receiver) ? phaseOf(flow) : receiver.phase
      return { ...receiver, phase, flow, stall: 'none' }
    }
    case 'receiver-files-changed':
      return receiver
    case 'receiver-measured':
      return { ...receiver, statistics: event.statistics }
    case 'receiver-stalled':
      return { ...receiver, stall: event.reason }
    case 'receiver-in-step':
    case 'receiver-finished': {
      const since = receiver.acceptedAtMs ?? receiver.joinedAtMs
      const outcome = outcomeOf(event, since, receiver.before)
      const phase = event.type === 'receiver-finished' ? 'done' : 'in-step'
      return { ...receiver, phase, stall: 'none', outcome }
    }
    case 'receiver-failed': {
      const { error } = event
      if (receiver.phase === 'in-step' && !isPassing(error)) return { ...receiver, phase: 'done' }
      return { ...receiver, phase: isLost(receiver, error) ? 'interrupted' : 'failed', error }
    }
    default:
      return assertNever(event)
  }
}

/** It may reconnect, and has something to resume. */
const isLost = (receiver: Receiver, error: Parameters<typeof isPassing>[0]): boolean =>
  receiver.acceptedAtMs !== undefined && isPassing(error)

const withoutCode = {
  code: null,
  server: null,
  codeEndsAtMs: null,
  codeEnd: null,
  moved: false,
} as const

const openedShare = (event: Extract<ShareEvent, { readonly type: 'share-opened' }>): Share => ({
  id: event.share,
  title: event.title,
  phase: 'opening',
  ...withoutCode,
  guesses: { wrong: 0, locked: false, spent: false },
  highLoad: false,
  paused: false,
  oneReceiver: event.oneReceiver === true,
  approve: event.approve === true,
  maxReceivers: event.maxReceivers,
  ...(event.noBrowsers === true && { noBrowsers: true as const }),
  ...(event.invitedOnly === true && { invitedOnly: true as const }),
  ...(event.requests === true && { requests: true as const }),
  ...(event.answers !== undefined && { answers: event.answers }),
  totals: { files: 0, folders: 0, bytes: 0, complete: false },
  items: [],
  problems: [],
  receivers: [],
  error: null,
  startedAtMs: event.atMs,
  ...(event.resumed === undefined
    ? {}
    : {
        code: event.resumed.code,
        codeEndsAtMs: event.resumed.endsAtMs,
        resumed: true,
        ...(event.resumed.texts > 0 && { textsGone: event.resumed.texts }),
      }),
})

const joinedReceiver = (
  event: Extract<ReceiverEvent, { readonly type: 'receiver-joined' }>,
): Receiver => ({
  peer: event.peer,
  transfer: null,
  name: '',
  ownName: '',
  phase: 'connecting',
  flow: { kind: 'flowing' },
  stall: 'none',
  reconnections: 0,
  before: noBytes,
  route: null,
  progress: null,
  outcome: null,
  error: null,
  safety: event.safety,
  joinedAtMs: event.atMs,
  contact: event.contact,
})

/** A share that has ended has no active receivers. */
const endReceivers = (share: Share, error: Receiver['error']): Share => ({
  ...share,
  receivers: share.receivers.map((receiver) =>
    hasEnded(receiver) ? receiver : { ...receiver, phase: 'failed', error },
  ),
})
