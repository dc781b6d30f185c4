/**
 * Invites contacts to a share: notifies each mailbox repeatedly until a listener receives the
 * invitation, and withdraws it when the share ends.
 */
import type { Clock } from '#client/clock'
import type { ContactBook } from '#client/contacts/contact-book'
import type { StoredContact } from '#client/contacts/contact-file'
import type { EngineModule } from '#client/engine'
import { limits } from '#shared/limits'
import type { ClientMessage } from '#shared/signaling/messages'
import {
  type ContactId,
  decodeInvitation,
  encodeInvitation,
  type Invited,
  summaryOf,
} from '#shared/state/contacts'

/** Dependencies of `ContactNotifier`. */
export type ContactNotifierOptions = {
  readonly book: Pick<ContactBook, 'find' | 'seen' | 'removedBy' | 'ownPublicKey'>
  readonly seal: Pick<EngineModule, 'contactMailbox' | 'sealInvitation' | 'openInvitation'>
  readonly clock: Clock
  /** Address of the share's signaling server. */
  readonly server: string
  readonly send: (message: ClientMessage) => void
  /** Delivers an invitation over the local network; true if a computer of the contact has received it. */
  readonly sendNearby: (contact: ContactId, body: string) => Promise<boolean>
  readonly report: (invited: readonly Invited[]) => void
}

/** The share's status as a message carries it. */
type ShareStatus = { readonly summary: string } | { readonly ended: true }

/** The pause between two notifications of an absent contact. */
const notifyEveryMs = 10_000

/**
 * The pause grows with the number of absent contacts, so that one share does not use up a server's
 * allowance of 30 a minute.
 */
const forEachMs = 3000

/** Renews a delivered invitation before it expires. */
const renewEveryMs = 5 * 60_000

/** A contact that is absent longer must be invited in another way. */
const maxMs = 24 * 3_600_000

/** Each share has one; it sends nothing until it has contacts and a nameplate. */
export class ContactNotifier {
  readonly #options: ContactNotifierOptions
  #invited: readonly Invited[] = []
  #nameplate: string | null = null
  #summary = ''
  readonly #startedAtMs: number
  #renewedAtMs: number
  #sentAtMs = 0
  #cancelTimer: (() => void) | null = null

  constructor(options: ContactNotifierOptions) {
    this.#options = options
    this.#startedAtMs = options.clock.now()
    this.#renewedAtMs = this.#startedAtMs
  }

