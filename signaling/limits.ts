/** The bounds that nobody sets, each with its reason, and the rules that follow from a config. */
import type { AdmissionRules } from '#signaling/admission'
import type { ConnectionRules } from '#signaling/connection-context'
import type { MailboxRules } from '#signaling/mailboxes'
import type { RendezvousRules } from '#signaling/rendezvous'
import type { ServerConfig } from '#signaling/settings'

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

/** Rules of the sessions. */
export const rendezvousRules = (config: ServerConfig): RendezvousRules => ({
  maxSessions: config.maxSessions,
  maxSessionsPerAddress: config.maxSessionsPerAddress,
  trustLoopback: config.trustLoopback,
  maxReceivers: config.maxReceiversPerSender,
  /** The longest pairing with all its candidates is below 40,000. */
  maxPairingChars: 64 * 1024,
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

/** Rules by address and for the whole node. What all may do together is what one core can answer. */
export const admissionRules = (config: ServerConfig): AdmissionRules => ({
  maxSockets: config.maxWsConnections,
  /** Running shares must not depend on who else wants to join. */
  reservedSockets: Math.floor(config.maxWsConnections / 10),
  maxSocketsPerAddress: config.maxWsConnectionsPerAddress,
  connections: {
    each: { perMinute: config.wsConnectionsPerMin, burst: config.wsConnectionsBurst },
    all: { perMinute: 12_000, burst: 3000 },
  },
  hosts: {
    each: { perMinute: config.sessionCreatesPerMin, burst: config.sessionCreatesBurst },
    all: { perMinute: 3000, burst: 1000 },
  },
  joins: {
    each: { perMinute: config.joinsPerMin, burst: config.joinsBurst },
    all: { perMinute: 12_000, burst: 3000 },
  },
  /** A room full of receivers at once; one address alone never uses up what a nameplate takes. */
  joinsPerNameplate: {
    each: { perMinute: 10, burst: 30 },
    all: { perMinute: 12_000, burst: 3000 },
  },
  /** A line that breaks every few seconds. */
  returns: { perMinute: 10, burst: 10 },
  /** People mistype; who tries numbers one after the other needs thousands. */
  misses: { each: { perMinute: 10, burst: 10 }, all: { perMinute: 6000, burst: 2000 } },
  /** Once for each start of the app and each new contact. */
  listens: { each: { perMinute: 50, burst: 50 }, all: { perMinute: 12_000, burst: 3000 } },
  /** A person invites some contacts at once; nobody needs to be notified more often. */
  notifications: { each: { perMinute: 30, burst: 30 }, all: { perMinute: 12_000, burst: 3000 } },
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

/** Rules of one socket. */
export const connectionRules = (config: ServerConfig): ConnectionRules => ({
  silentMs: 10_000,
  /** Those who reconnect speak at once; a place of the reserve must not wait for anybody else. */
  reservedSilentMs: 3000,
  idleMs: config.wsIdleTimeout * 1000,
  closingMs: 5000,
  maxBufferedBytes: 256 * 1024,
  /** A burst of honest pairings fits, and whoever was let in or invited has room beside strangers. */
  joinersBufferedBytes: { strangers: 128 * 1024, others: 192 * 1024 },
  messages: { perMinute: config.wsMessagesPerSec * 60, burst: config.wsMessagesBurst },
})
