/** Mailboxes as sockets see them, whether one process keeps them or several nodes share them. */
import { Mailboxes, type MailboxRules } from '#signaling/rooms/mailboxes'
import type { ConnectionId, Effect } from '#signaling/rooms/rooms'

/**
 * Who listens on which mailbox. What that means for sockets is brought to them in the order of what was
 * asked for. Rejects with a `StoreError` when it can't be done.
 */
export interface MailboxBook {
  /** From now on other rules; who listens already still does. */
  set rules(rules: MailboxRules)
  /** How many mailboxes all sockets of this node together asked for. */
  readonly total: number
  /** How many all nodes together may have. */
  readonly limit: number
  /** From now on `who` listens on these and no others, and is told so, or that there are too many. */
  listen(who: ConnectionId, address: string, mailboxes: readonly string[]): Promise<void>
  /**
   * Passes `body`, and a pass to where `sender` is, to all who listen on `mailbox`; says, and tells
   * `sender`, whether there was anybody.
   */
  notify(sender: ConnectionId, mailbox: string, body: string, pass: string | null): Promise<boolean>
  /** `who` no longer listens. */
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