  /**
   * Also invites these contacts, at most `limits.contactsPerShare` in total; a contact that joined
   * may be invited again.
   */
  invite(contacts: readonly ContactId[]): void {
    const pending = this.#invited.filter(({ phase }) => phase !== 'joined')
    const fresh = [...new Set(contacts)].flatMap((id): readonly Invited[] => {
      const isPending = pending.some(({ contact }) => contact === id)
      const contact = isPending ? undefined : this.#options.book.find(id)
      if (contact === undefined) return []
      const isHere = contact.server === this.#options.server
      const isRemoved = contact.removedYou === true
      return [{ contact: id, phase: isRemoved ? 'removed' : isHere ? 'notifying' : 'elsewhere' }]
    })
    const others = this.#invited.filter(
      (one) => !fresh.some(({ contact }) => contact === one.contact),
    )
    this.#set([...others, ...fresh].slice(0, limits.contactsPerShare))
    this.#notify(fresh)
  }

  /** Call it whenever the server assigns the nameplate, also the same one again. */
  hosted(nameplate: string): void {
    const isNew = nameplate !== this.#nameplate
    this.#nameplate = nameplate
    this.#notify(this.#invited.filter(({ phase }) => isNew || phase !== 'notified'))
    if (this.#cancelTimer === null) this.#plan()
  }

  /** Sets the summary for later notifications. */
  describe(words: string): void {
    this.#summary = summaryOf(words)
  }

  /** True if the share was sent to this contact. */
  isInvited(contact: ContactId): boolean {
    return this.#invited.some((one) => one.contact === contact)
  }

  /** True if the share was sent to a contact. */
  get hasInvited(): boolean {
    return this.#invited.length > 0
  }

  /** True unless a contact that was invited has not answered. */
  get isAnswered(): boolean {
    return this.#invited.every(({ phase }) => answered.has(phase))
  }

  /** Reads a joiner's first message. True if an invited contact answers that it has removed this side. */
  onAnswer(body: string): boolean {
    const { book, seal } = this.#options
    const own = book.ownPublicKey
    if (own === null) return false
    const author = this.#invited.find(({ contact: id, phase }) => {
      const contact = answered.has(phase) ? undefined : book.find(id)
      const text = contact === undefined ? null : seal.openInvitation(contact.key, own, body)
      const message = text === null ? null : decodeInvitation(text)
      return message !== null && 'removed' in message && message.nameplate === this.#nameplate
    })
    if (author === undefined) return false
    book.removedBy(author.contact)
    this.#set(this.#invited.map((one) => (one === author ? { ...one, phase: 'removed' } : one)))
    return true
  }

  /** The server's answer to a notification. */
  onNotified(mailbox: string, reached: boolean): void {
    this.#set(
      this.#invited.map((one) => {
        const contact = isWaiting(one.phase) ? this.#options.book.find(one.contact) : undefined
        if (contact === undefined || this.#mailboxOf(contact) !== mailbox) return one
        if (reached) this.#options.book.seen(one.contact)
        return { ...one, phase: reached ? 'notified' : 'away' }
      }),
    )
  }

  /** Withdraws the invitation from the contact's other computers, because the contact has joined. */
  joined(contact: ContactId): void {
    const nameplate = this.#nameplate
    const one = this.#invited.find((invited) => invited.contact === contact)
    if (one === undefined || one.phase === 'joined') return
    this.#set(this.#invited.map((other) => (other === one ? { ...one, phase: 'joined' } : other)))
    if (nameplate !== null) this.#send(one.contact, nameplate, { ended: true })
  }

  /** Invites the contact again: the automatic acceptance was undone, and the offer awaits a person there. */
  undecided(contact: ContactId): void {
    const isJoined = this.#invited.some((one) => one.contact === contact && one.phase === 'joined')
    if (isJoined) this.invite([contact])
  }

  /** Notifies the contacts that were invited and have not joined of the share's end. */
  end(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = null
    const nameplate = this.#nameplate
    this.#nameplate = null
    if (nameplate === null) return
    const notified = this.#invited.filter(({ phase }) => phase === 'notified')
    for (const { contact } of notified) this.#send(contact, nameplate, { ended: true })
  }

  #plan(): void {
    const waiting = this.#invited.filter(({ phase }) => isWaiting(phase)).length
    const delayMs = Math.max(notifyEveryMs, waiting * forEachMs)
    this.#cancelTimer = this.#options.clock.after(delayMs, () => this.#again())
  }

  #again(): void {
    const nowMs = this.#options.clock.now()
    if (nowMs - this.#startedAtMs >= maxMs) return
    const isRenewal = nowMs - this.#renewedAtMs >= renewEveryMs
    if (isRenewal) this.#renewedAtMs = nowMs
    this.#notify(this.#invited.filter(({ phase }) => isRenewal || phase !== 'notified'))
    this.#plan()
  }

  /** Notifies the contacts in `invited` that can still join. */
  #notify(invited: readonly Invited[]): void {
    const nameplate = this.#nameplate
    if (nameplate === null) return
    for (const { contact, phase } of invited) {
      if (!answered.has(phase)) this.#send(contact, nameplate, { summary: this.#summary })
    }
  }

  #send(id: ContactId, nameplate: string, status: ShareStatus): void {
    const { book, seal, clock, send, sendNearby, server } = this.#options
    const contact = book.find(id)
    if (contact === undefined) return
    this.#sentAtMs = Math.max(clock.now(), this.#sentAtMs + 1)
    const message = { v: 1, nameplate, atMs: this.#sentAtMs, ...status } as const
    const body = seal.sealInvitation(contact.key, contact.publicKey, encodeInvitation(message))
    if (contact.server === server) send({ t: 'notify', mailbox: this.#mailboxOf(contact), body })
    void sendNearby(id, body).then((isReceived) => {
      if (isReceived && 'summary' in status) this.#onDelivered(id)
    })
  }

  #onDelivered(id: ContactId): void {
    this.#options.book.seen(id)
    this.#set(
      this.#invited.map((one) =>
        one.contact === id && !answered.has(one.phase) ? { ...one, phase: 'notified' } : one,
      ),
    )
  }

  #mailboxOf({ key, publicKey }: StoredContact): string {
    return this.#options.seal.contactMailbox(key, publicKey)
  }

  #set(invited: readonly Invited[]): void {
    if (JSON.stringify(invited) === JSON.stringify(this.#invited)) return
    this.#invited = invited
    this.#options.report(invited)
  }
}

/** Contacts in these phases have answered for good. */
const answered: ReadonlySet<Invited['phase']> = new Set(['joined', 'removed'])

const isWaiting = (phase: Invited['phase']): boolean => phase === 'notifying' || phase === 'away'
