/**
 * Invitations of contacts, from the sealed message to a person's answer. Possession of a contact's
 * key identifies the contact. Other messages, and excess ones, are silently dropped.
 */
import type { Clock } from '#client/clock'
import type { StoredContact } from '#client/contacts/contact-file'
import { ReplayFilter } from '#client/contacts/replay-filter'
import type { NewEvent } from '#client/state/state-log'
import { limits } from '#shared/limits'
import { type ContactId, decodeInvitation, type Invitation } from '#shared/state/contacts'

/** Dependencies of `ContactInvitations`. */
export type ContactInvitationsOptions = {
  readonly clock: Clock
  /** The text that a contact sealed for this side; `null` if the contact did not seal it. */
  readonly open: (contact: StoredContact, sealed: string) => string | null
  readonly ownerOf: (mailbox: string) => StoredContact | undefined
  /** Adopts changes that other programs made to the contacts. */
  readonly refresh: () => void
  /** True if this is already being received, or was. */
  readonly isTaken: (invitation: Invitation) => boolean
  /** Called for an offer of a contact whose offers are accepted automatically. */
  readonly onAutoAccept: (invitation: Invitation) => void
  /** A contact is online. */
  readonly onSeen: (contact: ContactId) => void
  readonly record: (event: NewEvent) => void
}

/** A sender that is still present has renewed it by then; see `contact-notifier.ts`. */
const lifetimeMs = 10 * 60_000

/** Limits the notifications from one contact: a sender sends six a minute until one arrives, and far fewer afterwards. */
const maxNotifications = 10
const notificationsWithinMs = 60_000

type About = Pick<Invitation, 'contact' | 'nameplate'>

/** An open or answered invitation, kept until its sender has been silent for `lifetimeMs`. */
type Arrived = {
  readonly about: About
  /** `null` once answered. */
  readonly summary: string | null
  readonly cancel: () => void
}

/** Each client has one. */
export class ContactInvitations {
  readonly #options: ContactInvitationsOptions
  readonly #arrived = new Map<string, Arrived>()
  /** The server's passes to invited shares, the newest last. */
  readonly #passes = new Map<string, string>()
  readonly #replays = new ReplayFilter()
  /** Offers that could not be accepted automatically and await a person, the newest last. */
  readonly #left = new Set<string>()
  readonly #notifiedAtMs = new Map<ContactId, readonly number[]>()

  constructor(options: ContactInvitationsOptions) {
    this.#options = options
  }

  /** Handles a notification, with the server's pass to its sender. False if no contact sealed it, or too many came. */
  receive(mailbox: string, body: string, pass?: string): boolean {
    const { ownerOf, open, clock, isTaken, onAutoAccept, onSeen, refresh } = this.#options
    const caller = ownerOf(mailbox)
    if (caller === undefined || this.#isTooOften(caller.id)) return false
    const text = open(caller, body)
    const call = text === null ? null : decodeInvitation(text)
    if (call === null) return false
    refresh()
    const contact = ownerOf(mailbox)
    if (contact === undefined) return false
    if (!this.#replays.isNew(contact.id, call, clock.now())) return true
    const about = { contact: contact.id, nameplate: call.nameplate }
    if ('removed' in call) return false
    if ('ended' in call) {
      this.#forget(about)
      return true
    }
    onSeen(contact.id)
    const invitation = { ...about, summary: call.summary, arrivedMs: clock.now() }
    if (isTaken(invitation)) return true
    if (pass !== undefined) this.#keepPass(keyOf(about), pass)
    const before = this.#arrived.get(keyOf(about))
    if (before?.summary === null) this.#keep(about, null)
    // A waiting invitation was left to a person, too.
    else if (contact.autoAccept === null || before !== undefined || this.#left.has(keyOf(about)))
      this.add(invitation)
    else onAutoAccept(invitation)
    return true
  }

  /** Leaves the offer to a person, even if it is withdrawn and sent again. */
  leave(invitation: Invitation): void {
    const key = keyOf(invitation)
    this.#left.delete(key)
    this.#left.add(key)
    const [oldest] = this.#left
    if (this.#left.size > limits.invitationsShown && oldest !== undefined) this.#left.delete(oldest)
    this.add(invitation)
  }

  /** Shows the invitation to a person. */
  add({ arrivedMs, ...invitation }: Invitation): void {
    const { contact, nameplate, summary } = invitation
    const isKnown = this.#arrived.get(keyOf(invitation))?.summary === summary
    this.#keep({ contact, nameplate }, summary)
    if (isKnown) return
    this.#options.record({
      type: 'invitation-arrived',
      invitation: { ...invitation, arrivedMs },
    })
  }

  /** The server's pass, which proves that the server notified this contact; `null` if it gave none. */
  passTo(about: About): string | null {
    return this.#passes.get(keyOf(about)) ?? null
  }

  #keepPass(key: string, pass: string): void {
    this.#passes.delete(key)
    this.#passes.set(key, pass)
    const [oldest] = this.#passes.keys()
    if (this.#passes.size > limits.invitationsShown && oldest !== undefined) {
      this.#passes.delete(oldest)
    }
  }

  /** True until the invitation is answered, withdrawn or too old. */
  isWaiting(about: About): boolean {
    return (this.#arrived.get(keyOf(about))?.summary ?? null) !== null
  }

  /** Marks it as accepted or declined, even if its sender notifies again. */
  markAnswered({ contact, nameplate }: About): void {
    this.#forget({ contact, nameplate })
    this.#keep({ contact, nameplate }, null)
  }

  /** Undoes `markAnswered` after a failed acceptance, so that the next notification is shown. */
  forgive({ contact, nameplate }: About): void {
    this.#forget({ contact, nameplate })
  }

  /** Drops everything from former contacts. */
  retain(isContact: (id: ContactId) => boolean): void {
    for (const { about } of [...this.#arrived.values()]) {
      if (!isContact(about.contact)) this.#forget(about)
    }
    this.#replays.retain(isContact)
    for (const id of [...this.#notifiedAtMs.keys()])
      if (!isContact(id)) this.#notifiedAtMs.delete(id)
  }

  /** Stops the expiry timers. */
  close(): void {
    for (const { cancel } of this.#arrived.values()) cancel()
    this.#arrived.clear()
  }

  #isTooOften(contact: ContactId): boolean {
    const nowMs = this.#options.clock.now()
    const recent = (this.#notifiedAtMs.get(contact) ?? []).filter(
      (atMs) => nowMs - atMs < notificationsWithinMs,
    )
    const isTooOften = recent.length >= maxNotifications
    this.#notifiedAtMs.set(contact, isTooOften ? recent : [...recent, nowMs])
    return isTooOften
  }

  #keep(about: About, summary: string | null): void {
    const key = keyOf(about)
    this.#arrived.get(key)?.cancel()
    this.#arrived.delete(key)
    const cancel = this.#options.clock.after(lifetimeMs, () => this.#forget(about))
    this.#arrived.set(key, { about, summary, cancel })
    const [oldest] = this.#arrived.values()
    if (this.#arrived.size > limits.invitationsShown && oldest !== undefined) {
      this.#forget(oldest.about)
    }
  }

  #forget(about: About): void {
    const arrived = this.#arrived.get(keyOf(about))
    if (arrived === undefined) return
    arrived.cancel()
    this.#arrived.delete(keyOf(about))
    if (arrived.summary !== null) this.#options.record({ type: 'invitation-removed', ...about })
  }
}

const keyOf = ({ contact, nameplate }: About): string => `${contact} ${nameplate}`
