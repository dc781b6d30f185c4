/** The state of a service of several nodes, shared through Redis or Valkey. */
import { type Clock, systemClock } from '#signaling/clock'
import { RedisAllowances } from '#signaling/redis/allowances'
import { type LinkOptions, RedisLink } from '#signaling/redis/link'
import { RedisMailboxes } from '#signaling/redis/mailboxes'
import { Member, type Timings, usualTimings } from '#signaling/redis/member'
import { byNode, nodeOf } from '#signaling/redis/outbox'
import { RedisRooms } from '#signaling/redis/rooms'
import type { ConnectionId, Effect } from '#signaling/rooms/rooms'
import type { Node, SharedState, StateFactory } from '#signaling/rooms/shared-state'

/** Options for tests. */
export type RedisStateOptions = {
  readonly timings?: Partial<Timings>
  /** The clock for sessions, replacing Redis' time. */
  readonly clock?: Clock
  /** Nodes with another prefix form another service. */
  readonly prefix?: string
}

/** The number separates versions with different data; the braces let sharding proxies keep all keys together. */
const usualPrefix = '{thru1}:'

/** A node's access to the state in the Redis at `url`. */
export const redisState =
  (
    url: string,
    { timings = {}, clock, prefix = usualPrefix }: RedisStateOptions = {},
  ): StateFactory =>
  (node) =>
    new RedisState({ url, prefix }, node, { ...usualTimings, ...timings }, clock ?? null)

class RedisState implements SharedState {
  readonly rooms: RedisRooms
  readonly mailboxes: RedisMailboxes
  readonly allowances: RedisAllowances
  readonly clock: Clock
  readonly #node: Node
  readonly #link: RedisLink
  readonly #member: Member
  readonly #timings: Timings
  #isBurying = false
  #cancelRefresh: () => void = () => undefined

  constructor(
    place: Pick<LinkOptions, 'url' | 'prefix'>,
    node: Node,
    timings: Timings,
    clock: Clock | null,
  ) {
    const { rules, metrics } = node
    this.#node = node
    this.#timings = timings
    this.#link = new RedisLink({ ...place, ...timings }, systemClock, metrics)
    this.#member = new Member(this.#link, node, timings, systemClock, {
      onRenamed: () => this.#onRenamed(),
      onDead: (nodes) => void this.#release(nodes),
    })
    this.clock = clock ?? {
      now: () => systemClock.now() + this.#member.offset,
      wallTime: () => systemClock.wallTime(),
      after: (delayMs, run) => systemClock.after(delayMs, run),
    }
    this.rooms = new RedisRooms(this.#link, this.#member, systemClock)
    this.rooms.deliver = node.deliver
    this.mailboxes = new RedisMailboxes(rules.mailboxes, this.#link, this.#member, timings.keepMs)
    this.allowances = new RedisAllowances(rules.allowances, this.#link, this.clock)
  }

  get nodes(): number {
    return this.#member.nodes
  }

  pass(effects: readonly Effect[]): void {
    const own = this.#member.id
    const near = effects.filter(({ to }) => nodeOf(to) === own)
    const far = effects.filter(({ to }) => nodeOf(to) !== own)
    if (near.length > 0) this.#node.deliver(near)
    if (far.length === 0) return
    const op = this.#member.newName()
    this.#link.run('pass', [own, op, ...byNode(far)]).catch(() => undefined)
  }

  connectionId(): ConnectionId {
    return `${this.#member.id}${this.#member.newName()}` as ConnectionId
  }

  start(): Promise<void> {
    this.#armRefresh()
    return this.#member.start()
  }

  close(): Promise<void> {
    this.#cancelRefresh()
    return this.#member.close()
  }

  /** Refreshes often enough to survive a few failures. */
  #armRefresh(): void {
    this.#cancelRefresh = systemClock.after(this.#timings.keepMs / 9, () => {
      this.#armRefresh()
      this.mailboxes.refresh().catch(() => undefined)
    })
  }

  #onRenamed(): void {
    this.rooms.forget()
    this.mailboxes.forget()
    this.#node.dismiss()
  }

  /** Removes the sockets of dead nodes from rooms; other nodes may do the same at the same time. */
  async #release(nodes: readonly string[]): Promise<void> {
    if (this.#isBurying) return
    this.#isBurying = true
    try {
      for (const node of nodes) await this.#buryOne(node)
    } catch {
      // The next renewal reports it again.
    } finally {
      this.#isBurying = false
    }
  }

  async #buryOne(node: string): Promise<void> {
    for (;;) {
      const [nameplates, listens] = (await this.#link.run('remains', [node])) as readonly string[][]
      if (nameplates === undefined || listens === undefined) return
      if (nameplates.length + listens.length === 0) {
        this.#node.log({ event: 'released' })
        return
      }
      for (const nameplate of nameplates) {
        await this.#node.release(nameplate, (who) => nodeOf(who) === node)
        await this.#link.run('unassign', [node, nameplate])
      }
      for (const who of listens) await this.#link.run('unlisten', [node, who])
    }
  }
}
