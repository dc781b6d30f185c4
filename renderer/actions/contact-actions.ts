/** People's actions on contacts. */
import type { OtherSide, ShareId } from '#shared/state/app-state'
import { groupNames } from '#shared/state/contact-groups'
import type { ContactId, Invitation } from '#shared/state/contacts'
import { bridge } from '../bridge'
import { sideKey } from '../side-key'
import { useAppStore } from '../store/app-store'
import { useUiStore } from '../store/ui-store'
import { noticeFailure } from './actions'

/** Opens the choice of contacts for a share. */
export function chooseContacts(share: ShareId): void {
  useUiStore.setState({ sending: share })
}

export function closeContacts(): void {
  useUiStore.setState({ sending: null })
}

/** Asks to add the other side as a contact, or accepts its request. */
export async function requestContact(side: OtherSide): Promise<void> {
  noticeFailure(await bridge.requestContact({ side }))
}

/** Hides a contact request permanently; the other side isn't notified. */
export function declineContact(side: OtherSide): void {
  useUiStore.setState(({ refused }) => ({ refused: [...refused, sideKey(side)] }))
}

export async function renameContact(contact: ContactId, name: string): Promise<void> {
  noticeFailure(await bridge.renameContact({ contact, name }))
}

/** Puts a contact into the groups of this line alone: their names, separated by commas. */
export async function setContactGroups(contact: ContactId, line: string): Promise<void> {
  const contacts = useAppStore.getState().state?.contacts ?? []
  noticeFailure(await bridge.setContactGroups({ contact, groups: groupNames(line, contacts) }))
}

export async function removeContact(contact: ContactId): Promise<void> {
  noticeFailure(await bridge.removeContact({ contact }))
}

/** Opens a picker for the folder that receives this contact's offers without asking. */
export async function pickAutoAccept(contact: ContactId): Promise<void> {
  noticeFailure(await bridge.pickAutoAccept({ contact }))
}

export async function stopAutoAccept(contact: ContactId): Promise<void> {
  noticeFailure(await bridge.stopAutoAccept({ contact }))
}

export async function sendToContacts(
  share: ShareId,
  contacts: readonly ContactId[],
): Promise<void> {
  closeContacts()
  noticeFailure(await bridge.invite({ share, contacts: [...contacts] }))
}

/** Opens an offer; the preview appears once it has arrived. */
export async function acceptInvitation({ contact, nameplate }: Invitation): Promise<void> {
  noticeFailure(await bridge.acceptInvitation({ contact, nameplate }))
}

/** Answers a nearby computer that wants to send. */
export async function answerNearby(question: string, isAccepted: boolean): Promise<void> {
  noticeFailure(await bridge.answerNearby({ question, isAccepted }))
}

export async function declineInvitation({ contact, nameplate }: Invitation): Promise<void> {
  noticeFailure(await bridge.declineInvitation({ contact, nameplate }))
}
