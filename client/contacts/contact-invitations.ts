/**
 * What contacts offer, from the sealed message to a person's answer. Whoever has a contact's key is
 * that contact; everything else, and too much of it, is dropped without a word.
 */
import type { Clock } from '#client/clock'
import type { StoredContact } from '#client/contacts/contact-file'
import { ReplayFilter } from '#client/contacts/replay-filter'
import type { NewEvent } from '#client/state/state-log'
import { limits } from '#shared/limits'
import { type ContactId, decodeInvitation, type Invitation } from '#shared/state/contacts'

/** What it needs of its client. */
export type ContactInvitationsOptions = {
  readonly clock: Clock
  /** What a contact sealed for this side; `null` when it did not. */
  readonly open: (contact: StoredContact, sealed: string) => string | null
  /** Whose mailbox it is. */
  readonly ownerOf: (mailbox: string) => StoredContact | undefined
  /** Takes over what other programs did to the contacts. */
  readonly refresh: () => void
  /** Something receives this already, or has it. */
  readonly isTaken: (invitation: Invitation) => boolean
  /** It comes from a contact that needs not be asked about. */
  readonly onAutoAccept: (invitation: Invitation) => void
  readonly record: (event: NewEvent) => void
}

/** A sender that is still there has renewed it before; see `contact-notifier.ts`. */
const lifetimeMs = 10 * 60_000

/** Most notifications of one contact: a sender sends six a minute until one arrives, and far fewer then. */
const maxNotifications = 10
const notificationsWithinMs = 60_000

type About = Pick<Invitation, 'contact' | 'nameplate'>

/** Waits for an answer or has one, until its sender is silent for `lifetimeMs`. */
type Arrived = {
  readonly about: About
  /** `null` once it was answered. */
  readonly summary: string | null
  readonly cancel: () => void
}

/** One for a client. */
export class ContactInvitations {
  readonly #options: ContactInvitationsOptions
  readonly #arrived = new Map<string, Arrived>()
  /** The server's passes to where invitations lead, the newest last. */
  readonly #passes = new Map<string, string>()
  readonly #replays = new ReplayFilter()
  /** Offers that came by themselves and were left to a person, the newest last. */
  readonly #left = new Set<string>()
  readonly #notifiedAtMs = new Map<ContactId, readonly number[]>()

  constructor(options: ContactInvitationsOptions) {
    this.#options = options
  }

  /** A notification as it came through the server, with the server's pass to its sender. */
  receive(mailbox: string, body: string, pass?: string): void {
    const { ownerOf, open, clock, isTaken, onAutoAccept, refresh } = this.#options
    const caller = ownerOf(mailbox)
    if (caller === undefined || this.#isTooOften(caller.id)) return
    const text = open(caller, body)
    const call = text === null ? null : decodeInvitation(text)
    if (call === null) return
    refresh()
    const contact = ownerOf(mailbox)
    if (contact === undefined || !this.#replays.isNew(contact.id, call, clock.now())) return
    const about = { contact: contact.id, nameplate: call.nameplate }
    if ('ended' in call) {
      this.#forget(about)
      return
    }
    const invitation = { ...about, summary: call.summary, arrivedMs: clock.now() }
    if (isTaken(invitation)) return
    if (pass !== undefined) this.#keepPass(keyOf(about), pass)
    const before = this.#arrived.get(keyOf(about))
    if (before?.summary === null) this.#keep(about, null)
    // One that waits was left to a person, too.
    else if (contact.autoAccept === null || before !== undefined || this.#left.has(keyOf(about)))
      this.add(invitation)
    else onAutoAccept(invitation)
  }

  /** Waits for a person's answer from now on, also when it is withdrawn and sent again. */
  leave(invitation: Invitation): void {
    const key = keyOf(invitation)
    this.#left.delete(key)
    this.#left.add(key)
    const [oldest] = this.#left
    if (this.#left.size > limits.invitationsShown && oldest !== undefined) this.#left.delete(oldest)
    this.add(invitation)
  }

  /** Waits for a person's answer. */
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

  /** The server's pass, which shows that it notified this contact; `null` when it gave none. */
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

  /** True until it is answered, withdrawn or too old. */
  isWaiting(about: About): boolean {
    return (this.#arrived.get(keyOf(about))?.summary ?? null) !== null
  }

  /** Marks as accepted or declined, however often its sender notifies again. */
  markAnswered({ contact, nameplate }: About): void {
    this.#forget({ contact, nameplate })
    this.#keep({ contact, nameplate }, null)
  }

  /** Its acceptance came to nothing: the next notification counts. */
  forgive({ contact, nameplate }: About): void {
    this.#forget({ contact, nameplate })
  }

  /** Forgets everything from those that are no longer contacts. */
  retain(isContact: (id: ContactId) => boolean): void {
    for (const { about } of [...this.#arrived.values()]) {
      if (!isContact(about.contact)) this.#forget(about)
    }
    this.#replays.retain(isContact)
    for (const id of [...this.#notifiedAtMs.keys()])
      if (!isContact(id)) this.#notifiedAtMs.delete(id)
  }

  /** Stops the timers of expiry. */
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
