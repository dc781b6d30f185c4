/** The bounds that nobody sets, each with its reason, and the rules that follow from a config. */
import type { ServerConfig } from '#signaling/config/server-config'
import type { AdmissionRules } from '#signaling/limits/admission'
import type { Rate } from '#signaling/limits/rate-limiter'
import type { MailboxRules } from '#signaling/rooms/mailboxes'
import type { RendezvousRules } from '#signaling/rooms/rendezvous'
import type { ConnectionRules } from '#signaling/socket/connection-context'
import type { DetoursRules } from '#signaling/socket/detours'

const minuteMs = 60_000

/** What HTTP takes before a socket is a WebSocket. */
export const httpLimits = {
  /** From the TCP connection to the upgrade: one round trip, with room for a bad network. */
  handshakeMs: 5000,
  /** Every answer ends its connection; this is for a client that keeps its half open. */
  keepAliveMs: 5000,
  /** A WebSocket client sends about ten headers. */
  headers: 50,
  headerBytes: 16 * 1024,
  /** TCP connections that are not yet WebSockets, besides the sockets of the config. */
  handshakes: 5000,
} as const

/** How often deadlines of sockets are looked at; all of them are much longer. */
export const tickMs = 1000

/** How often ended sessions are swept; what they answer doesn't wait for it. */
export const sweepMs = 30_000

/** How long new sockets are given the same key of the server. */
export const keyMs = 60 * minuteMs

/** How long the store may take to say how full it is before it counts as failed. */
export const storeMs = 2000

/** Long enough for a closing handshake around the world, short enough for a service's stop. */
export const drainMs = 3000

/** The most that a setting may give a node to let its clients go, s. */
export const maxDrainSeconds = 300

/** Rules of the sessions. */
export const rendezvousRules = (config: ServerConfig): RendezvousRules => ({
  maxSessions: config.maxSessions,
  maxSessionsPerAddress: config.maxSessionsPerAddress,
  trustLoopback: config.trustLoopback,
  maxReceivers: config.maxReceiversPerSender,
  /** All pair when their host is back: some ten of its messages each, about what its socket may save. */
  maxWaiting: Math.min(config.maxReceiversPerSender, 64),
  /** The first message of a pairing has 159, and may grow. */
  maxWaitingChars: 1024,
  sessionMs: config.sessionTimeout * 1000,
  /** A sender's computer restarts or changes networks within this time. */
  graceMs: 10 * minuteMs,
  /** As long as a session may last: nobody still holds an old code then. */
  restMs: 24 * 60 * minuteMs,
  /** Joins of one nameplate by strangers: enough for a hall full of receivers, twelve times what one address may. */
  joins: { perMinute: 120, burst: 120 },
})

/** Rules of the mailboxes: on average ten contacts for each socket, some 300 bytes each. */
export const mailboxRules = (config: ServerConfig): MailboxRules => ({
  maxListeners: 4,
  maxTotal: 10 * config.maxWsConnections,
  maxPerAddress: config.maxMailboxesPerAddress,
  trustLoopback: config.trustLoopback,
})

/** Sockets for which the rates of all together are meant, see `inAll`. */
const usualSockets = 20_000

/**
 * What all may do together: far less than one core answers (docs/performance.md#signaling-server), and more for who
 * makes room for more sockets than usual.
 */
function inAll({ maxWsConnections }: ServerConfig, perMinute: number, burst: number): Rate {
  const worth = Math.max(1, maxWsConnections / usualSockets)
  return { perMinute: perMinute * worth, burst: burst * worth }
}

/**
 * Wrong passwords of one address: far more than the people of an office whose password was just replaced, and far
 * fewer than guessing takes. There is no bound in all, which strangers would use up for those who know one.
 */
export const passwordTries: Rate = { perMinute: 30, burst: 60 }

