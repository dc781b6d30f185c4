/**
 * The contacts of a client: the list, contact requests, reachability and invitations. The secrets
 * stay in this folder and in the engine.
 */
import type { Clock } from '#client/clock'
import { ContactBook, unknownContact } from '#client/contacts/contact-book'
import { ContactExchange } from '#client/contacts/contact-exchange'
import type { FormerContact, StoredContact } from '#client/contacts/contact-file'
import { ContactInvitations } from '#client/contacts/contact-invitations'
import { ContactListener } from '#client/contacts/contact-listener'
import { ContactNotifier } from '#client/contacts/contact-notifier'
import { FormerContacts } from '#client/contacts/former-contacts'
import type { EngineModule } from '#client/engine'
import type { EngineLink } from '#client/engine-link'
import type { MarkKeys } from '#client/nearby/computer-announcement'
import type { MarkedContact } from '#client/nearby/computers'
import type { JoinTarget } from '#client/session/receive/join-target'
import { cautionsOf } from '#client/session/receive/target-caution'
import type { NewPlan } from '#client/session/requests'
import {
  fixedServer,
  type ServerAccess,
  type ServerLocator,
} from '#client/signaling/server-locator'
import type { NewEvent } from '#client/state/state-log'
import { type AppError, appError, type ErrorCode } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import { err, ok, type Result } from '#shared/result'
import { defaultReceiveOptions } from '#shared/settings/receive-options'
import type { ClientMessage } from '#shared/signaling/messages'
import type { OtherSide, ReceiveId } from '#shared/state/app-state'
import {
  type AutoAccept,
  autoAcceptBytes,
  type ContactId,
  type Invitation,
  type Invited,
} from '#shared/state/contacts'

/** Dependencies of `Contacts`. */
export type ContactsOptions = {
  readonly directory: string
  readonly module: EngineModule
  readonly engine: EngineLink
  readonly server: () => ServerLocator
  /** Address of the embedded server, stored for contacts that were met without a server. */
  readonly embedded: string
  /** Proxies and passwords for the contacts' servers. */
  readonly access: ServerAccess
  readonly clock: Clock
  readonly random: () => number
  /**
   * True while contacts may notify this program: sockets then listen once there is a contact.
   * Queried again when settings change.
   */
  readonly isReachable: () => boolean
  readonly record: (event: NewEvent) => void
  readonly receive: (target: JoinTarget, server: ServerLocator) => Result<ReceiveId, AppError>
  readonly accept: (receive: ReceiveId, plan: NewPlan) => void
  readonly defer: (receive: ReceiveId) => void
  /** Delivers an invitation over the local network; see `Nearby.invite`. */
  readonly sendNearby: (contact: ContactId, body: string) => Promise<boolean>
  /** Contacts were added, changed or removed. */
  readonly onChange: () => void
}

type Offered = Extract<AppEvent, { readonly type: 'receive-offered' }>
type Failed = Extract<AppEvent, { readonly type: 'receive-failed' }>

/** Identifies an offer by its contact and nameplate. */
type About = Pick<Invitation, 'contact' | 'nameplate'>

/** Limits the contacts whose computers are recognized on the local network. */
const maxMarked = 100

/** Errors from a decision of this side's user. */
const chosen: ReadonlySet<ErrorCode> = new Set(['E_CANCELLED', 'E_DECLINED'])

/** Each client has one and passes every event of its state to `onEvent`. */
export class Contacts {
  readonly #options: ContactsOptions
  readonly #book: ContactBook
  readonly #exchange: ContactExchange
  readonly #listener: ContactListener
  readonly #invitations: ContactInvitations
  readonly #former: FormerContacts
  /** Receives that began from an invitation. */
  readonly #accepted = new Map<ReceiveId, About>()
  /** The receives among them that were accepted automatically. */
  readonly #automatic = new Map<ReceiveId, Invitation>()
  /** The contact that notifies at each mailbox. */
  #mailboxes: ReadonlyMap<string, ContactId> = new Map()
  #formerMailboxes: ReadonlyMap<string, FormerContact> = new Map()
  #isClosed = false

