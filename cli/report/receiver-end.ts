/** Describes the loss of the other side. */
import type { ErrorText } from '#shared/describe-error'
import { describeReceiverEnd, describeSenderEnd } from '#shared/describe-peer'
import { type AppError, type ErrorCode, isPassing } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import type { AppState, Receiver } from '#shared/state/app-state'
import { text } from '../text'
import { hasStream } from './offer-kind'
import { findReceive, receiverName, senderName } from './state-lookup'

export type ReceiveEnd = Extract<
  AppEvent,
  { readonly type: 'receive-failed' | 'receive-interrupted' | 'receive-lost' }
>

export const senderEnd = (event: ReceiveEnd, state: AppState): ErrorText =>
  describeSenderEnd(event.error, senderName(state, findReceive(state, event)))

/** Describes the end; a stream, unlike files, can't be received again with the same code. */
export function describeLostReceiver(
  error: AppError,
  receiver: Receiver | undefined,
  state: AppState,
): ErrorText {
  const name = receiverName(state, receiver)
  const share = state.shares.find(({ receivers }) =>
    receivers.some(({ peer }) => peer === receiver?.peer),
  )
  const isStreaming =
    share !== undefined && hasStream(share) && (receiver?.progress?.bytes ?? 0) > 0
  if (isStreaming && isPassing(error)) return text.share.streamLost(name)
  const end = describeReceiverEnd(error, { name, progress: receiver?.progress ?? null })
  const isShutOut =
    share !== undefined && share.codeEnd !== null && receiver?.acceptedAtMs === undefined
  return isShutOut && comesBackByCode.has(error.code)
    ? { ...end, remedy: text.share.codeIsOver }
    : end
}

/** Ends after which a receiver would enter the same code again, which must still admit receivers. */
const comesBackByCode: ReadonlySet<ErrorCode> = new Set([
  'E_DECLINED',
  'E_BAD_ARGUMENT',
  'E_REFUSED',
  'E_UNANSWERED',
  'E_CANCELLED',
  'E_DISK_FULL',
  'E_TARGET_NOT_WRITABLE',
])
