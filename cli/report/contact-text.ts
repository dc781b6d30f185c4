/** Contacts as lines of the terminal. */
import { assertNever } from '#shared/assert-never'
import { formatBytes } from '#shared/format/format'
import { signalingPath } from '#shared/signaling/paths'
import type { AppState } from '#shared/state/app-state'
import {
  autoAcceptBytes,
  type Contact,
  type ContactId,
  type ContactRequest,
  daysSinceSeen,
  type Invitation,
  type Invited,
} from '#shared/state/contacts'
import { text } from '../text'
import { contactName } from './state-lookup'

/** `Anna · asks before receiving · uses meet.example.org · last seen 3 days ago`. */
export function contactLine(contact: Contact, nowMs: number): string {
  const { name, autoAccept, server, removedYou, groups } = contact
  if (removedYou === true) return text.contact.former(name)
  const handling =
    autoAccept === null
      ? text.contact.asks(name, hostOf(server))
      : text.contact.savesTo(
          name,
          formatBytes(autoAccept.maxBytes ?? autoAcceptBytes),
          autoAccept.directory,
          hostOf(server),
        )
  const line = groups === undefined ? handling : text.contact.inGroups(handling, groups.join(', '))
  const days = daysSinceSeen(contact, nowMs)
  return days === null ? line : text.contact.seen(line, days)
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

/** An address as people pass it to `--server-url`. */
export const shownServer = (url: string): string =>
  url.endsWith(signalingPath) ? url.slice(0, -signalingPath.length) : url

/** The line about an invited contact; `null` if there is nothing to report. */
export function invitedLine({ contact, phase }: Invited, state: AppState): string | null {
  const name = contactName(state, contact)
  switch (phase) {
    case 'notifying':
    case 'joined':
      return null
    case 'away':
      return text.contact.away(name)
    case 'notified':
      return text.contact.notified(name)
    case 'removed':
      return text.contact.removedYou(name)
    case 'elsewhere': {
      const server = state.contacts.find(({ id }) => id === contact)?.server ?? ''
      return text.contact.elsewhere(name, shownServer(server))
    }
    default:
      return assertNever(phase)
  }
}

/** Remembers the phases that it has reported. */
export class InvitedLines {
  readonly #told = new Map<ContactId, Invited['phase']>()

  /** A line for each invited contact with news. */
  of(invited: readonly Invited[], state: AppState): readonly string[] {
    return invited.flatMap((one) => {
      const isNew = this.#told.get(one.contact) !== one.phase
      this.#told.set(one.contact, one.phase)
      return isNew ? (invitedLine(one, state) ?? []) : []
    })
  }
}

/** The line about a contact request; `null` if there is nothing to report. */
export function contactRequestLine(
  name: string,
  contactRequest: ContactRequest | null,
): string | null {
  switch (contactRequest) {
    case 'sent':
      return text.contact.requestSent(name)
    case 'received':
      return text.contact.requestReceived(name)
    case 'accepted':
      return text.contact.added(name)
    case 'possible':
    case null:
      return null
    default:
      return assertNever(contactRequest)
  }
}

/** `Anna offers photos · 3 files · 1.2 GB.` */
export const invitationLine = ({ contact, summary }: Invitation, state: AppState): string =>
  text.contact.invitation(contactName(state, contact), summary)
