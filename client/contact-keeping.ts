/**
 * Two connected sides that may keep each other. Watches all sessions of the engine, for a transfer may
 * be over before the people have decided; nothing is kept unless both of them say so.
 */
import type { ContactBook } from '#client/contact-book'
import type { EngineEvent } from '#client/engine'
import type { EngineLink, SessionNumber, SessionOwner } from '#client/engine-link'
import type { NewEvent } from '#client/session-context'
import type { PeerId, ReceiveId, ShareId } from '#shared/app-state'
import type { ContactId, Keeping } from '#shared/contacts'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'

/** The other side of a transfer. */
export type Peer =
  { readonly share: ShareId; readonly peer: PeerId } | { readonly receive: ReceiveId }

/** What it needs of its client. */
export type ContactKeepingOptions = {
  readonly engine: EngineLink
  readonly book: ContactBook
  readonly record: (event: NewEvent) => void
}

/** Somebody who is connected and no contact. */
type Acquaintance = {
  readonly session: SessionNumber
  readonly peer: string
  readonly owner: SessionOwner
  /** As it calls itself. */
  readonly name: string
  readonly keeping: Keeping
  /** What it is to be called here, if a person said so. */
  readonly wish: string | null
}

/** One for a client. */
export class ContactKeeping {
  readonly #options: ContactKeepingOptions
  readonly #met = new Map<string, Acquaintance>()
  /** Came in as contacts: there is nothing to keep. */
  readonly #contacts = new Set<string>()

  constructor(options: ContactKeepingOptions) {
    this.#options = options
    options.engine.watch({
      onEvent: (event, owner) => this.#onEvent(event, owner),
      onEnd: (session) => this.#part(session, ''),
    })
  }

  /**
   * Offers to keep the other side, as `name` or as it calls itself. Errors: it is not connected, the
   * key of this installation can't be written.
   */
  async keep(peer: Peer, name?: string): Promise<Result<null, AppError>> {
    if (this.#find(peer) === undefined) return err(notConnected)
    const prepared = await this.#options.book.prepare()
    if (!prepared.ok) return prepared
    const met = this.#find(peer)
    if (met === undefined) return err(notConnected)
    if (met.keeping === 'asked' || met.keeping === 'kept') return ok(null)
    const command = { session: met.session, peer: met.peer }
    const fault = this.#options.engine.post({ type: 'request-contact', ...command })
    if (fault !== null) return err(fault)
    this.#tell({ ...met, keeping: 'asked', wish: name ?? null })
    return ok(null)
  }

  #onEvent(event: EngineEvent, owner: SessionOwner): void {
    switch (event.type) {
      case 'pairing-done':
        if (event.contact === '') break
        this.#contacts.add(keyOf(event))
        this.#options.book.used(event.contact as ContactId)
        break
      case 'greeted':
        this.#greet(event, owner)
        break
      case 'contact-requested': {
        const met = this.#met.get(keyOf(event))
        if (met?.keeping === 'possible') this.#tell({ ...met, keeping: 'wanted' })
        break
      }
      case 'contact-added':
        void this.#kept(event)
        break
      case 'failed':
        this.#part(event.session, event.peer)
        break
      default:
        break
    }
  }

  #greet(
    { session, peer, name }: Extract<EngineEvent, { readonly type: 'greeted' }>,
    owner: SessionOwner,
  ): void {
    const key = keyOf({ session, peer })
    if (this.#contacts.has(key) || this.#met.has(key)) return
    this.#tell({ ...{ session, peer, owner, name }, keeping: 'possible', wish: null })
  }

  async #kept(event: Extract<EngineEvent, { readonly type: 'contact-added' }>): Promise<void> {
    const met = this.#met.get(keyOf(event))
    if (met?.keeping !== 'asked') return
    const { publicKey, key } = event
    const name = met.wish ?? met.name
    const done = await this.#options.book.keep({ name, publicKey, key, server: met.owner.server })
    const keeping = done.ok ? 'kept' : 'possible'
    // It may have left meanwhile.
    if (this.#met.has(keyOf(met))) this.#tell({ ...met, keeping })
    else if (done.ok) this.#record(met, keeping)
  }

  #find(peer: Peer): Acquaintance | undefined {
    return [...this.#met.values()].find(({ owner, peer: id }) =>
      'receive' in peer
        ? 'receive' in owner && owner.receive === peer.receive
        : 'share' in owner && owner.share === peer.share && id === peer.peer,
    )
  }

  #tell(met: Acquaintance): void {
    this.#met.set(keyOf(met), met)
    this.#record(met, met.keeping)
  }

  /** One that left or, with an empty `peer`, everybody of a session. */
  #part(session: SessionNumber, peer: string): void {
    const isMeant = (key: string): boolean =>
      peer === '' ? key.startsWith(keyOf({ session, peer })) : key === keyOf({ session, peer })
    for (const key of [...this.#contacts].filter(isMeant)) this.#contacts.delete(key)
    for (const [key, met] of [...this.#met]) {
      if (!isMeant(key)) continue
      this.#met.delete(key)
      this.#record(met, null)
    }
  }

  #record({ owner, peer }: Acquaintance, keeping: Keeping | null): void {
    this.#options.record(
      'receive' in owner
        ? { type: 'receive-keeping-changed', receive: owner.receive, keeping }
        : {
            type: 'receiver-keeping-changed',
            share: owner.share,
            peer: peer as PeerId,
            keeping,
          },
    )
  }
}

const keyOf = ({ session, peer }: { readonly session: SessionNumber; readonly peer: string }) =>
  `${session} ${peer}`

const notConnected = appError('E_BAD_ARGUMENT', 'The other side is no longer connected.')
