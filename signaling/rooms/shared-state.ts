/** All that the nodes of one service have in common; a service of one node has it in memory. */
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

/** What one node brings along, and what can be asked of it. */
export type Node = {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly metrics: Pick<ServerMetrics, 'storeTime' | 'storeTroubles'>
  /** Nodes that share their state take each other's passes. */
  readonly passes: Passes
  readonly rules: {
    readonly allowances: AllowanceRules
    readonly mailboxes: MailboxRules
    readonly rooms: RoomRules
  }
  /** Brings effects to sockets of this node, in this order. */
  readonly deliver: (effects: readonly Effect[]) => void
  /** Ends every socket, as the other nodes have forgotten them; their clients come again at once. */
  readonly dismiss: () => void
  /** Takes all for whom `isGone` is true out of the room of this nameplate. */
  readonly release: (nameplate: string, isGone: (who: ConnectionId) => boolean) => Promise<unknown>
}

/** What nodes share. */
export interface SharedState {
  readonly rooms: RoomStore
  readonly mailboxes: MailboxBook
  readonly allowances: Allowances
  /** The time by which all nodes go. */
  readonly clock: Clock
  /** How many nodes there are. */
  readonly nodes: number
  /** Brings effects that are no change of a room to sockets of any node; to some of them perhaps not. */
  pass(effects: readonly Effect[]): void
  /** A name for a socket of this node that no other socket of any node ever has. */
  connectionId(): ConnectionId
  /** Resolves when the state can be used, or when it is known that it can't be yet. */
  start(): Promise<void>
  /** This node goes, after all of its sockets. */
  close(): Promise<void>
}

/** Makes the state for one node. */
export type StateFactory = (node: Node) => SharedState

/** The state of a service that is one process, and ends with it but for what `store` keeps. */
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
