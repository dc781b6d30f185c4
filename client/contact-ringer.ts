/**
 * Tells contacts that a share is for them: rings each one's mailbox, again and again while nobody
 * hears it, and takes the invitation back when the share ends.
 */
import type { Clock } from '#client/clock'
import type { ContactBook } from '#client/contact-book'
import type { StoredContact } from '#client/contact-file'
import type { EngineModule } from '#client/engine'
import { type Call, type ContactId, encodeCall, type Invited, summaryOf } from '#shared/contacts'
import { limits } from '#shared/limits'
import type { ClientMessage } from '#shared/signaling'

/** What it needs of its share. */
export type ContactRingerOptions = {
  readonly book: Pick<ContactBook, 'find'>
  readonly seal: Pick<EngineModule, 'contactMailbox' | 'sealInvitation'>
  readonly clock: Clock
  /** Address of the share's signaling server. */
  readonly server: string
  readonly send: (message: ClientMessage) => void
  readonly tell: (invited: readonly Invited[]) => void
}

/** Between two rings for somebody who is away. */
const ringEveryMs = 10_000

/** An invitation that was heard is renewed before it expires; counted in rounds. */
const renewEveryRounds = 30

/** A day; who is away for longer is asked in another way. */
const mostRounds = (24 * 3600 * 1000) / ringEveryMs

/** One for a share; silent until contacts are named and the share has a nameplate. */
export class ContactRinger {
  readonly #options: ContactRingerOptions
  #invited: readonly Invited[] = []
  #nameplate: string | null = null
  #summary = ''
  #round = 0
  #cancelTimer: (() => void) | null = null

  constructor(options: ContactRingerOptions) {
    this.#options = options
  }

  /** Invites these, too, at most `limits.contactsPerShare` in all. */
  invite(contacts: readonly ContactId[]): void {
    const known = new Set(this.#invited.map(({ contact }) => contact))
    const fresh = [...new Set(contacts)].flatMap((id): readonly Invited[] => {
      const contact = known.has(id) ? undefined : this.#options.book.find(id)
      if (contact === undefined) return []
      const isHere = contact.server === this.#options.server
      return [{ contact: id, phase: isHere ? 'ringing' : 'elsewhere' }]
    })
    if (fresh.length === 0) return
    this.#set([...this.#invited, ...fresh].slice(0, limits.contactsPerShare))
    this.#ring(({ phase }) => phase === 'ringing')
  }

  /** The server has given the share this nameplate, or given it back. */
  hosted(nameplate: string): void {
    const isNew = nameplate !== this.#nameplate
    this.#nameplate = nameplate
    this.#ring(({ phase }) => isWaiting(phase) || (isNew && phase === 'told'))
    this.#cancelTimer ??= this.#options.clock.after(ringEveryMs, () => this.#again())
  }

  /** What is offered, in words; later rings say so. */
  describe(words: string): void {
    this.#summary = summaryOf(words)
  }

  /** The server's word about a ring. */
  rung(mailbox: string, reached: boolean): void {
    this.#set(
      this.#invited.map((one) => {
        const contact = isWaiting(one.phase) ? this.#options.book.find(one.contact) : undefined
        if (contact === undefined || this.#mailboxOf(contact) !== mailbox) return one
        return { ...one, phase: reached ? 'told' : 'away' }
      }),
    )
  }

  /** It has come in. */
  joined(contact: string): void {
    this.#set(
      this.#invited.map((one) => (one.contact === contact ? { ...one, phase: 'joined' } : one)),
    )
  }

  /** The share ends: who was told and has not come hears that it is over. */
  end(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = null
    const nameplate = this.#nameplate
    this.#nameplate = null
    if (nameplate === null) return
    const told = this.#invited.filter(({ phase }) => phase === 'told')
    for (const { contact } of told) this.#call(contact, { v: 1, nameplate, ended: true })
  }

  #again(): void {
    this.#round += 1
    const isRenewal = this.#round % renewEveryRounds === 0
    this.#ring(({ phase }) => isWaiting(phase) || (isRenewal && phase === 'told'))
    this.#cancelTimer =
      this.#round >= mostRounds ? null : this.#options.clock.after(ringEveryMs, () => this.#again())
  }

  #ring(isMeant: (invited: Invited) => boolean): void {
    const nameplate = this.#nameplate
    if (nameplate === null) return
    for (const invited of this.#invited.filter(isMeant)) {
      this.#call(invited.contact, { v: 1, nameplate, summary: this.#summary })
    }
  }

  #call(id: ContactId, call: Call): void {
    const { book, seal, send } = this.#options
    const contact = book.find(id)
    if (contact === undefined) return
    const body = seal.sealInvitation(contact.key, encodeCall(call))
    send({ t: 'ring', mailbox: this.#mailboxOf(contact), body })
  }

  #mailboxOf({ key, publicKey }: StoredContact): string {
    return this.#options.seal.contactMailbox(key, publicKey)
  }

  #set(invited: readonly Invited[]): void {
    if (JSON.stringify(invited) === JSON.stringify(this.#invited)) return
    this.#invited = invited
    this.#options.tell(invited)
  }
}

const isWaiting = (phase: Invited['phase']): boolean => phase === 'ringing' || phase === 'away'
