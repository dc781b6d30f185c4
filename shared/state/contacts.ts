/**
 * Contacts: people whose long-term keys both sides agreed to store, their permissions, and their invitations. Keys are
 * not part of this; `client/contacts/contact-book.ts` has them. Pure.
 */
import * as z from 'zod'
import { replaceFirst, without } from '#shared/bounded-list'
import type { AppError } from '#shared/errors'
import { limits } from '#shared/limits'

/** Random; chosen by this installation. */
export type ContactId = string & { readonly brand: 'ContactId' }

/** Offers of this contact are received without asking. */
export type AutoAccept = {
  /** Absolute; everything is written below it, and nothing in it is ever replaced. */
  readonly directory: string
  /** Larger offers wait for a person, in bytes. */
  readonly maxBytes?: number | undefined
}

/** Default of `AutoAccept.maxBytes`: most offers fit, and no disk is filled. */
export const autoAcceptBytes = 100e9

/** A stored contact, without its keys. */
export type Contact = {
  readonly id: ContactId
  /** Name chosen here; unique among contacts. */
  readonly name: string
  /** Address of the signaling server where the two met, and find each other again. */
  readonly server: string
  readonly addedMs: number
  /** The last time when this program noticed that the contact was online; `null` for never. */
  readonly lastSeenMs: number | null
  /** It has removed this side from its contacts, and can only be reached with a code. */
  readonly removedYou?: true | undefined
  readonly autoAccept: AutoAccept | null
  /** Names of the groups that it is in; absent for none. */
  readonly groups?: readonly string[] | undefined
}

/**
 * A contact request between two connected sides: `sent` by this side, `received` from the other one, `accepted` once
 * both have made it.
 */
export type ContactRequest = 'possible' | 'sent' | 'received' | 'accepted'

/** A contact's offer; no connection is made before a person accepts. */
export type Invitation = {
  readonly contact: ContactId
  readonly nameplate: string
  /** A description of the offer in the sender's words. */
  readonly summary: string
  readonly arrivedMs: number
}

/**
 * A contact that a share was sent to. `away`: offline, to be notified when it is back. `notified`: the invitation has
 * arrived. `elsewhere`: it listens at a different signaling server than the share's. `removed`: it has removed this side.
 */
export type Invited = {
  readonly contact: ContactId
  readonly phase: 'notifying' | 'away' | 'notified' | 'joined' | 'elsewhere' | 'removed'
}

/** This program's reachability for contacts, at all servers that they use. */
export type Reachability =
  | { readonly phase: 'off' }
  /** `insecure`: at least one of them is used without TLS over the internet. */
  | { readonly phase: 'on'; readonly insecure?: true }
  /** `error`: the reason why the last attempt failed. */
  | { readonly phase: 'trying'; readonly error: AppError | null }

/** Decodes a `ContactId` from a window or a file. */
export const contactIdSchema = z
  .string()
  .regex(/^[0-9a-f]{32}$/)
  .transform((id) => id as ContactId)

/** Decodes a name for a contact; `uniqueName` makes it unique and short enough. */
export const contactNameSchema = z.string().trim().min(1).max(limits.peerNameBytes)

/** Decodes the names of a contact's groups; a comma separates them where people type several. */
export const groupsSchema = z
  .array(contactNameSchema.regex(/^[^,]*$/))
  .max(limits.groupsPerContact)
  .readonly()

/** Decodes a folder for `AutoAccept`. */
export const autoAcceptSchema = z
  .object({
    directory: z.string().min(1).max(limits.pathBytes),
    maxBytes: z.number().int().min(0).optional(),
  })
  .nullable()

/** Decodes the public part of a contact from a file. */
export const contactSchema = z.object({
  id: contactIdSchema,
  name: contactNameSchema,
  server: z.string().max(limits.pathBytes),
  addedMs: z.number().min(0),
  lastSeenMs: z.number().min(0).nullable(),
  removedYou: z.literal(true).optional(),
  autoAccept: autoAcceptSchema,
  groups: groupsSchema.optional(),
})

const dayMs = 86_400_000

const midnight = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0)

