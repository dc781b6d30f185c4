/** Chooses the events to announce to people who can't see the window: state changes, and quarters of progress. */
import { describeError } from '#shared/describe-error'
import type { AppEvent } from '#shared/events'
import { formatDuration } from '#shared/format/format'
import { endNotes, hasAll, receiveLabel } from '#shared/labels'
import {
  type AppState,
  hasOnlyTexts,
  type PeerId,
  type Receive,
  type ReceiveId,
  type Receiver,
  type ShareId,
} from '#shared/state/app-state'
import type { Counters } from '#shared/state/counters'
import { text } from '../text'
import { receiveSentence, receiveTitle } from './receive-view'
import type { Sentence } from './sentence'
import { receiverSentence } from './share-view'

export type Announcement = {
  readonly words: string
  /** Events are always announced, progress only when there is nothing else. */
  readonly kind: 'event' | 'progress'
}

/** Turns events into sentences, and remembers the last announced progress of each transfer. */
export class Announcements {
  /** Announced quarters, by transfer. */
  readonly #quarters = new Map<string, number>()

  /** The sentence that announces an event, in the state that it led to; `null` for most. */
  of(event: AppEvent, state: AppState): Announcement | null {
    if (event.type === 'receive-progressed' || event.type === 'receiver-progressed') {
      const words = this.#quarterOf(event, state)
      return words === null ? null : { kind: 'progress', words }
    }
    if (endsTransfer(event)) this.#quarters.delete(transferOf(event))
    const words = sentenceOf(event, state)
    return words === null ? null : { kind: 'event', words }
  }

  #quarterOf(
    event: Extract<AppEvent, { type: 'receive-progressed' | 'receiver-progressed' }>,
    state: AppState,
  ): string | null {
    const id = transferOf(event)
    const quarter = quartersIn(event.counters)
    const before = this.#quarters.get(id)
    this.#quarters.set(id, quarter)
    // The first figures of a transfer, new or resumed, are no news.
    if (before === undefined || quarter <= before || quarter >= 4) return null
    const percent = quarter * 25
    if (event.type === 'receive-progressed') {
      const receive = receiveOf(state, event.receive)
      return receive && text.announcement.received({ title: receiveTitle(receive), percent })
    }
    const receiver = receiverOf(state, event.share, event.peer)
    return receiver && text.announcement.sent({ name: receiver.name, percent })
  }
}

const transferOf = (
  about: { readonly receive: ReceiveId } | { readonly share: ShareId; readonly peer: PeerId },
): string => ('receive' in about ? about.receive : `${about.share} ${about.peer}`)

const endsTransfer = (event: AppEvent) =>
  event.type === 'receive-finished' ||
  event.type === 'receive-failed' ||
  event.type === 'receive-interrupted' ||
  event.type === 'receiver-finished' ||
  event.type === 'receiver-failed'

const quartersIn = ({ bytes, totalBytes }: Counters): number =>
  totalBytes <= 0 ? 0 : Math.floor((4 * bytes) / totalBytes)

const receiveOf = (state: AppState, id: ReceiveId): Receive | null =>
  state.receives.find((receive) => receive.id === id) ?? null

const receiverOf = (state: AppState, share: ShareId, peer: PeerId): Receiver | null =>
  state.shares
    .find(({ id }) => id === share)
    ?.receivers.find((receiver) => receiver.peer === peer) ?? null

const wordsOf = ({ lead, rest }: Sentence): string => [lead, ...rest].join(', ')

/** The meaning of an event for people; `null` for most. */
function sentenceOf(event: AppEvent, state: AppState): string | null {
  const { announcement } = text
  switch (event.type) {
    case 'share-coded':
      return announcement.codeReady(event.code)
    case 'share-failed': {
      const share = state.shares.find(({ id }) => id === event.share)
      return announcement.about(share?.title ?? '', describeError(event.error).what)
    }
    case 'receiver-joined': {
      const share = state.shares.find(({ id }) => id === event.share)
      return share?.invitedOnly === true ? null : announcement.codeEntered
    }
    case 'receiver-connected':
      return announcement.connected(event.name)
    case 'receiver-finished': {
      const receiver = receiverOf(state, event.share, event.peer)
      if (receiver === null) return null
      return hasAll(event.outcome)
        ? announcement.receiverFinished(receiver.name)
        : receiverAbout(receiver, event.atMs)
    }
    case 'receiver-failed': {
      const receiver = receiverOf(state, event.share, event.peer)
      return receiver && receiverAbout(receiver, event.atMs)
    }
    case 'invitation-arrived':
      return announcement.invited
    case 'nearby-asked':
      return event.question.phase === 'asking' ? announcement.invited : null
    case 'receive-contact-request-changed':
    case 'receiver-contact-request-changed':
      return event.contactRequest === 'received' ? announcement.contactRequested : null
    case 'receive-offered':
      return hasOnlyTexts(event.items) ? announcement.offeredText : announcement.offered
    case 'receive-finished':
    case 'receive-interrupted':
    case 'receive-failed': {
      const receive = receiveOf(state, event.receive)
      // A code that leads nowhere is reported at its field.
      if (receive === null || receive.from === '') return null
      const notes = event.type === 'receive-finished' ? endNotes(event.outcome, 'receiver') : []
      const words =
        event.type === 'receive-failed'
          ? describeError(event.error).what
          : [receiveLabel(receive), ...notes].join(', ')
      return announcement.about(receiveTitle(receive), words)
    }
    case 'receive-lost':
      return event.attempt === 1 ? heldUp(state, event.receive, event.atMs) : null
    case 'receive-flow-changed':
      return event.flow.kind === 'disk-full' || event.flow.kind === 'paused-by-peer'
        ? heldUp(state, event.receive, event.atMs)
        : null
    default:
      return null
  }
}

const receiverAbout = (receiver: Receiver, atMs: number): string =>
  text.announcement.about(text.person(receiver.name), wordsOf(receiverSentence(receiver, atMs)))

function heldUp(state: AppState, id: ReceiveId, atMs: number): string | null {
  const receive = receiveOf(state, id)
  if (receive === null) return null
  return text.announcement.about(receiveTitle(receive), receiveSentence(receive, atMs).lead)
}

/** Minutes before a code's expiry at which it is announced, once each. */
const countdownMinutes = [1, 10] as const

/** The countdown that has begun before a code's expiry; `null` before the first. */
export function countdownAt(endsAtMs: number, nowMs: number): number | null {
  const leftMs = endsAtMs - nowMs
  if (leftMs <= 0) return null
  return countdownMinutes.find((minutes) => leftMs <= minutes * 60_000) ?? null
}

/** The sentence about a code that expires in `minutes`. */
export const countdownWords = (title: string, minutes: number): string =>
  text.announcement.codeEnds({ title, duration: formatDuration(minutes * 60_000) })
