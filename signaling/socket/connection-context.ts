/** The objects that connections share, and the limits of each connection. */
import type { WebLimits } from '#shared/signaling/messages'
import type { ChannelKey } from '#shared/signaling/secure-channel'
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
import type { PendingCloses } from '#signaling/socket/pending-closes'
import type { ServerRelays } from '#signaling/socket/server-relays'
import type { TurnService } from '#signaling/socket/turn-service'

/** Limits of one socket; times in ms. */
export type ConnectionRules = {
  /** Time to the first `host`, `join` or `listen`. */
  readonly silentMs: number
  /** The same for a place reserved for returning hosts and receivers. */
  readonly reservedSilentMs: number
  /** Time from the beginning of a message to its end. */
  readonly messageMs: number
  /** A ping is sent after two thirds of this time without data from the client. */
  readonly idleMs: number
  /** Time for a client to answer a close. */
  readonly closingMs: number
  /** Bytes waiting for a client that doesn't read, and of its messages waiting for processing. */
  readonly maxBufferedBytes: number
  /**
   * Limit for the bytes waiting for a host when a joiner sends more; less than `maxBufferedBytes`, so that
   * no joiner ends the host's socket.
   */
  readonly joinersBufferedBytes: { readonly strangers: number; readonly others: number }
  readonly messages: Rate
  readonly joiners: JoinerRules
}

/** The objects that all connections of a server share. */
export type ConnectionContext = {
  readonly rules: ConnectionRules
  readonly rendezvous: Rendezvous
  readonly mailboxes: MailboxBook
  /** Ends of sockets that haven't been reported to the two above. */
  readonly pendingCloses: PendingCloses
  readonly passes: Passes
  /** `null` without a TURN server. */
  readonly turn: TurnService | null
  readonly serverRelays: ServerRelays
  /** Limits for pages, which each client is told; absent if there is no page, or on the local network. */
  readonly web: WebLimits | undefined
  readonly admission: Admission
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly nameAddress: NameAddress
  readonly metrics: ServerMetrics
  /** Marks this connection as a host whose shares joiners on the local network may find. */
  readonly hostsVisibly: (id: ConnectionId) => void
  /** Delivers effects to their connections, on any node. */
  readonly deliver: (effects: readonly Effect[]) => void
}

/** The origin of a connection. */
export type ConnectionOrigin = {
  /** The key of `addressKey`. */
  readonly address: string
  /** True if only returning hosts and receivers may stay. */
  readonly isReserved: boolean
  /** True for another computer at a server that hosts only this computer's shares; it may only join. */
  readonly isGuest: boolean
  /** True for this server's page in a browser; it may only join. */
  readonly isPage: boolean
}

/** A connection's own facts. */
export type ConnectionFacts = ConnectionOrigin & {
  readonly id: ConnectionId
  /** True if the upgrade contained a `join`. */
  readonly joins: boolean
  /** The server's key for sealing. */
  readonly key: ChannelKey
}
