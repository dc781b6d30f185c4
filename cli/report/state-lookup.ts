/** Finds the subject of an event in the state, and its name. */
import type {
  AppState,
  PeerId,
  Receive,
  ReceiveId,
  Receiver,
  ShareId,
  TransferOutcome,
} from '#shared/state/app-state'
import type { ContactId } from '#shared/state/contacts'
import { text } from '../text'

/** The receiver of a share. */
export const findReceiver = (
  state: AppState,
  { share, peer }: { readonly share: ShareId; readonly peer: PeerId },
): Receiver | undefined =>
  state.shares.find(({ id }) => id === share)?.receivers.find((one) => one.peer === peer)

/** The receive with this id. */
export const findReceive = (
  state: AppState,
  { receive }: { readonly receive: ReceiveId },
): Receive | undefined => state.receives.find(({ id }) => id === receive)

/** True for a transfer that was complete and comes for changes. */
export const isKnown = (transfer: Receiver | Receive | undefined): boolean =>
  transfer !== undefined && transfer.outcome !== null

/** True for a transfer with everything that it can get. */
export const isComplete = <T extends Receiver | Receive>(
  transfer: T | undefined,
): transfer is T & { readonly outcome: TransferOutcome } =>
  (transfer?.phase === 'done' || transfer?.phase === 'in-step') && transfer.outcome !== null

/** The contact's name on this computer. */
export const contactName = ({ contacts }: AppState, id: ContactId): string =>
  contacts.find((contact) => contact.id === id)?.name ?? text.contact.unnamed

/** The name that this side gave a contact, else the other side's own name. */
const nameOf = (
  state: AppState,
  contact: ContactId | undefined,
  own: string | undefined,
  unnamed: string,
): string => {
  const known = state.contacts.find(({ id }) => id === contact)?.name ?? own
  return known === undefined || known === '' ? unnamed : known
}

/** The receiver's name, or a general word before it is known. */
export const receiverName = (state: AppState, receiver: Receiver | undefined): string =>
  nameOf(state, receiver?.contact, receiver?.name, text.share.unnamed)

/** The receiver's name, marked if the receiver is in a browser. */
export function namedReceiver(state: AppState, receiver: Receiver | undefined): string {
  const name = receiverName(state, receiver)
  return receiver?.browser === true ? text.share.inBrowser(name) : name
}

/** The sender's name, or a general word before it is known. */
export const senderName = (state: AppState, receive: Receive | undefined): string =>
  nameOf(state, receive?.contact, receive?.from, text.receive.unnamed)

/** True for a share that answers a request. */
export const isAnswer = (state: AppState, { share }: { readonly share: ShareId }): boolean =>
  state.shares.some(({ id, answers: code }) => id === share && code !== undefined)
