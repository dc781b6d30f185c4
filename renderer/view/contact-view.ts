/** Texts about contacts. Pure: state and a time in, words out. */
import { visibleText } from '#shared/format/visible-text'
import {
  type AppState,
  hasEnded,
  type OtherSide,
  type Receive,
  type Receiver,
  type Share,
} from '#shared/state/app-state'
import {
  autoAcceptBytes,
  type Contact,
  type ContactId,
  type Invitation,
  type Invited,
} from '#shared/state/contacts'
import { text } from '../text'
import { type Sentence, sentence } from './sentence'

const dayMs = 86_400_000

/** The name of a contact on this computer. */
export const contactName = (contacts: readonly Contact[], id: ContactId): string =>
  contacts.find((contact) => contact.id === id)?.name ?? ''

/** The line below a contact's name in the list. */
export const contactSummary = ({ autoAccept }: Contact): string =>
  autoAccept === null
    ? text.contacts.asks
    : text.contacts.savesTo({
        directory: autoAccept.directory,
        maxBytes: autoAccept.maxBytes ?? autoAcceptBytes,
      })

/** `Last transfer 3 days ago`, by the days of this computer's calendar. */
export function lastUsed({ lastUsedMs }: Contact, nowMs: number): string {
  if (lastUsedMs === null) return text.contacts.noTransfers
  const days = Math.round((midnight(nowMs) - midnight(lastUsedMs)) / dayMs)
  if (days <= 0) return text.contacts.lastToday
  return days === 1 ? text.contacts.lastYesterday : text.contacts.lastDays(days)
}

const midnight = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0)

/** A contact that can be chosen for a share, or the reason why it can't. */
export type Candidate = {
  readonly contact: Contact
  readonly words: string
  readonly canChoose: boolean
}

/** All contacts for a share. Those that it was already sent to, or that use another server, can't be chosen. */
export function candidates(
  { contacts, server }: Pick<AppState, 'contacts' | 'server'>,
  { invited = [] }: Share,
  nowMs: number,
): readonly Candidate[] {
  return contacts.map((contact) => {
    const before = invited.find((one) => one.contact === contact.id)
    if (before !== undefined && before.phase !== 'joined') {
      return { contact, words: text.contacts.invited[before.phase], canChoose: false }
    }
    const isElsewhere = server.phase === 'connected' && server.url !== contact.server
    return isElsewhere
      ? { contact, words: text.contacts.otherServer(hostOf(contact.server)), canChoose: false }
      : { contact, words: lastUsed(contact, nowMs), canChoose: true }
  })
}

const hostOf = (url: string): string => {
  try {
    return new URL(url).host
  } catch {
    return url
  }
}

/** Candidates whose name contains the typed text. */
export const matching = (all: readonly Candidate[], typed: string): readonly Candidate[] =>
  all.filter(({ contact }) =>
    contact.name.toLocaleLowerCase().includes(typed.trim().toLocaleLowerCase()),
  )

/** Contacts that a share was sent to and that have neither answered nor connected. */
export const waitedFor = ({ invited = [], receivers }: Share): readonly Invited[] =>
  invited.filter(
    (one) =>
      one.phase !== 'joined' &&
      !receivers.some((here) => here.contact === one.contact && !hasEnded(here)),
  )

/** The response of a contact that a share was sent to. */
export function invitedSentence({ phase }: Invited): Sentence {
  const words = text.contacts.invited[phase]
  switch (phase) {
    case 'notified':
      return sentence(words, 'accent', [text.contacts.noAnswer])
    case 'away':
      return sentence(words, 'plain', [text.contacts.notifiedLater])
    case 'elsewhere':
      return sentence(words, 'warning')
    default:
      return sentence(words)
  }
}

/** A contact's offer, in its own words. */
export const invitationSentence = ({ summary }: Invitation): Sentence =>
  sentence(visibleText(summary))

/** A question that waits for an answer. */
export type Question =
  /** A receiver of a share waits to be let in. */
  | {
      readonly kind: 'receiver'
      readonly id: string
      readonly share: Share
      readonly receiver: Receiver
    }
  | { readonly kind: 'invitation'; readonly id: string; readonly invitation: Invitation }
  | {
      readonly kind: 'contact-request'
      readonly id: string
      readonly name: string
      readonly side: OtherSide
    }

/** Waiting receivers first, then invitations, then contact requests that are not `refused` here. */
export function questions(
  state: Pick<AppState, 'invitations' | 'shares' | 'receives'>,
  refused: readonly string[],
): readonly Question[] {
  const waiting = state.shares.flatMap((share) =>
    share.receivers
      .filter(({ phase }) => phase === 'approving')
      .map((receiver) => ({
        kind: 'receiver' as const,
        id: `asks ${share.id} ${receiver.peer}`,
        share,
        receiver,
      })),
  )
  const invitations = state.invitations.map((invitation) => ({
    kind: 'invitation' as const,
    id: `${invitation.contact} ${invitation.nameplate}`,
    invitation,
  }))
  const receivers = state.shares.flatMap(({ id, receivers: all }) =>
    all.filter(hasRequest).map(({ name, peer }) => ({
      kind: 'contact-request' as const,
      id: `${id} ${peer}`,
      name,
      side: { share: id, peer },
    })),
  )
  const senders = state.receives.filter(hasRequest).map(({ id, from }) => ({
    kind: 'contact-request' as const,
    id,
    name: from,
    side: { receive: id },
  }))
  const requests = [...receivers, ...senders].filter(({ id }) => !refused.includes(id))
  return [...waiting, ...invitations, ...requests]
}

const hasRequest = ({ contactRequest }: Pick<Receiver | Receive, 'contactRequest'>): boolean =>
  contactRequest === 'received'