/** Days of this computer's calendar since the contact was online; `null` for never. */
export const daysSinceSeen = ({ lastSeenMs }: Contact, nowMs: number): number | null =>
  lastSeenMs === null
    ? null
    : Math.max(0, Math.round((midnight(nowMs) - midnight(lastSeenMs)) / dayMs))

/** Compares by name, for lists. */
export const byName = (a: Contact, b: Contact): number => a.name.localeCompare(b.name)

/** True for names that differ in case at most. */
export const sameName = (a: string, b: string): boolean =>
  a.toLocaleLowerCase() === b.toLocaleLowerCase()

/** The contact with a typed name, ignoring case. */
export const findContact = <C extends Contact>(contacts: readonly C[], name: string) =>
  contacts.find((one) => sameName(one.name, name.trim()))

/** `wanted`, with a number appended if another contact has that name. */
export function uniqueName(wanted: string, others: readonly Contact[]): string {
  const name = fitting(wanted.trim(), limits.peerNameBytes) || 'Contact'
  if (findContact(others, name) === undefined) return name
  for (let number = 2; ; number += 1) {
    const ending = ` ${number}`
    const candidate = fitting(name, limits.peerNameBytes - ending.length).trim() + ending
    if (findContact(others, candidate) === undefined) return candidate
  }
}

/** Length of one character in UTF-8. */
function byteLength(character: string): number {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}

/** The longest beginning of `text` with at most `maxBytes` of UTF-8, whole characters only. */
function fitting(text: string, maxBytes: number): string {
  let bytes = 0
  let end = 0
  for (const character of text) {
    bytes += byteLength(character)
    if (bytes > maxBytes) break
    end += character.length
  }
  return text.slice(0, end)
}

/** The list with one contact changed; the same list if the contact is not in it. */
export const withContact = <C extends Contact>(
  contacts: readonly C[],
  id: ContactId,
  change: Partial<Contact>,
): readonly C[] =>
  replaceFirst(
    contacts,
    (one) => one.id === id,
    (one) => ({ ...one, ...change }),
  )

/** The list without one contact. */
export const withoutContact = <C extends Contact>(
  contacts: readonly C[],
  id: ContactId,
): readonly C[] => without(contacts, (one) => one.id === id)

/** True for the same offer of the same contact. */
export const isSameInvitation = (
  a: Pick<Invitation, 'contact' | 'nameplate'>,
  b: Pick<Invitation, 'contact' | 'nameplate'>,
): boolean => a.contact === b.contact && a.nameplate === b.nameplate

/** Puts `invitation` first, and removes an earlier equal one. */
export const withInvitation = (
  invitations: readonly Invitation[],
  invitation: Invitation,
): readonly Invitation[] =>
  [invitation, ...invitations.filter((one) => !isSameInvitation(one, invitation))].slice(
    0,
    limits.invitationsShown,
  )

/** UTF-16 units of a summary: far below the 1 KiB that one sealed message holds. */
const summaryLength = 200

const nameplate = z.string().regex(/^[1-9][0-9]{3,5}$/)

/** Fields of every message; `atMs` is the sender's time, and increases with each message of a share. */
const anyMessage = z.object({ v: z.literal(1), nameplate, atMs: z.number().min(0) })

/** The sealed messages between contacts: an offer, its end, or the answer of someone who has removed the sender. */
const invitationMessageSchema = z.union([
  anyMessage.extend({ summary: z.string().max(summaryLength) }),
  anyMessage.extend({ ended: z.literal(true) }),
  anyMessage.extend({ removed: z.literal(true) }),
])

/** A decoded message. */
export type InvitationMessage = z.infer<typeof invitationMessageSchema>

/** The text of a message, before it is sealed. */
export const encodeInvitation = (message: InvitationMessage): string => JSON.stringify(message)

/** The message in an opened text; `null` for anything else. */
export function decodeInvitation(text: string): InvitationMessage | null {
  try {
    const parsed = invitationMessageSchema.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

/** A summary that fits into a message: one line, whole characters. */
export function summaryOf(words: string): string {
  // JSON would need six bytes for each control or lone surrogate.
  const plain = words.replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
  let short = ''
  for (const character of plain) {
    if (short.length + character.length > summaryLength) break
    short += character
  }
  return short
}
