/** Finds in the state what an event is about. */
import type { AppState, PeerId, Receive, ReceiveId, Receiver, ShareId } from '#shared/app-state'

/** The receiver of a share. */
export const findReceiver = (
  state: AppState,
  { share, peer }: { readonly share: ShareId; readonly peer: PeerId },
): Receiver | undefined =>
  state.shares.find(({ id }) => id === share)?.receivers.find((one) => one.peer === peer)

/** The receive with its id. */
export const findReceive = (
  state: AppState,
  { receive }: { readonly receive: ReceiveId },
): Receive | undefined => state.receives.find(({ id }) => id === receive)
