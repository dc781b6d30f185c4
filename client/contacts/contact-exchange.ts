/**
 * Turns two connected sides into contacts. It watches all sessions of the engine, because a
 * transfer may end before the people have decided. Nothing is stored unless both agree.
 */
import type { Clock } from '#client/clock'
import type { ContactBook } from '#client/contacts/contact-book'
import type { EngineEvent } from '#client/engine'
import type { EngineLink, SessionNumber, SessionOwner } from '#client/engine-link'
import type { NewEvent } from '#client/state/state-log'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import type { OtherSide, PeerId } from '#shared/state/app-state'
import type { ContactId, ContactRequest } from '#shared/state/contacts'

/** Dependencies of `ContactExchange`. */
export type ContactExchangeOptions = {
  readonly engine: EngineLink
  readonly clock: Clock
  readonly book: ContactBook
  readonly record: (event: NewEvent) => void
}

/** A connected peer that is not a contact yet. */
type Stranger = {
  readonly session: SessionNumber
  readonly peer: string
  readonly owner: SessionOwner
  /** The name that the peer gave itself. */
  readonly name: string
  readonly contactRequest: ContactRequest
}

/** A receiver's connection stays open for this time after its transfer. */
const lingerMs = 60_000

/** Each client has one. */
export class ContactExchange {
  readonly #options: ContactExchangeOptions
  readonly #met = new Map<string, Stranger>()
  /** Peers that joined as contacts and need no request. */
  readonly #contacts = new Set<string>()
  /** Timers of receivers that have everything; they cancel. */
  readonly #leaving = new Map<string, () => void>()
  #isClosed = false

  constructor(options: ContactExchangeOptions) {
    this.#options = options
    options.engine.watch({
      onEvent: (event, owner) => this.#onEvent(event, owner),
      onEnd: (session) => this.#part(session, ''),
    })
  }

  /**
   * Sends a contact request to the other side, under the name it gave itself. Errors: it is not
   * connected, the key of this installation can't be written.
   */
  async request(side: OtherSide): Promise<Result<null, AppError>> {
    if (this.#find(side) === undefined) return err(notConnected)
    const prepared = await this.#options.book.prepare()
    if (!prepared.ok) return prepared
    const met = this.#find(side)
    if (met === undefined) return err(notConnected)
    if (met.contactRequest === 'sent' || met.contactRequest === 'accepted') return ok(null)
    const command = { session: met.session, peer: met.peer }
    const error = this.#options.engine.post({ type: 'request-contact', ...command })
    if (error !== null) return err(error)
    this.#update({ ...met, contactRequest: 'sent' })
    return ok(null)
  }

  /** Stops the timers. */
  close(): void {
    this.#isClosed = true
    for (const cancel of this.#leaving.values()) cancel()
    this.#leaving.clear()
  }

  #onEvent(event: EngineEvent, owner: SessionOwner): void {
    switch (event.type) {
      case 'pairing-done':
        if (event.contact === '') break
        this.#contacts.add(keyOf(event))
        this.#options.book.seen(event.contact as ContactId)
        break
      case 'greeted':
        this.#greet(event, owner)
        break
      case 'contact-requested': {
        const met = this.#met.get(keyOf(event))
        if (met?.contactRequest === 'possible') this.#update({ ...met, contactRequest: 'received' })
        break
      }
      case 'contact-added':
        void this.#add(event)
        break
      case 'finished':
        if ('share' in owner) this.#leaveLater(event)
        break
      case 'failed':
        this.#part(event.session, event.peer)
        break
      default:
        break
    }
  }

  #greet(
    { session, peer, name, browser }: Extract<EngineEvent, { readonly type: 'greeted' }>,
    owner: SessionOwner,
  ): void {
    const key = keyOf({ session, peer })
    // A page can't become a contact.
    if (browser || this.#contacts.has(key) || this.#met.has(key)) return
    this.#update({ session, peer, owner, name, contactRequest: 'possible' })
  }

  async #add(event: Extract<EngineEvent, { readonly type: 'contact-added' }>): Promise<void> {
    const met = this.#met.get(keyOf(event))
    if (met?.contactRequest !== 'sent') return
    const { publicKey, key } = event
    const { name, owner } = met
    const done = await this.#options.book.add({ name, publicKey, key, server: owner.server })
    const contactRequest = done.ok ? 'accepted' : 'possible'
    // The peer may have left meanwhile.
    if (this.#met.has(keyOf(met))) this.#update({ ...met, contactRequest })
    else if (done.ok) this.#record(met, contactRequest)
  }

  #find(side: OtherSide): Stranger | undefined {
    return [...this.#met.values()].find(({ owner, peer }) =>
      'receive' in side
        ? 'receive' in owner && owner.receive === side.receive
        : 'share' in owner && owner.share === side.share && peer === side.peer,
    )
  }

  #update(met: Stranger): void {
    this.#met.set(keyOf(met), met)
    this.#record(met, met.contactRequest)
  }

  /** The engine doesn't report when a finished receiver leaves. */
  #leaveLater({ session, peer }: { readonly session: SessionNumber; readonly peer: string }): void {
    const key = keyOf({ session, peer })
    if (!this.#met.has(key) || this.#isClosed) return
    const part = (): void => this.#part(session, peer)
    this.#leaving.set(key, this.#options.clock.after(lingerMs, part))
  }

  /** Forgets a peer that left or, if `peer` is empty, all peers of a session. */
  #part(session: SessionNumber, peer: string): void {
    const isMeant = (key: string): boolean =>
      peer === '' ? key.startsWith(keyOf({ session, peer })) : key === keyOf({ session, peer })
    for (const key of [...this.#contacts].filter(isMeant)) this.#contacts.delete(key)
    for (const [key, cancel] of [...this.#leaving]) {
      if (!isMeant(key)) continue
      this.#leaving.delete(key)
      cancel()
    }
    for (const [key, met] of [...this.#met]) {
      if (!isMeant(key)) continue
      this.#met.delete(key)
      this.#record(met, null)
    }
  }

  #record({ owner, peer }: Stranger, contactRequest: ContactRequest | null): void {
    this.#options.record(
      'receive' in owner
        ? { type: 'receive-contact-request-changed', receive: owner.receive, contactRequest }
        : {
            type: 'receiver-contact-request-changed',
            share: owner.share,
            peer: peer as PeerId,
            contactRequest,
          },
    )
  }
}

const keyOf = ({ session, peer }: { readonly session: SessionNumber; readonly peer: string }) =>
  `${session} ${peer}`

const notConnected = appError('E_BAD_ARGUMENT', 'The other side is no longer connected.')
