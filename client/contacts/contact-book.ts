/** The contacts of this installation, kept in step on disk, in the engine and in the state. */
import { randomBytes } from 'node:crypto'
import type { Clock } from '#client/clock'
import {
  contactsFormat,
  type FormerContact,
  maxFormer,
  type StoredContact,
  type StoredContacts,
} from '#client/contacts/contact-file'
import type { EngineModule } from '#client/engine'
import type { EngineLink } from '#client/engine-link'
import { StateFile } from '#client/state/state-file'
import type { NewEvent } from '#client/state/state-log'
import { type AppError, appError } from '#shared/errors'
import { limits } from '#shared/limits'
import { err, ok, type Result } from '#shared/result'
import {
  type AutoAccept,
  byName,
  type Contact,
  type ContactId,
  uniqueName,
  withContact,
  withoutContact,
} from '#shared/state/contacts'

/** Dependencies of `ContactBook`. */
export type ContactBookOptions = {
  readonly directory: string
  readonly keys: Pick<EngineModule, 'newContactKey'>
  readonly engine: EngineLink
  readonly clock: Clock
  readonly record: (event: NewEvent) => void
  /** The server that now serves a contact with this stored address. */
  readonly serverNow: (stored: string) => string
}

/** A new contact, reported by the engine once both sides have agreed. */
export type NewContact = Pick<StoredContact, 'name' | 'publicKey' | 'key' | 'server'>

/** Minimum time between two writes; not every reconnection is worth one. */
const seenEveryMs = 60_000

/** Former contacts are forgotten after this time; until then they are told that they were removed. */
const formerForMs = 30 * 24 * 3_600_000

/** Each client has one. Other programs may change the file; see `refresh`. */
export class ContactBook {
  readonly #options: ContactBookOptions
  readonly #file: StateFile<StoredContacts>
  readonly #watchers = new Set<() => void>()
  #stored: StoredContacts = contactsFormat.empty

