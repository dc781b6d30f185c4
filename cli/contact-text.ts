/** The sentences of the terminal about contacts. */
import type { AppState } from '#shared/app-state'
import { assertNever } from '#shared/assert-never'
import {
  autoAcceptBytes,
  type Contact,
  type ContactId,
  type Invitation,
  type Invited,
  type Keeping,
} from '#shared/contacts'
import { formatBytes } from '#shared/format'

/** What a contact is called here. */
export const contactName = ({ contacts }: AppState, id: ContactId): string =>
  contacts.find((contact) => contact.id === id)?.name ?? 'A contact'

/** `Anna · asks · at meet.example.org`. */
export const contactText = ({ name, autoAccept, server }: Contact): string => {
  const how =
    autoAccept === null
      ? 'asks'
      : `receives up to ${formatBytes(autoAccept.mostBytes ?? autoAcceptBytes)} into ${autoAccept.directory}`
  return [name, how, `at ${hostOf(server)}`].join(' · ')
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

/** How far one contact is that a share was sent to; `null` when nothing needs to be said. */
export function invitedText({ contact, phase }: Invited, state: AppState): string | null {
  const name = contactName(state, contact)
  switch (phase) {
    case 'ringing':
    case 'joined':
      return null
    case 'away':
      return `${name} is not there now: it is offered as soon as ${name} is.`
    case 'told':
      return `${name} is asked.`
    case 'elsewhere':
      return `${name} listens at another signaling server: set that with --server-url.`
    default:
      return assertNever(phase)
  }
}

/** How far the two are in keeping each other; `null` as above. */
export function keepingText(name: string, keeping: Keeping | null): string | null {
  switch (keeping) {
    case 'asked':
      return `${name} is asked to keep you as a contact.`
    case 'wanted':
      return `${name} would like to keep you as a contact; --keep agrees to that.`
    case 'kept':
      return `${name} is kept as a contact.`
    case 'possible':
    case null:
      return null
    default:
      return assertNever(keeping)
  }
}

/** `Anna offers photos · 3 files · 1.2 GB.` */
export const invitationText = ({ contact, summary }: Invitation, state: AppState): string =>
  `${contactName(state, contact)} offers ${summary}.`
