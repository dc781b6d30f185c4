/** The interface of mailboxes for sockets, whether one process keeps them or several nodes share them. */
import { Mailboxes, type MailboxRules } from '#signaling/rooms/mailboxes'
import type { ConnectionId, Effect } from '#signaling/rooms/rooms'

/**
 * The listeners of mailboxes. Effects reach sockets in the order of the calls. Rejects with a `StoreError`
 * if the store fails.
 */
export interface MailboxBook {
  /** Replaces the rules; existing listeners stay. */
  set rules(rules: MailboxRules)
  /** The number of mailboxes that all sockets of this node together requested. */
  readonly total: number
  /** The maximum for all nodes together. */
  readonly limit: number
  /** Makes `who` listen on exactly these mailboxes and sends it the result, which may be that there are too many. */
  listen(who: ConnectionId, address: string, mailboxes: readonly string[]): Promise<void>
  /**
   * Sends `body`, and a pass to the nameplate of `sender`, to all listeners of `mailbox`. Returns, and tells
   * `sender`, if there were any.
   */
  notify(sender: ConnectionId, mailbox: string, body: string, pass: string | null): Promise<boolean>
  /** Stops `who` from listening. */
  drop(who: ConnectionId): Promise<void>
}

/** The mailboxes of one process. */
export class InMemoryMailboxes implements MailboxBook {
  readonly #mailboxes: Mailboxes
  readonly #deliver: (effects: readonly Effect[]) => void

  constructor(rules: MailboxRules, deliver: (effects: readonly Effect[]) => void) {
    this.#mailboxes = new Mailboxes(rules)
    this.#deliver = deliver
  }

  set rules(rules: MailboxRules) {
    this.#mailboxes.rules = rules
  }

  get total(): number {
    return this.#mailboxes.total
  }

  get limit(): number {
    return this.#mailboxes.limit
  }

  listen(who: ConnectionId, address: string, mailboxes: readonly string[]): Promise<void> {
    this.#deliver(this.#mailboxes.listen(who, address, mailboxes))
    return Promise.resolve()
  }

  notify(
    sender: ConnectionId,
    mailbox: string,
    body: string,
    pass: string | null,
  ): Promise<boolean> {
    const isHeard = this.#mailboxes.isHeard(mailbox)
    this.#deliver(this.#mailboxes.notify(sender, mailbox, body, pass))
    return Promise.resolve(isHeard)
  }

  drop(who: ConnectionId): Promise<void> {
    this.#mailboxes.drop(who)
    return Promise.resolve()
  }
}