  constructor(options: ContactsOptions) {
    const { module, engine, clock, random, record } = options
    this.#options = options
    this.#book = new ContactBook({
      ...options,
      keys: module,
      serverNow: (stored) => (stored === options.embedded ? options.server().url : stored),
    })
    this.#exchange = new ContactExchange({ engine, clock, book: this.#book, record })
    this.#listener = new ContactListener({
      clock,
      random,
      locatorOf: (url) => this.#locatorOf(url),
      onNotify: (mailbox, body, pass) => {
        // This also adopts a removal by another program.
        this.#invitations.receive(mailbox, body, pass)
        const former = this.#formerMailboxes.get(mailbox)
        if (former !== undefined) this.#former.receive(former, body, pass)
      },
      onChange: (reachability) => record({ type: 'reachability-changed', reachability }),
    })
    this.#former = new FormerContacts({
      clock,
      random,
      seal: module,
      ownPublicKey: () => this.#book.ownPublicKey,
      locatorOf: (url) => this.#locatorOf(url),
    })
    this.#invitations = new ContactInvitations({
      clock,
      record,
      open: ({ key }, sealed) => {
        const own = this.#book.ownPublicKey
        return own === null ? null : module.openInvitation(key, own, sealed)
      },
      ownerOf: (mailbox) => this.#ownerOf(mailbox),
      refresh: () => this.#book.refresh(),
      isTaken: (about) => this.#isTaken(about),
      onSeen: (contact) => this.#book.seen(contact),
      onAutoAccept: (invitation) => {
        const received = this.#receive(invitation)
        if (received.ok) this.#automatic.set(received.value, invitation)
        else this.#invitations.add(invitation)
      },
    })
    this.#book.watch(() => {
      this.#listen()
      options.onChange()
    })
    this.#listen()
  }

  /** Call it when the computer wakes up. */
  onWake(): void {
    this.#listener.onWake()
  }

  /** Makes this installation's key in advance, so that adding a contact does not wait for the disk. */
  prepare(): Promise<Result<null, AppError>> {
    return this.#book.prepare()
  }

  /** Sends a contact request to the other side of a transfer, under the name it gave itself. */
  request(side: OtherSide): Promise<Result<null, AppError>> {
    return this.#exchange.request(side)
  }

  /** Renames a contact, with a number appended if the name is taken. */
  rename(contact: ContactId, name: string): Promise<Result<null, AppError>> {
    return this.#book.rename(contact, name)
  }

  /** Accepts this contact's offers automatically into a folder; with `null`, the user decides. */
  setAutoAccept(
    contact: ContactId,
    autoAccept: AutoAccept | null,
  ): Promise<Result<null, AppError>> {
    return this.#book.setAutoAccept(contact, autoAccept)
  }

  /** Puts a contact into these groups alone. */
  setGroups(contact: ContactId, groups: readonly string[]): Promise<Result<null, AppError>> {
    return this.#book.setGroups(contact, groups)
  }

  /** Removes a contact, which learns it when it next sends. Neither side can reach the other afterwards. */
  remove(contact: ContactId): Promise<Result<null, AppError>> {
    return this.#book.remove(contact)
  }

  /** Accepts an invitation, to view its offer. Errors: it is no longer offered, or those of a code. */
  accept(about: About): Result<ReceiveId, AppError> {
    return this.#invitations.isWaiting(about) ? this.#receive(about) : err(notOffered)
  }

  /** Hides the invitation without telling the sender. */
  decline(about: About): Result<null, AppError> {
    if (!this.#invitations.isWaiting(about)) return err(notOffered)
    this.#invitations.markAnswered(about)
    return ok(null)
  }

  /** The reason why a share can't be offered to these contacts, or `null`. */
  checkKnown(contacts: readonly ContactId[]): AppError | null {
    this.#book.refresh()
    return contacts.every((id) => this.#book.find(id) !== undefined) ? null : unknownContact
  }

  /**
   * The server of all these contacts; `undefined` if it is the client's own. Error: `E_BAD_ARGUMENT` if they use several,
   * `E_CONTACT_UNKNOWN` if all of them have removed this side.
   */
  placeOf(contacts: readonly ContactId[]): Result<ServerLocator | undefined, AppError> {
    const found = contacts.flatMap((id) => this.#book.find(id) ?? [])
    if (found.length > 0 && found.every(({ removedYou }) => removedYou === true)) {
      return err(appError('E_CONTACT_UNKNOWN'))
    }
    const [url, ...others] = new Set(found.map(({ server }) => server))
    if (others.length > 0) return err(apart)
    const isOwn = url === undefined || url === this.#options.server().url
    return ok(isOwn ? undefined : this.#locatorOf(url))
  }

  notifier(
    server: string,
    send: (message: ClientMessage) => void,
    report: (invited: readonly Invited[]) => void,
  ): ContactNotifier {
    const { module, clock, sendNearby } = this.#options
    return new ContactNotifier({
      clock,
      send,
      sendNearby,
      report,
      book: this.#book,
      seal: module,
      server,
    })
  }

  /** The contacts that were seen last, with the keys that mark their announcements on the local network. */
  get marked(): readonly MarkedContact[] {
    return this.#latest.map(({ id, name, key, publicKey }) => ({ id, name, key, publicKey }))
  }

  /** The keys that mark this computer's own announcement for them. */
  get ownMarks(): readonly (MarkKeys & { readonly id: ContactId })[] {
    const publicKey = this.#book.ownPublicKey
    return publicKey === null ? [] : this.#latest.map(({ id, key }) => ({ id, key, publicKey }))
  }

  /** Reads an invitation from the local network. False if this contact has not sealed it. */
  receive(id: ContactId, body: string): boolean {
    const mailbox = [...this.#mailboxes].find(([, owner]) => owner === id)?.[0]
    return mailbox !== undefined && this.#invitations.receive(mailbox, body)
  }

  get #latest(): readonly StoredContact[] {
    return this.#book.all
      .filter(({ removedYou }) => removedYou !== true)
      .sort((a, b) => (b.lastSeenMs ?? 0) - (a.lastSeenMs ?? 0))
      .slice(0, maxMarked)
  }

  /** Follows receives that began from an invitation. */
  onEvent(event: AppEvent): void {
    if (event.type === 'settings-changed') {
      this.#book.placeAgain()
      this.#listen()
    }
    const about = 'receive' in event ? this.#accepted.get(event.receive) : undefined
    if (about === undefined || !('receive' in event)) return
    switch (event.type) {
      case 'receive-offered':
        this.#acceptOffer(event)
        break
      case 'receive-finished':
      case 'receive-interrupted':
        this.#forget(event.receive)
        break
      case 'receive-failed':
        this.#onFailed(event, about)
        break
      default:
        break
    }
  }

  /** Stops listening. Resolves when sockets are closed. Sessions that end later can still change contacts. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#exchange.close()
    this.#invitations.close()
    await Promise.all([this.#listener.close(), this.#former.close()])
  }

  /** Resolves when the file is up to date. */
  flushed(): Promise<void> {
    return this.#book.flushed()
  }

  #receive({ contact, nameplate }: About): Result<ReceiveId, AppError> {
    const stored = this.#book.find(contact)
    if (stored === undefined) return err(unknownContact)
    const received = this.#options.receive(
      { nameplate, words: null, contact, pass: this.#invitations.passTo({ contact, nameplate }) },
      this.#locatorOf(stored.server),
    )
    if (!received.ok) return received
    this.#accepted.set(received.value, { contact, nameplate })
    this.#invitations.markAnswered({ contact, nameplate })
    return received
  }

  /**
   * Accepts into the contact's own folder, replacing nothing and making nothing executable. An
   * offer that is too large or needs caution is left to a person. The engine ends a receive that
   * grows beyond the limit, which leaves it to a person, too.
   */
  #acceptOffer({ receive, totals, dotNames }: Offered): void {
    const invitation = this.#automatic.get(receive)
    const folder = invitation && this.#book.find(invitation.contact)?.autoAccept
    if (!folder) return
    const { directory, maxBytes = autoAcceptBytes } = folder
    if (totals.bytes <= maxBytes && cautionsOf(directory, dotNames === true).length === 0) {
      const options = {
        ...defaultReceiveOptions,
        ...({ conflict: 'keep-both', keepExecutable: false } as const),
      }
      this.#options.accept(receive, { directory, options, autoAccept: { maxBytes } })
    } else {
      this.#options.defer(receive)
    }
  }

  /** Offers an invitation to a person if it can't be accepted automatically. */
  #onFailed({ receive, error }: Failed, about: About): void {
    const invitation = this.#automatic.get(receive)
    this.#forget(receive)
    if (error.code === 'E_UNDECIDED' && invitation !== undefined)
      this.#invitations.leave(invitation)
    else if (!chosen.has(error.code)) this.#invitations.forgive(about)
  }

  #forget(receive: ReceiveId): void {
    this.#accepted.delete(receive)
    this.#automatic.delete(receive)
  }

  #isTaken(about: About): boolean {
    return [...this.#accepted.values()].some(
      ({ contact, nameplate }) => contact === about.contact && nameplate === about.nameplate,
    )
  }

  #locatorOf(url: string): ServerLocator {
    const server = this.#options.server()
    return url === server.url ? server : fixedServer(url, this.#options.access)
  }

  #ownerOf(mailbox: string): StoredContact | undefined {
    const id = this.#mailboxes.get(mailbox)
    return id === undefined ? undefined : this.#book.find(id)
  }

  /** Listens on the mailboxes of the current contacts, at their servers. */
  #listen(): void {
    const { module, isReachable } = this.#options
    this.#invitations.retain((id) => this.#book.find(id) !== undefined)
    const publicKey = this.#book.ownPublicKey
    if (publicKey === null || this.#isClosed) return
    const owners = new Map<string, ContactId>()
    const byServer = new Map<string, string[]>()
    for (const { id, key, server } of this.#book.all) {
      const mailbox = module.contactMailbox(key, publicKey)
      owners.set(mailbox, id)
      byServer.set(server, [...(byServer.get(server) ?? []), mailbox])
    }
    const former = new Map<string, FormerContact>()
    for (const one of this.#book.former) {
      const mailbox = module.contactMailbox(one.key, publicKey)
      former.set(mailbox, one)
      byServer.set(one.server, [...(byServer.get(one.server) ?? []), mailbox])
    }
    this.#mailboxes = owners
    this.#formerMailboxes = former
    this.#listener.listen(isReachable() ? byServer : new Map())
  }
}

const apart = appError(
  'E_BAD_ARGUMENT',
  'These contacts use different servers. Send to them one at a time.',
)
const notOffered = appError('E_BAD_ARGUMENT', 'This is no longer offered.')
