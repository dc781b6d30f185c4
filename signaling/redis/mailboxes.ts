/** Mailboxes that nodes share: a notification on any node finds a socket on any other. */
import type { RedisLink } from '#signaling/redis/link'
import type { Member } from '#signaling/redis/member'
import { nodeOf } from '#signaling/redis/outbox'
import type { MailboxBook } from '#signaling/rooms/mailbox-book'
import type { MailboxRules } from '#signaling/rooms/mailboxes'
import type { ConnectionId, Effect } from '#signaling/rooms/rooms'
import { StoreError } from '#signaling/rooms/store-error'
import { isLoopback, networksOf } from '#signaling/socket/address'

/** The listeners of mailboxes, kept in Redis. */
export class RedisMailboxes implements MailboxBook {
  #rules: MailboxRules
  readonly #link: RedisLink
  readonly #member: Member
  readonly #keepMs: number
  /** The mailboxes of each socket of this node. */
  readonly #own = new Map<ConnectionId, readonly string[]>()

  constructor(rules: MailboxRules, link: RedisLink, member: Member, keepMs: number) {
    this.#rules = rules
    this.#link = link
    this.#member = member
    this.#keepMs = keepMs
  }

  set rules(rules: MailboxRules) {
    this.#rules = rules
  }

  get total(): number {
    let total = 0
    for (const { length } of this.#own.values()) total += length
    return total
  }

  get limit(): number {
    return this.#rules.maxTotal
  }

  /** Forgets the node's sockets, which have all ended. */
  forget(): void {
    this.#own.clear()
  }

  /** Extends the expiry of mailboxes whose sockets have been open for days; call it daily. */
  async refresh(): Promise<void> {
    for (const mailboxes of [...this.#own.values()]) {
      await this.#link.run('refresh', [this.#keepMs, ...mailboxes])
    }
  }

  async listen(who: ConnectionId, address: string, mailboxes: readonly string[]): Promise<void> {
    this.#member.mustBeIn()
    const { maxListeners, maxTotal, maxPerAddress, trustLoopback } = this.#rules
    const isExempt = trustLoopback && isLoopback(address)
    const networks = networksOf(address)
    const wanted = [...new Set(mailboxes)]
    const kept = { networks: networks.map(({ key }) => key), mailboxes: wanted }
    this.#own.delete(who)
    const [state, seq] = await this.#link.run('listen', [
      ...[this.#member.id, this.#member.newName(), who, maxListeners, maxTotal],
      ...[isExempt ? '' : maxPerAddress, JSON.stringify(kept)],
      effectsOf({ type: 'send', to: who, message: { t: 'listening' } }),
      effectsOf({ type: 'refuse', to: who, code: 'E_SERVER_BUSY' }),
      this.#keepMs,
      ...networks.flatMap(({ key, worth }) => [key, worth]),
    ])
    if (state === 'evicted') throw this.#evicted()
    if (state === 'kept') this.#own.set(who, wanted)
    await this.#member.delivered(Number(seq))
  }

  async notify(
    sender: ConnectionId,
    mailbox: string,
    body: string,
    pass: string | null,
  ): Promise<boolean> {
    this.#member.mustBeIn()
    const answer = (reached: boolean): string =>
      effectsOf({ type: 'send', to: sender, message: { t: 'notified', mailbox, reached } })
    const message = { t: 'notify', mailbox, body, ...(pass === null ? {} : { pass }) }
    const [state, seq, reached] = await this.#link.run('notify', [
      ...[this.#member.id, this.#member.newName(), mailbox, JSON.stringify(message)],
      ...[answer(true), answer(false)],
    ])
    if (state === 'evicted') throw this.#evicted()
    await this.#member.delivered(Number(seq))
    return reached === 1
  }

  async drop(who: ConnectionId): Promise<void> {
    this.#own.delete(who)
    this.#member.mustBeIn()
    await this.#link.run('unlisten', [nodeOf(who), who])
  }

  #evicted(): StoreError {
    this.#member.lose()
    return new StoreError('evicted')
  }
}

const effectsOf = (effect: Effect): string => JSON.stringify([effect])
