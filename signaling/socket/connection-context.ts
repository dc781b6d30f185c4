/** What connections share, and what bounds each of them. */
import type { LineKey } from '#shared/signaling/sealed-line'
import type { Clock } from '#signaling/clock'
import type { Admission } from '#signaling/limits/admission'
import type { JoinerRules } from '#signaling/limits/joiner-bounds'
import type { Rate } from '#signaling/limits/rate-limiter'
import type { Log } from '#signaling/log'
import type { ServerMetrics } from '#signaling/metrics/server-metrics'
import type { Random } from '#signaling/random'
import type { MailboxBook } from '#signaling/rooms/mailbox-book'
import type { Passes } from '#signaling/rooms/passes'
import type { Rendezvous } from '#signaling/rooms/rendezvous'
import type { ConnectionId, Effect } from '#signaling/rooms/rooms'
import type { NameAddress } from '#signaling/socket/address-names'
import type { Detours } from '#signaling/socket/detours'
import type { PendingCloses } from '#signaling/socket/pending-closes'
import type { TurnService } from '#signaling/socket/turn-service'

/** Bounds of one socket; times in ms. */
export type ConnectionRules = {
  /** Until the first `host`, `join` or `listen`. */
  readonly silentMs: number
  /** The same in a place that is reserved for returning hosts and receivers. */
  readonly reservedSilentMs: number
  /** From the beginning of a message to its end. */
  readonly messageMs: number
  /** A ping is sent after two thirds of this time without data from the client. */
  readonly idleMs: number
  /** How long a client may take to answer a close. */
  readonly closingMs: number
  /** Bytes that wait for a client that doesn't read, and of its messages whose turn has yet to come. */
  readonly maxBufferedBytes: number
  /**
   * As much as may wait for a host when a joiner has something for it; less than `maxBufferedBytes`, so
   * that no joiner ends the host's socket.
   */
  readonly joinersBufferedBytes: { readonly strangers: number; readonly others: number }
  readonly messages: Rate
  readonly joiners: JoinerRules
}

/** What all connections of a server share. */
export type ConnectionContext = {
  readonly rules: ConnectionRules
  readonly rendezvous: Rendezvous
  readonly mailboxes: MailboxBook
  /** What sockets that ended have yet to tell the two above. */
  readonly pendingCloses: PendingCloses
  readonly passes: Passes
  /** `null` when there is no relay to give access to. */
  readonly turn: TurnService | null
  readonly detours: Detours
  readonly admission: Admission
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly nameAddress: NameAddress
  readonly metrics: ServerMetrics
  /** From now to its end this connection hosts what joiners of the local network may find. */
  readonly hostsVisibly: (id: ConnectionId) => void
  /** Brings effects to the connections that they are meant for, on whatever node. */
  readonly deliver: (effects: readonly Effect[]) => void
}

/** What a connection knows about itself. */
export type Place = {
  readonly id: ConnectionId
  /** See `addressKey`. */
  readonly address: string
  /** Only returning hosts and receivers may stay. */
  readonly isReserved: boolean
  /** From another computer, at a server that hosts only this one's shares: it may join, no more. */
  readonly isGuest: boolean
  /** The server's, for what is sealed. */
  readonly key: LineKey
}
