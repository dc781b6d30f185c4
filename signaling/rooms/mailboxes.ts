/**
 * Listeners of mailboxes: names that two contacts derive from a shared key, by which they find each
 * other without a code. A mailbox exists only while a socket listens; nothing is stored.
 */
import { AddressCounter } from '#signaling/limits/counter'
import type { ConnectionId, Effect } from '#signaling/rooms/rooms'
import { isLoopback } from '#signaling/socket/address'

/** Limits for mailboxes. */
export type MailboxRules = {
  /** Sockets on one mailbox, which are one person's computers. */
  readonly maxListeners: number
  /** Mailboxes of all sockets together. */
  readonly maxTotal: number
  /** Mailboxes of one address; networks have multiples, see `networksOf`. */
  readonly maxPerAddress: number
  /** Counts this computer's own addresses only in `maxTotal`. */
  readonly trustLoopback: boolean
}

type Subscription = { readonly address: string; readonly mailboxes: ReadonlySet<string> }

/** The mailboxes of one process. */
export class Mailboxes {
  #rules: MailboxRules
  /** Listeners by mailbox, newest last; never an empty list. */
  readonly #listeners = new Map<string, readonly ConnectionId[]>()
  /** The mailboxes that a socket requested, even if newer listeners replaced it. */
  readonly #subscriptions = new Map<ConnectionId, Subscription>()
  readonly #byAddress = new AddressCounter()
  #total = 0

  constructor(rules: MailboxRules) {
    this.#rules = rules
  }

  /** Replaces the rules; existing listeners stay. */
  set rules(rules: MailboxRules) {
    this.#rules = rules
  }

  /** The number of mailboxes that all sockets together requested. */
  get total(): number {
    return this.#total
  }

  /** The maximum of `total`. */
  get limit(): number {
    return this.#rules.maxTotal
  }

  /** True if a socket listens on this mailbox. */
  isHeard(mailbox: string): boolean {
    return this.#listeners.has(mailbox)
  }

  /** Makes `who` listen on exactly these mailboxes; a full mailbox drops its oldest listener. */
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
   * Sends `body`, and a pass to the nameplate of `sender`, to all listeners of `mailbox`, and tells
   * `sender` if there were any.
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

  /** Stops `who` from listening. */
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