/** Rules by address and for the whole node. */
export const admissionRules = (config: ServerConfig): AdmissionRules => ({
  maxSockets: config.maxWsConnections,
  /** Running shares must not depend on who else wants to join. */
  reservedSockets: Math.floor(config.maxWsConnections / 10),
  maxSocketsPerAddress: config.maxWsConnectionsPerAddress,
  connections: {
    each: { perMinute: config.wsConnectionsPerMin, burst: config.wsConnectionsBurst },
    /** Who was in may come back at once, when a network is back. */
    all: inAll(config, 60_000, usualSockets),
  },
  hosts: {
    each: { perMinute: config.sessionCreatesPerMin, burst: config.sessionCreatesBurst },
    all: inAll(config, 3000, 1000),
  },
  joins: {
    each: { perMinute: config.joinsPerMin, burst: config.joinsBurst },
    all: inAll(config, 12_000, 3000),
  },
  /** Who joins now and then has an allowance beside the one that many who join all the time can use up. */
  seldomJoins: { each: { perMinute: 0.2, burst: 2 }, all: inAll(config, 12_000, 3000) },
  /** A room full of receivers at once; one address alone never uses up what a nameplate takes. */
  joinsPerNameplate: {
    each: { perMinute: 10, burst: 30 },
    all: inAll(config, 12_000, 3000),
  },
  /** A line that breaks every few seconds. */
  returns: { perMinute: 10, burst: 10 },
  /** People mistype; who tries numbers one after the other needs thousands. */
  misses: { each: { perMinute: 10, burst: 10 }, all: inAll(config, 6000, 2000) },
  /** Once for each start of the app and each new contact. */
  listens: { each: { perMinute: 50, burst: 50 }, all: inAll(config, 12_000, 3000) },
  /** A person invites some contacts at once; nobody needs to be notified more often. */
  notifications: { each: { perMinute: 30, burst: 30 }, all: inAll(config, 12_000, 3000) },
  grants: {
    each: {
      perMinute: config.turnGrantsPerHour / 60,
      burst: Math.ceil(config.turnGrantsPerHour / 2),
    },
    /** Some five a second: a relay of one machine carries far fewer than that. */
    all: { perMinute: 20_000 / 60, burst: 5000 },
  },
  trustLoopback: config.trustLoopback,
})

/** Rules of relays of last resort. */
export const detoursRules = (config: ServerConfig): DetoursRules => ({
  most: config.detours,
  /** Sides, of which an office behind one address has many, and nobody alone takes all. */
  maxPerAddress: Math.max(4, Math.ceil(config.detours / 8)),
  /** Each may be one of a detour of its own. */
  maxPerNetwork: Math.max(4, Math.ceil(config.detours / 2)),
  /** From the grant on two sides look for a way for at most half a minute. */
  ticketMs: 2 * minuteMs,
  bytesPerSecond: config.detourBytesPerSec,
  bytes: config.detourBytes,
  /** Both come within seconds of each other, or one of them has found another way. */
  waitMs: 30_000,
  lifeMs: 6 * 60 * minuteMs,
  idleMs: config.wsIdleTimeout * 1000,
  closingMs: 5000,
})

/** Rules of one socket. */
export const connectionRules = (config: ServerConfig): ConnectionRules => ({
  silentMs: 10_000,
  /** Those who reconnect speak at once; a place of the reserve must not wait for anybody else. */
  reservedSilentMs: 3000,
  /** The longest message over the slowest mobile network. */
  messageMs: 20_000,
  idleMs: config.wsIdleTimeout * 1000,
  closingMs: 5000,
  maxBufferedBytes: 256 * 1024,
  /** A burst of honest pairings fits, and whoever was let in or invited has room beside strangers. */
  joinersBufferedBytes: { strangers: 128 * 1024, others: 192 * 1024 },
  messages: { perMinute: config.wsMessagesPerSec * 60, burst: config.wsMessagesBurst },
  joiners: {
    /** An honest one says three things before its proof, and nothing more before its grant. */
    messages: {
      perMinute: Math.min(config.wsMessagesPerSec, 2) * 60,
      burst: config.wsMessagesBurst,
    },
    /** The longest pairing with all its candidates is below 40,000. */
    maxChars: 64 * 1024,
    /** A body may cross the end of its pair. */
    strays: { perMinute: 6, burst: 10 },
    /**
     * A sender gives a pairing 90 s, and asks its person after the grant. Strangers come two a second after a burst
     * of 120, so they never have all places that they may have where these are more than 360.
     */
    grantMs: 2 * minuteMs,
  },
})
