/**
 * What contacts ring for, from the sealed message to a person's answer. Whoever has a contact's key is
 * that contact; everything else, and too much of it, is dropped without a word.
 */
import type { Clock } from '#client/clock'
import type { StoredContact } from '#client/contact-file'
import type { EngineModule } from '#client/engine'
import type { NewEvent } from '#client/session-context'
import { type ContactId, decodeCall, type Invitation } from '#shared/contacts'
import { limits } from '#shared/limits'

/** What it needs of its client. */
export type ContactInvitationsOptions = {
  readonly clock: Clock
  readonly seal: Pick<EngineModule, 'openInvitation'>
  /** Whose mailbox it is. */
  readonly ownerOf: (mailbox: string) => StoredContact | undefined
  /** Something receives this already, or has it. */
  readonly isTaken: (invitation: Invitation) => boolean
  /** It comes from a contact that needs not be asked about. */
  readonly onAutoAccept: (invitation: Invitation) => void
  readonly record: (event: NewEvent) => void
}

/** A sender that is still there has renewed it before; see `contact-ringer.ts`. */
const lifetimeMs = 10 * 60_000

/** One contact's rings: a sender sends six a minute while nobody hears it, and far fewer after. */
const mostRings = 10
const ringsWithinMs = 60_000

/** One for a client. */
export class ContactInvitations {
  readonly #options: ContactInvitationsOptions
  /** Waiting for an answer or declined, each until its sender is silent for `lifetimeMs`. */
  readonly #heard = new Map<string, { readonly isDeclined: boolean; readonly cancel: () => void }>()
  readonly #ringsAtMs = new Map<ContactId, readonly number[]>()

  constructor(options: ContactInvitationsOptions) {
    this.#options = options
  }

  /** A ring as it came through the server. */
  hear(mailbox: string, body: string): void {
    const { ownerOf, seal, clock, isTaken, onAutoAccept } = this.#options
    const contact = ownerOf(mailbox)
    if (contact === undefined || this.#isTooOften(contact.id)) return
    const text = seal.openInvitation(contact.key, body)
    const call = text === null ? null : decodeCall(text)
    if (call === null) return
    const about = { contact: contact.id, nameplate: call.nameplate }
    if ('ended' in call) {
      this.#forget(about)
      return
    }
    const invitation = { ...about, summary: call.summary, arrivedMs: clock.now() }
    if (isTaken(invitation)) return
    const isDeclined = this.#heard.get(keyOf(about))?.isDeclined === true
    if (!isDeclined && contact.autoAccept !== null) onAutoAccept(invitation)
    else this.#remember(invitation, isDeclined)
  }

  /** Accepted: it does not wait any more. */
  take(about: Pick<Invitation, 'contact' | 'nameplate'>): void {
    this.#forget(about)
  }

  /** Declined, and so it stays while its sender goes on ringing. */
  decline(about: Pick<Invitation, 'contact' | 'nameplate'>): void {
    this.#forget(about)
    this.#keep(about, true)
  }

  /** Forgets everything of contacts that are none any more. */
  retain(isContact: (id: ContactId) => boolean): void {
    for (const key of [...this.#heard.keys()]) {
      const about = aboutOf(key)
      if (!isContact(about.contact)) this.#forget(about)
    }
    for (const id of [...this.#ringsAtMs.keys()]) if (!isContact(id)) this.#ringsAtMs.delete(id)
  }

  /** Nothing expires any more. */
  close(): void {
    for (const { cancel } of this.#heard.values()) cancel()
    this.#heard.clear()
  }

  #isTooOften(contact: ContactId): boolean {
    const nowMs = this.#options.clock.now()
    const recent = (this.#ringsAtMs.get(contact) ?? []).filter(
      (atMs) => nowMs - atMs < ringsWithinMs,
    )
    const isTooOften = recent.length >= mostRings
    this.#ringsAtMs.set(contact, isTooOften ? recent : [...recent, nowMs])
    return isTooOften
  }

  #remember(invitation: Invitation, isDeclined: boolean): void {
    this.#keep(invitation, isDeclined)
    if (!isDeclined) this.#options.record({ type: 'invitation-arrived', invitation })
  }

  #keep(about: Pick<Invitation, 'contact' | 'nameplate'>, isDeclined: boolean): void {
    const key = keyOf(about)
    this.#heard.get(key)?.cancel()
    this.#heard.delete(key)
    const cancel = this.#options.clock.after(lifetimeMs, () => this.#forget(about))
    this.#heard.set(key, { isDeclined, cancel })
    const [oldest] = this.#heard.keys()
    if (this.#heard.size > limits.invitationsShown && oldest !== undefined) {
      this.#forget(aboutOf(oldest))
    }
  }

  #forget(about: Pick<Invitation, 'contact' | 'nameplate'>): void {
    const key = keyOf(about)
    const heard = this.#heard.get(key)
    if (heard === undefined) return
    heard.cancel()
    this.#heard.delete(key)
    if (!heard.isDeclined) this.#options.record({ type: 'invitation-removed', ...aboutOf(key) })
  }
}

const keyOf = ({ contact, nameplate }: Pick<Invitation, 'contact' | 'nameplate'>): string =>
  `${contact} ${nameplate}`

function aboutOf(key: string): Pick<Invitation, 'contact' | 'nameplate'> {
  const [contact = '', nameplate = ''] = key.split(' ')
  return { contact: contact as ContactId, nameplate }
}
