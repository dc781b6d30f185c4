/** The bounds that nobody sets, each with its reason, and the rules that follow from a config. */
import type { AdmissionRules } from '#signaling/admission'
import type { ServerConfig } from '#signaling/config'
import type { ConnectionRules } from '#signaling/connection'
import type { MailboxRules } from '#signaling/mailboxes'
import type { RendezvousRules } from '#signaling/rendezvous'

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

/** Long enough for a closing handshake around the world, short enough for a service's stop. */
export const drainMs = 3000

/** Rules of the sessions. */
export const rendezvousRules = (config: ServerConfig): RendezvousRules => ({
  maxSessions: config.maxSessions,
  maxReceivers: config.maxReceiversPerSender,
  sessionMs: config.sessionTimeout * 1000,
  /** A sender's computer restarts or changes networks within this time. */
  graceMs: 10 * minuteMs,
  /** As long as a session may last: nobody still holds an old code then. */
  restMs: 24 * 60 * minuteMs,
  /** A room full of receivers within minutes, few enough to make guessing words hopeless. */
  joins: { perMinute: 30, burst: 30 },
})

/** Rules of the mailboxes: on average ten contacts for each socket, some 300 bytes each. */
export const mailboxRules = (config: ServerConfig): MailboxRules => ({
  maxListeners: 4,
  maxTotal: 10 * config.maxWsConnections,
})

/** Rules by address and for the whole node. */
export const admissionRules = (config: ServerConfig): AdmissionRules => ({
  maxSockets: config.maxWsConnections,
  maxSocketsPerAddress: config.maxWsConnectionsPerAddress,
  connections: { perMinute: config.wsConnectionsPerMin, burst: config.wsConnectionsBurst },
  hosts: { perMinute: config.sessionCreatesPerMin, burst: config.sessionCreatesBurst },
  joins: { perMinute: 30, burst: 30 },
  /** People mistype; who tries numbers one after the other needs thousands. */
  misses: { perMinute: 10, burst: 10 },
  /** Once for each start of the app and each new contact. */
  listens: { perMinute: 30, burst: 30 },
  /** A person invites some contacts at once; nobody needs to be rung more often. */
  rings: { perMinute: 30, burst: 30 },
  trustLoopback: config.trustLoopback,
})

/** Rules of one socket. */
export const connectionRules = (config: ServerConfig): ConnectionRules => ({
  silentMs: 10_000,
  idleMs: config.wsIdleTimeout * 1000,
  closingMs: 5000,
  maxBufferedBytes: 256 * 1024,
  messages: { perMinute: config.wsMessagesPerSec * 60, burst: config.wsMessagesBurst },
})
