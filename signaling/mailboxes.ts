/**
 * Who listens on which mailbox: names that two contacts made from a key of theirs, by which they
 * find each other without a code. Known only while a socket listens; nothing is kept for later.
 */
import type { ConnectionId, Effect } from '#signaling/rooms'

/** How much may be listened on. */
export type MailboxRules = {
  /** Sockets on one mailbox: one person's computers. */
  readonly maxListeners: number
  /** Mailboxes of all sockets together. */
  readonly maxTotal: number
}

/** The mailboxes of one process. */
export class Mailboxes {
  readonly #rules: MailboxRules
  /** Those who listen on a mailbox, the newest last; none is empty. */
  readonly #listeners = new Map<string, readonly ConnectionId[]>()
  /** What a socket asked for, also where newer ones took its place. */
  readonly #mailboxes = new Map<ConnectionId, ReadonlySet<string>>()
  #total = 0

  constructor(rules: MailboxRules) {
    this.#rules = rules
  }

  /** How many mailboxes all sockets together asked for. */
  get total(): number {
    return this.#total
  }

  /** From now on `who` hears these and no others; where too many listen, the oldest no longer does. */
  listen(who: ConnectionId, mailboxes: readonly string[]): readonly Effect[] {
    this.drop(who)
    const wanted = new Set(mailboxes)
    if (this.#total + wanted.size > this.#rules.maxTotal) {
      return [{ type: 'refuse', to: who, code: 'E_SERVER_BUSY' }]
    }
    this.#mailboxes.set(who, wanted)
    this.#total += wanted.size
    for (const mailbox of wanted) {
      const others = this.#listeners.get(mailbox) ?? []
      this.#listeners.set(mailbox, [...others, who].slice(-this.#rules.maxListeners))
    }
    return [{ type: 'send', to: who, message: { t: 'listening' } }]
  }

  /** Passes `body` to all who listen on `mailbox`, and tells `sender` whether there was anybody. */
  ring(sender: ConnectionId, mailbox: string, body: string): readonly Effect[] {
    const listeners = this.#listeners.get(mailbox) ?? []
    return [
      ...listeners.map((to): Effect => ({
        type: 'send',
        to,
        message: { t: 'ring', mailbox, body },
      })),
      { type: 'send', to: sender, message: { t: 'rung', mailbox, reached: listeners.length > 0 } },
    ]
  }

  /** `who` hears nothing any more. */
  drop(who: ConnectionId): void {
    const mailboxes = this.#mailboxes.get(who) ?? new Set<string>()
    this.#mailboxes.delete(who)
    this.#total -= mailboxes.size
    for (const mailbox of mailboxes) {
      const left = (this.#listeners.get(mailbox) ?? []).filter((other) => other !== who)
      if (left.length > 0) this.#listeners.set(mailbox, left)
      else this.#listeners.delete(mailbox)
    }
  }
}