  constructor(options: ContactBookOptions) {
    const { directory, record } = options
    this.#options = options
    this.#file = new StateFile({
      directory,
      format: contactsFormat,
      onError: (error) => record({ type: 'storage-failed', storageError: error }),
    })
    this.refresh()
  }

  /** All contacts, with their keys. */
  get all(): readonly StoredContact[] {
    return this.#stored.contacts.map((contact) => this.#placed(contact))
  }

  /** People who were removed, and don't know it yet. */
  get former(): readonly FormerContact[] {
    return this.#lately(this.#stored.former).map((one) => ({
      ...one,
      server: this.#options.serverNow(one.server),
    }))
  }

  /** The public half of this installation's key; `null` before the first contact. */
  get ownPublicKey(): string | null {
    return this.#stored.own?.publicKey ?? null
  }

  find(id: ContactId): StoredContact | undefined {
    return this.all.find((contact) => contact.id === id)
  }

  /** Calls `watcher` whenever contacts are added, changed or removed. */
  watch(watcher: () => void): void {
    this.#watchers.add(watcher)
  }

  /** Reports the contacts again, because their servers may have changed. */
  placeAgain(): void {
    if (this.#stored.contacts.length > 0) this.#tell()
  }

  /** Adopts changes that other programs made to the file, so that contacts removed there disappear here. */
  refresh(): void {
    this.#adopt(this.#file.read())
  }

  /** Makes this installation's key if there is none yet. Errors: too many contacts, the disk. */
  prepare(): Promise<Result<null, AppError>> {
    if (this.#stored.contacts.length >= limits.contactsStored) {
      return Promise.resolve(
        err(appError('E_LIMIT_EXCEEDED', `at most ${limits.contactsStored} contacts`)),
      )
    }
    if (this.#stored.own !== null) return Promise.resolve(ok(null))
    return this.#change((stored) => ({
      ...stored,
      own: stored.own ?? this.#options.keys.newContactKey(),
    }))
  }

  /** Stores a contact. A contact that is already stored gets the new keys and keeps its name. */
  add({ name, publicKey, key, server }: NewContact): Promise<Result<null, AppError>> {
    const addedMs = this.#options.clock.now()
    return this.#change(({ contacts, former, ...stored }) => {
      const before = contacts.find((contact) => contact.publicKey === publicKey)
      const kept = { ...stored, former: former.filter((one) => one.publicKey !== publicKey) }
      if (before !== undefined) {
        const { removedYou: _, ...known } = before
        const renewed = { ...known, key, server, lastSeenMs: addedMs }
        return { ...kept, contacts: contacts.map((one) => (one === before ? renewed : one)) }
      }
      const contact: StoredContact = {
        id: randomBytes(16).toString('hex') as ContactId,
        name: uniqueName(name, contacts),
        server,
        addedMs,
        lastSeenMs: addedMs,
        autoAccept: null,
        publicKey,
        key,
      }
      return { ...kept, contacts: [...contacts, contact].slice(0, limits.contactsStored) }
    })
  }

  /** Renames a contact, with a number appended if the name is taken. */
  rename(id: ContactId, name: string): Promise<Result<null, AppError>> {
    return this.#changeOne(id, (stored) => ({
      ...stored,
      contacts: withContact(stored.contacts, id, {
        name: uniqueName(name, withoutContact(stored.contacts, id)),
      }),
    }))
  }

  /** Accepts this contact's offers automatically into a folder; with `null`, the user decides. */
  setAutoAccept(id: ContactId, autoAccept: AutoAccept | null): Promise<Result<null, AppError>> {
    return this.#changeOne(id, (stored) => ({
      ...stored,
      contacts: withContact(stored.contacts, id, { autoAccept }),
    }))
  }

  /** Puts a contact into these groups alone. */
  setGroups(id: ContactId, groups: readonly string[]): Promise<Result<null, AppError>> {
    return this.#changeOne(id, (stored) => ({
      ...stored,
      contacts: withContact(stored.contacts, id, {
        groups: groups.length === 0 ? undefined : groups,
      }),
    }))
  }

  /** Removes a contact. Its keys stay for a while, only to tell it so when it sends. */
  remove(id: ContactId): Promise<Result<null, AppError>> {
    const removedMs = this.#options.clock.now()
    return this.#changeOne(id, (stored) => {
      const gone = stored.contacts.find((contact) => contact.id === id)
      const entry =
        gone === undefined || gone.removedYou === true
          ? []
          : [{ publicKey: gone.publicKey, key: gone.key, server: gone.server, removedMs }]
      return {
        ...stored,
        contacts: withoutContact(stored.contacts, id),
        former: this.#lately([...entry, ...stored.former]),
      }
    })
  }

  /** Notes that this contact has removed this side. */
  removedBy(id: ContactId): void {
    void this.#changeOne(id, (stored) => ({
      ...stored,
      contacts: withContact(stored.contacts, id, { removedYou: true }),
    }))
  }

  /** Notes that this contact is online. */
  seen(id: ContactId): void {
    const lastSeenMs = this.#options.clock.now()
    const before = this.find(id)?.lastSeenMs ?? 0
    if (lastSeenMs - before < seenEveryMs) return
    void this.#changeOne(id, (stored) => ({
      ...stored,
      contacts: withContact(stored.contacts, id, { lastSeenMs }),
    }))
  }

  /** Resolves when the file is up to date. */
  flushed(): Promise<void> {
    return this.#file.flushed()
  }

  #changeOne(
    id: ContactId,
    run: (stored: StoredContacts) => StoredContacts,
  ): Promise<Result<null, AppError>> {
    return this.find(id) === undefined ? Promise.resolve(err(unknownContact)) : this.#change(run)
  }

  async #change(run: (stored: StoredContacts) => StoredContacts): Promise<Result<null, AppError>> {
    let changed = this.#stored
    const isWritten = await this.#file.change((stored) => {
      changed = run(stored)
      return changed
    })
    if (!isWritten)
      return err(appError('E_TARGET_NOT_WRITABLE', 'not written', contactsFormat.name))
    this.#adopt(changed)
    return ok(null)
  }

  #adopt(stored: StoredContacts): void {
    const before = this.#stored
    if (JSON.stringify(before) === JSON.stringify(stored)) return
    this.#stored = stored
    const { own, contacts } = stored
    if (keysOf(before) !== keysOf(stored)) {
      this.#options.engine.post({
        type: 'set-contacts',
        own,
        contacts: contacts.map(({ id, publicKey, key }) => ({ id, publicKey, key })),
      })
    }
    this.#tell()
  }

  #tell(): void {
    this.#options.record({
      type: 'contacts-changed',
      contacts: this.all.map(publicPart).sort(byName),
    })
    for (const watcher of this.#watchers) watcher()
  }

  #lately(former: readonly FormerContact[]): readonly FormerContact[] {
    const nowMs = this.#options.clock.now()
    return former.filter(({ removedMs }) => nowMs - removedMs < formerForMs).slice(0, maxFormer)
  }

  #placed(contact: StoredContact): StoredContact {
    return { ...contact, server: this.#options.serverNow(contact.server) }
  }
}

/** The keys of all contacts as one comparable text; the engine needs an update when it changes. */
const keysOf = ({ own, contacts }: StoredContacts): string =>
  JSON.stringify([own, contacts.map(({ id, publicKey, key }) => [id, publicKey, key])])

/** The part of a contact that a window or terminal may show. */
const publicPart = ({
  id,
  name,
  server,
  addedMs,
  lastSeenMs,
  autoAccept,
  removedYou,
  groups,
}: Contact): Contact => ({
  id,
  name,
  server,
  addedMs,
  lastSeenMs,
  autoAccept,
  ...(removedYou === true && { removedYou }),
  ...(groups !== undefined && { groups }),
})

/** The contact was removed meanwhile. */
export const unknownContact = appError('E_BAD_ARGUMENT', 'This contact no longer exists.')
