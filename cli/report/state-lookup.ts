/** Finds in the state what an event is about, and what people call it. */
import type {
  AppState,
  PeerId,
  Receive,
  ReceiveId,
  Receiver,
  ShareId,
} from '#shared/state/app-state'
import type { ContactId } from '#shared/state/contacts'
import { text } from '../text'

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

/** What a contact is called here. */
export const contactName = ({ contacts }: AppState, id: ContactId): string =>
  contacts.find((contact) => contact.id === id)?.name ?? text.contact.unnamed

/** The name that this side gave a contact, else the one that the other side gave itself. */
const nameOf = (
  state: AppState,
  contact: ContactId | undefined,
  own: string | undefined,
  unnamed: string,
): string => {
  const known = state.contacts.find(({ id }) => id === contact)?.name ?? own
  return known === undefined || known === '' ? unnamed : known
}

/** What a receiver is called, also before it has said so. */
export const receiverName = (state: AppState, receiver: Receiver | undefined): string =>
  nameOf(state, receiver?.contact, receiver?.name, text.share.unnamed)

/** What the sender is called, also before it has said so. */
export const senderName = (state: AppState, receive: Receive | undefined): string =>
  nameOf(state, receive?.contact, receive?.from, text.receive.unnamed)
