/**
 * Who listens on which mailbox: names that two contacts made from a key of theirs, by which they
 * find each other without a code. Known only while a socket listens; nothing is kept for later.
 */
import { AddressCounter } from '#signaling/limits/counter'
import type { ConnectionId, Effect } from '#signaling/rooms/rooms'
import { isLoopback } from '#signaling/socket/address'

/** How much may be listened on. */
export type MailboxRules = {
  /** Sockets on one mailbox: one person's computers. */
  readonly maxListeners: number
  /** Mailboxes of all sockets together. */
  readonly maxTotal: number
  /** Mailboxes of one address; networks have multiples, see `networksOf`. */
  readonly maxPerAddress: number
  /** This computer's own addresses count only in `maxTotal`. */
  readonly trustLoopback: boolean
}

/** What one socket listens on. */
type Subscription = { readonly address: string; readonly mailboxes: ReadonlySet<string> }

/** The mailboxes of one process. */
export class Mailboxes {
  #rules: MailboxRules
  /** Those who listen on a mailbox, the newest last; none is empty. */
  readonly #listeners = new Map<string, readonly ConnectionId[]>()
  /** What a socket asked for, also where newer ones took its place. */
  readonly #subscriptions = new Map<ConnectionId, Subscription>()
  readonly #byAddress = new AddressCounter()
  #total = 0

  constructor(rules: MailboxRules) {
    this.#rules = rules
  }

  /** From now on other rules; who listens already still does. */
  set rules(rules: MailboxRules) {
    this.#rules = rules
  }

  /** How many mailboxes all sockets together asked for. */
  get total(): number {
    return this.#total
  }

  /** How many that may be. */
  get limit(): number {
    return this.#rules.maxTotal
  }

  /** Whether anybody listens on this mailbox. */
  isHeard(mailbox: string): boolean {
    return this.#listeners.has(mailbox)
  }

  /** From now on `who` listens on these and no others; where too many listen, the oldest no longer does. */
  listen(who: ConnectionId, address: string, mailboxes: readonly string[]): readonly Effect[] {
    this.drop(who)
    const { maxTotal, maxPerAddress, trustLoopback } = this.#rules
    const wanted = new Set(mailboxes)
    const isExempt = trustLoopback && isLoopback(address)
    const fits = isExempt || this.#byAddress.fits(address, maxPerAddress, wanted.size)
    if (!fits || this.#total + wanted.size > maxTotal) {
      return [{ type: 'refuse', to: who, code: 'E_SERVER_BUSY' }]
    }
    this.#subscriptions.set(who, { address, mailboxes: wanted })
    this.#byAddress.add(address, wanted.size)
    this.#total += wanted.size
    for (const mailbox of wanted) {
      const others = this.#listeners.get(mailbox) ?? []
      this.#listeners.set(mailbox, [...others, who].slice(-this.#rules.maxListeners))
    }
    return [{ type: 'send', to: who, message: { t: 'listening' } }]
  }

  /**
   * Passes `body`, and a pass to where `sender` is, to all who listen on `mailbox`, and tells `sender`
   * whether there was anybody.
   */
  notify(
    sender: ConnectionId,
    mailbox: string,
    body: string,
    pass: string | null = null,
  ): readonly Effect[] {
    const listeners = this.#listeners.get(mailbox) ?? []
    const message = { t: 'notify', mailbox, body, ...(pass === null ? {} : { pass }) } as const
    return [
      ...listeners.map((to): Effect => ({ type: 'send', to, message })),
      {
        type: 'send',
        to: sender,
        message: { t: 'notified', mailbox, reached: listeners.length > 0 },
      },
    ]
  }

  /** `who` no longer listens. */
  drop(who: ConnectionId): void {
    const subscription = this.#subscriptions.get(who)
    if (subscription === undefined) return
    const { address, mailboxes } = subscription
    this.#subscriptions.delete(who)
    this.#byAddress.remove(address, mailboxes.size)
    this.#total -= mailboxes.size
    for (const mailbox of mailboxes) {
      const left = (this.#listeners.get(mailbox) ?? []).filter((other) => other !== who)
      if (left.length > 0) this.#listeners.set(mailbox, left)
      else this.#listeners.delete(mailbox)
    }
  }
}
