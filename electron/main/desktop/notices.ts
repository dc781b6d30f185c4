/** Selects and words the events that a person should learn of while looking elsewhere. */
import { describeError } from '#shared/describe-error'
import type { AppError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import { formatBytes } from '#shared/format/format'
import { visibleText } from '#shared/format/visible-text'
import {
  endNotes,
  hasAll,
  isNothingNew,
  receivedOf,
  receiveLabel,
  receiverLabel,
} from '#shared/labels'
import { type AppState, hasOnlyTexts, type ReceiveId, type ShareId } from '#shared/state/app-state'
import { text } from '../text'

/** Kinds of notices; each has its own switch in the settings. */
export type NoticeKind = 'joined' | 'asks' | 'offers' | 'finished' | 'failed'

export type Notice = {
  readonly kind: NoticeKind
  /** The card that a click opens. */
  readonly about: ShareId | ReceiveId | null
  readonly title: string
  readonly body: string
  /** The title of `count` combined notices of this kind about the same card. */
  readonly many: (count: number) => string
}

/** Ends that a person on either side chose, which are not worth a notice. */
const chosenEnds: ReadonlySet<AppError['code']> = new Set([
  'E_CANCELLED',
  'E_DECLINED',
  'E_UNDECIDED',
  'E_REFUSED',
])

/** The notice for `event`, if it deserves one; `before` and `after` are the states around it. */
export function noticeOf(event: AppEvent, before: AppState, after: AppState): Notice | null {
  switch (event.type) {
    case 'receiver-connected': {
      const { share, receiver } = receiverOf(after, event)
      if (share === undefined || receiver === undefined || receiver.reconnections > 0) return null
      // It asks for approval, or was just admitted by this side's user.
      if (share.approve) return null
      const [name, title] = [nameOf(event.name), visibleText(share.title)]
      return {
        kind: 'joined',
        about: share.id,
        body: title,
        title: text.notices.joined(name),
        many: text.notices.manyJoined,
      }
    }
    case 'receiver-approval-requested': {
      const { share, receiver } = receiverOf(after, event)
      if (share === undefined || receiver?.phase !== 'approving') return null
      return {
        kind: 'asks',
        about: share.id,
        body: visibleText(share.title),
        title: text.notices.asks(nameOf(receiver.name)),
        many: text.notices.manyAsk,
      }
    }
    case 'receiver-finished': {
      const { share, receiver } = receiverOf(after, event)
      if (share === undefined || receiver === undefined) return null
      const words = hasAll(event.outcome) ? text.notices.theyHaveAll : text.notices.theyFinished
      return {
        kind: 'finished',
        about: share.id,
        title: words(nameOf(receiver.name)),
        body: [
          visibleText(share.title),
          ...(event.outcome.problems > 0 ? [receiverLabel(receiver)] : []),
          ...endNotes(event.outcome, 'sender'),
        ].join(text.notices.separator),
        many: text.notices.manyFinished,
      }
    }
    case 'receiver-failed': {
      const { share, receiver } = receiverOf(after, event)
      // A receiver without a name was refused during admission.
      if (share === undefined || receiver === undefined || receiver.name === '') return null
      return failure(share.id, event.error, text.notices.theyFailed(nameOf(receiver.name)), share)
    }
    case 'share-failed': {
      const share = after.shares.find(({ id }) => id === event.share)
      return share === undefined
        ? null
        : failure(share.id, event.error, text.notices.shareFailed, share)
    }
    case 'receive-offered': {
      const receive = receiveOf(after, event.receive)
      const isNew = receiveOf(before, event.receive)?.phase !== 'offered'
      if (receive?.phase !== 'offered' || !isNew || isAutomatic(after, receive)) return null
      return offer(receive.id, receive.from, receive.title, hasOnlyTexts(receive.items))
    }
    case 'receive-finished': {
      const receive = receiveOf(after, event.receive)
      if (receive === undefined) return null
      const { outcome } = event
      const title = visibleText(receive.title)
      const isOld = outcome.problems === 0 && isNothingNew(outcome)
      const amount = formatBytes(receivedOf(outcome).bytes)
      const from = nameOf(receive.from)
      return {
        kind: 'finished',
        about: receive.id,
        title: isOld ? text.notices.nothingNew(title) : text.notices.received(title),
        body: [
          ...(isOld ? [] : [text.notices.receivedAbout({ from, amount })]),
          ...(outcome.problems > 0 ? [receiveLabel(receive)] : []),
          ...endNotes(outcome, 'receiver'),
        ].join(text.notices.separator),
        many: text.notices.manyReceived,
      }
    }
    case 'receive-failed':
    case 'receive-interrupted': {
      const receive = receiveOf(after, event.receive)
      // A refused code is reported at its field.
      if (receive === undefined || receive.from === '') return null
      const title = event.type === 'receive-failed' ? text.notices.failed : text.notices.interrupted
      return failure(receive.id, event.error, title, receive)
    }
    case 'invitation-arrived': {
      const { contact, nameplate, summary } = event.invitation
      const isKnown = before.invitations.some(
        (one) => one.contact === contact && one.nameplate === nameplate,
      )
      const from = after.contacts.find(({ id }) => id === contact)
      if (isKnown || (from?.autoAccept ?? null) !== null) return null
      return offer(null, from?.name ?? '', summary)
    }
    case 'nearby-asked': {
      const { name, summary, phase } = event.question
      return phase === 'asking' ? offer(null, name, summary) : null
    }
    default:
      return null
  }
}

type AboutReceiver = Extract<AppEvent, { readonly type: 'receiver-joined' }>

function receiverOf(
  { shares }: AppState,
  { share: id, peer }: Pick<AboutReceiver, 'share' | 'peer'>,
) {
  const share = shares.find((one) => one.id === id)
  return { share, receiver: share?.receivers.find((one) => one.peer === peer) }
}

const receiveOf = ({ receives }: AppState, id: ReceiveId) => receives.find((one) => one.id === id)

/** True if the contact's offers are accepted automatically. */
const isAutomatic = ({ contacts }: AppState, { contact }: AppState['receives'][number]): boolean =>
  contact !== undefined && (contacts.find(({ id }) => id === contact)?.autoAccept ?? null) !== null

const nameOf = (name: string): string => (name === '' ? text.notices.someone : visibleText(name))

const offer = (about: ReceiveId | null, from: string, title: string, isText = false): Notice => ({
  kind: 'offers',
  about,
  body: visibleText(title),
  title: text.notices[isText ? 'offeredText' : 'offered'](nameOf(from)),
  many: text.notices.manyOffered,
})

function failure(
  about: ShareId | ReceiveId,
  error: AppError,
  title: string,
  { title: of }: { readonly title: string },
): Notice | null {
  if (chosenEnds.has(error.code)) return null
  const body = text.notices.failedAbout({ title: visibleText(of), what: describeError(error).what })
  return { kind: 'failed', about, title, body, many: text.notices.manyFailed }
}
