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
  daysSinceSeen,
  type Invitation,
  type Invited,
} from '#shared/state/contacts'
import type { NearbyQuestion } from '#shared/state/nearby'
import { text } from '../text'
import { type Sentence, sentence } from './sentence'

/** The name of a contact on this computer. */
export const contactName = (contacts: readonly Contact[], id: ContactId): string =>
  contacts.find((contact) => contact.id === id)?.name ?? ''

/** The line below a contact's name in the list. */
export const contactSummary = (contact: Contact, nowMs: number): Sentence =>
  contact.removedYou === true
    ? sentence(text.contacts.invited.removed, 'warning', [text.contacts.needsCode])
    : sentence(lastSeen(contact, nowMs), 'plain', [receiving(contact)])

const receiving = ({ autoAccept }: Contact): string =>
  autoAccept === null
    ? text.contacts.asks
    : text.contacts.savesTo({
        directory: autoAccept.directory,
        maxBytes: autoAccept.maxBytes ?? autoAcceptBytes,
      })

/** `Last seen 3 days ago`, by the days of this computer's calendar. */
export function lastSeen(contact: Contact, nowMs: number): string {
  const days = daysSinceSeen(contact, nowMs)
  if (days === null) return text.contacts.neverSeen
  if (days === 0) return text.contacts.seenToday
  return days === 1 ? text.contacts.seenYesterday : text.contacts.seenDays(days)
}

/** The contacts that home shows: those that can receive, the latest seen first. */
export const peopleAtHome = (contacts: readonly Contact[]): readonly Contact[] =>
  contacts
    .filter(({ removedYou }) => removedYou !== true)
    .sort((a, b) => (b.lastSeenMs ?? 0) - (a.lastSeenMs ?? 0))
    .slice(0, maxAtHome)

/** More people than this are on their own page. */
const maxAtHome = 6

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
    if (contact.removedYou === true) {
      return { contact, words: text.contacts.invited.removed, canChoose: false }
    }
    const isElsewhere = server.phase === 'connected' && server.url !== contact.server
    return isElsewhere
      ? { contact, words: text.contacts.otherServer(hostOf(contact.server)), canChoose: false }
      : { contact, words: lastSeen(contact, nowMs), canChoose: true }
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
    case 'removed':
      return sentence(words, 'warning', [text.contacts.needsCode])
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
  | { readonly kind: 'nearby'; readonly id: string; readonly question: NearbyQuestion }
  | {
      readonly kind: 'contact-request'
      readonly id: string
      readonly name: string
      readonly side: OtherSide
    }

/** Waiting receivers first, then invitations, nearby computers, and contact requests that are not `refused` here. */
export function questions(
  state: Pick<AppState, 'invitations' | 'nearbyQuestions' | 'shares' | 'receives'>,
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
  const nearby = state.nearbyQuestions.map((question) => ({
    kind: 'nearby' as const,
    id: question.id,
    question,
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
  return [...waiting, ...invitations, ...nearby, ...requests]
}

const hasRequest = ({ contactRequest }: Pick<Receiver | Receive, 'contactRequest'>): boolean =>
  contactRequest === 'received'
