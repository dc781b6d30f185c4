/**
 * Tells contacts that a share is for them: rings each one's mailbox, again and again while nobody
 * hears it, and takes the invitation back when the share ends.
 */
import type { Clock } from '#client/clock'
import type { ContactBook } from '#client/contact-book'
import type { StoredContact } from '#client/contact-file'
import type { EngineModule } from '#client/engine'
import { type ContactId, encodeCall, type Invited, summaryOf } from '#shared/contacts'
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

/** What a call says of the share. */
type News = { readonly summary: string } | { readonly ended: true }

/** Between two rings for somebody who is away. */
const ringEveryMs = 10_000

/** With many who are away, a server's allowance of 30 a minute is not used up by one share. */
const forEachMs = 3000

/** An invitation that was heard is renewed before it expires. */
const renewEveryMs = 5 * 60_000

/** Who is away for longer is asked in another way. */
const longestMs = 24 * 3_600_000

/** One for a share; silent until contacts are named and the share has a nameplate. */
export class ContactRinger {
  readonly #options: ContactRingerOptions
  #invited: readonly Invited[] = []
  #nameplate: string | null = null
  #summary = ''
  readonly #startedAtMs: number
  #renewedAtMs: number
  /** The time that the latest call has. */
  #calledAtMs = 0
  #cancelTimer: (() => void) | null = null

  constructor(options: ContactRingerOptions) {
    this.#options = options
    this.#startedAtMs = options.clock.now()
    this.#renewedAtMs = this.#startedAtMs
  }

  /** Invites these, too, at most `limits.contactsPerShare` in all; who was there may be asked again. */
  invite(contacts: readonly ContactId[]): void {
    const pending = this.#invited.filter(({ phase }) => phase !== 'joined')
    const fresh = [...new Set(contacts)].flatMap((id): readonly Invited[] => {
      const isPending = pending.some(({ contact }) => contact === id)
      const contact = isPending ? undefined : this.#options.book.find(id)
      if (contact === undefined) return []
      const isHere = contact.server === this.#options.server
      return [{ contact: id, phase: isHere ? 'ringing' : 'elsewhere' }]
    })
    const others = this.#invited.filter(
      (one) => !fresh.some(({ contact }) => contact === one.contact),
    )
    this.#set([...others, ...fresh].slice(0, limits.contactsPerShare))
    this.#ring(fresh)
  }

  /** The server has given the share this nameplate, or given it back. */
  hosted(nameplate: string): void {
    const isNew = nameplate !== this.#nameplate
    this.#nameplate = nameplate
    this.#ring(this.#invited.filter(({ phase }) => isNew || phase !== 'told'))
    if (this.#cancelTimer === null) this.#plan()
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

  /** It has answered; on its other computers nobody needs to any more. */
  joined(contact: ContactId): void {
    const nameplate = this.#nameplate
    const one = this.#invited.find((invited) => invited.contact === contact)
    if (one === undefined || one.phase === 'joined') return
    this.#set(this.#invited.map((other) => (other === one ? { ...one, phase: 'joined' } : other)))
    if (nameplate !== null) this.#call(one.contact, nameplate, { ended: true })
  }

  /** What it had accepted by itself waits for a person there now. */
  undecided(contact: ContactId): void {
    const isJoined = this.#invited.some((one) => one.contact === contact && one.phase === 'joined')
    if (isJoined) this.invite([contact])
  }

  /** The share ends: who was told and has not come hears that it is over. */
  end(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = null
    const nameplate = this.#nameplate
    this.#nameplate = null
    if (nameplate === null) return
    const told = this.#invited.filter(({ phase }) => phase === 'told')
    for (const { contact } of told) this.#call(contact, nameplate, { ended: true })
  }

  #plan(): void {
    const waiting = this.#invited.filter(({ phase }) => isWaiting(phase)).length
    const delayMs = Math.max(ringEveryMs, waiting * forEachMs)
    this.#cancelTimer = this.#options.clock.after(delayMs, () => this.#again())
  }

  #again(): void {
    const nowMs = this.#options.clock.now()
    if (nowMs - this.#startedAtMs >= longestMs) return
    const isRenewal = nowMs - this.#renewedAtMs >= renewEveryMs
    if (isRenewal) this.#renewedAtMs = nowMs
    this.#ring(this.#invited.filter(({ phase }) => isRenewal || phase !== 'told'))
    this.#plan()
  }

  /** Those who can still come. */
  #ring(invited: readonly Invited[]): void {
    const nameplate = this.#nameplate
    if (nameplate === null) return
    for (const { contact, phase } of invited) {
      if (!isWaiting(phase) && phase !== 'told') continue
      this.#call(contact, nameplate, { summary: this.#summary })
    }
  }

  #call(id: ContactId, nameplate: string, news: News): void {
    const { book, seal, clock, send } = this.#options
    const contact = book.find(id)
    if (contact === undefined) return
    this.#calledAtMs = Math.max(clock.now(), this.#calledAtMs + 1)
    const call = { v: 1, nameplate, atMs: this.#calledAtMs, ...news } as const
    const body = seal.sealInvitation(contact.key, contact.publicKey, encodeCall(call))
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
