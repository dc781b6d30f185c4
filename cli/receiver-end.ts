/** Why a receiver is lost, in words for the sender. */
import type { AppState, Receiver } from '#shared/app-state'
import type { ErrorText } from '#shared/describe-error'
import { describeReceiverEnd } from '#shared/describe-peer'
import { type AppError, isPassing } from '#shared/errors'
import { hasStream } from './offer-kind'
import { receiverName } from './state-lookup'
import { text } from './text'

/** A stream can't be received again by the same code, other than files. */
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
  return isStreaming && isPassing(error)
    ? text.share.streamLost(name)
    : describeReceiverEnd(error, { name, progress: receiver?.progress ?? null })
}
