/** The state that all nodes of one service share; a single node keeps it in memory. */
import type { Clock } from '#signaling/clock'
import {
  type AllowanceRules,
  type Allowances,
  InMemoryAllowances,
} from '#signaling/limits/allowances'
import type { Log } from '#signaling/log'
import type { ServerMetrics } from '#signaling/metrics/server-metrics'
import type { Random } from '#signaling/random'
import { InMemoryMailboxes, type MailboxBook } from '#signaling/rooms/mailbox-book'
import type { MailboxRules } from '#signaling/rooms/mailboxes'
import { MemoryStore } from '#signaling/rooms/memory-store'
import type { Passes } from '#signaling/rooms/passes'
import type { RoomStore } from '#signaling/rooms/room-store'
import type { ConnectionId, Effect, RoomRules } from '#signaling/rooms/rooms'

/** A node's contribution to the shared state, and the calls that it accepts. */
export type Node = {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly metrics: Pick<ServerMetrics, 'storeTime' | 'storeErrors'>
  /** Nodes that share their state accept each other's passes. */
  readonly passes: Passes
  readonly rules: {
    readonly allowances: AllowanceRules
    readonly mailboxes: MailboxRules
    readonly rooms: RoomRules
  }
  /** Delivers effects to sockets of this node, in this order. */
  readonly deliver: (effects: readonly Effect[]) => void
  /** Ends every socket after the other nodes have dropped this one; the clients reconnect immediately. */
  readonly dismiss: () => void
  /** Removes all participants for which `isGone` is true from the room of this nameplate. */
  readonly release: (nameplate: string, isGone: (who: ConnectionId) => boolean) => Promise<unknown>
}

/** The state that nodes share. */
export interface SharedState {
  readonly rooms: RoomStore
  readonly mailboxes: MailboxBook
  readonly allowances: Allowances
  /** The common time of all nodes. */
  readonly clock: Clock
  readonly nodes: number
  /** Delivers effects that don't change a room to sockets of any node, without a guarantee. */
  pass(effects: readonly Effect[]): void
  /** A unique id for a socket of this node, across all nodes and times. */
  connectionId(): ConnectionId
  /** Resolves once the state is usable, or known to be unavailable. */
  start(): Promise<void>
  /** Removes this node, after all of its sockets. */
  close(): Promise<void>
}

/** Makes the state for one node. */
export type StateFactory = (node: Node) => SharedState

/** The state of a single process, which is lost with it unless `store` keeps it. */
export const inMemoryState =
  (store: RoomStore = new MemoryStore()): StateFactory =>
  ({ clock, random, deliver, rules }) => {
    store.deliver = deliver
    return {
      rooms: store,
      mailboxes: new InMemoryMailboxes(rules.mailboxes, deliver),
      allowances: new InMemoryAllowances(rules.allowances, clock),
      clock,
      nodes: 1,
      pass: deliver,
      connectionId: () => random.bytes(8).toString('hex') as ConnectionId,
      start: () => Promise.resolve(),
      close: () => Promise.resolve(),
    }
  }
