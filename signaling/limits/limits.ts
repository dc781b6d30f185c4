/** Fixed limits, each with its reason, and the rules that follow from a config. */
import type { ServerConfig } from '#signaling/config/server-config'
import type { AdmissionRules } from '#signaling/limits/admission'
import type { Rate } from '#signaling/limits/rate-limiter'
import type { MailboxRules } from '#signaling/rooms/mailboxes'
import type { RendezvousRules } from '#signaling/rooms/rendezvous'
import type { ConnectionRules } from '#signaling/socket/connection-context'
import type { RulesByKind, ServerRelaysRules } from '#signaling/socket/server-relays'

const minuteMs = 60_000

/** Limits of HTTP requests, before the upgrade to a WebSocket. */
export const httpLimits = {
  /** Time from the TCP connection to the upgrade: one round trip, with room for a bad network. */
  handshakeMs: 5000,
  /** Time from the TCP connection to the end of a file of the page for browsers: a megabyte over a slow network. */
  fileMs: 60_000,
  /** Every response ends its connection; this is for a client that keeps its half open. */
  keepAliveMs: 5000,
  /** A WebSocket client sends about ten headers. */
  headers: 50,
  headerBytes: 16 * 1024,
  /** TCP connections before the upgrade, in addition to the sockets of the config. */
  handshakes: 5000,
} as const

/** Interval for checking the deadlines of sockets, all of which are much longer. */
export const tickMs = 1000

/** Interval for sweeping ended sessions; responses about them don't wait for it. */
export const sweepMs = 30_000

/** Lifetime of the server key that new sockets receive. */
export const keyMs = 60 * minuteMs

/** Time for the store to report its usage before it counts as failed. */
export const storeMs = 2000

/** Long enough for a closing handshake around the world, short enough for a service's stop. */
export const drainMs = 3000

/** Maximum value of the drain time setting, s. */
export const maxDrainSeconds = 300

/** Rules of the sessions. */
export const rendezvousRules = (config: ServerConfig): RendezvousRules => ({
  maxSessions: config.maxSessions,
  maxSessionsPerAddress: config.maxSessionsPerAddress,
  trustLoopback: config.trustLoopback,
  maxReceivers: config.maxReceiversPerSender,
  /** All of them pair when their host returns: about ten of its messages each, as many as its socket may save. */
  maxWaiting: Math.min(config.maxReceiversPerSender, 64),
  /** The first message of a pairing has 159 characters, and may grow. */
  maxWaitingChars: 1024,
  sessionMs: config.sessionTimeout * 1000,
  /** A sender's computer restarts or changes networks within this time. */
  graceMs: 10 * minuteMs,
  /** The duration of the longest session: no one holds an old code by then. */
  restMs: 24 * 60 * minuteMs,
  /** Joins of one nameplate by strangers: enough for a hall of receivers, twelve times the rate of one address. */
  joins: { perMinute: 120, burst: 120 },
})

/** Rules of the mailboxes: on average ten contacts per socket, about 300 bytes each. */
export const mailboxRules = (config: ServerConfig): MailboxRules => ({
  maxListeners: 4,
  maxTotal: 10 * config.maxWsConnections,
  maxPerAddress: config.maxMailboxesPerAddress,
  trustLoopback: config.trustLoopback,
})

/** The number of sockets for which global rates are defined, see `inAll`. */
const usualSockets = 20_000

/**
 * A global rate: far below the capacity of one core (docs/performance.md#signaling-server), and higher if the
 * operator allows more sockets than usual.
 */
function inAll({ maxWsConnections }: ServerConfig, perMinute: number, burst: number): Rate {
  const worth = Math.max(1, maxWsConnections / usualSockets)
  return { perMinute: perMinute * worth, burst: burst * worth }
}

/**
 * Wrong passwords of one address: far more than an office makes after its password was replaced, and far
 * fewer than guessing takes. There is no global limit, which strangers could use up for legitimate clients.
 */
export const passwordTries: Rate = { perMinute: 30, burst: 60 }

/** Rules by address and for the whole node. */
export const admissionRules = (config: ServerConfig): AdmissionRules => ({
  maxSockets: config.maxWsConnections,
  /** Running shares must not depend on the number of new joiners. */
  reservedSockets: Math.floor(config.maxWsConnections / 10),
  maxSocketsPerAddress: config.maxWsConnectionsPerAddress,
  connections: {
    each: { perMinute: config.wsConnectionsPerMin, burst: config.wsConnectionsBurst },
    /** All clients may reconnect at the same time after a network outage. */
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
  /** An address that joins rarely has its own allowance, separate from the one that frequent joiners can use up. */
  seldomJoins: { each: { perMinute: 0.2, burst: 2 }, all: inAll(config, 12_000, 3000) },
  /** A room full of receivers joins at once; one address alone never uses up a nameplate's allowance. */
  joinsPerNameplate: {
    each: { perMinute: 10, burst: 30 },
    all: inAll(config, 12_000, 3000),
  },
  /** A line that breaks every few seconds. */
  returns: { perMinute: 10, burst: 10 },
  /** People mistype a few times; trying all numbers takes thousands of attempts. */
  misses: { each: { perMinute: 10, burst: 10 }, all: inAll(config, 6000, 2000) },
  /** Once per start of the app and per new contact. */
  listens: { each: { perMinute: 50, burst: 50 }, all: inAll(config, 12_000, 3000) },
  /** A person invites several contacts at once; no one needs more. */
  notifications: { each: { perMinute: 30, burst: 30 }, all: inAll(config, 12_000, 3000) },
  grants: {
    each: {
      perMinute: config.turnGrantsPerHour / 60,
      burst: Math.ceil(config.turnGrantsPerHour / 2),
    },
    /** About five a second; the relay of one machine carries far fewer. */
    all: { perMinute: 20_000 / 60, burst: 5000 },
  },
  trustLoopback: config.trustLoopback,
})

/**
 * Files of the page for browsers by address: a page has about six, which browsers keep. A class behind one address opens
 * it at once.
 */
export const pageFileRate: Rate = { perMinute: 60, burst: 300 }

/** Packets and acknowledgements of a page, beyond the bytes of its files. */
const pageOverhead = 1.25

/** Rules of server relays; a server without a page has none for pages. */
export const serverRelaysRules = (config: ServerConfig, hasPage: boolean): RulesByKind => ({
  clients: relayRules(config, {
    most: config.serverRelays,
    bytesPerSecond: config.serverRelayBytesPerSec,
    bytes: config.serverRelayBytes,
  }),
  pages: relayRules(config, {
    most: hasPage ? config.webRelays : 0,
    bytesPerSecond: config.webBytesPerSec,
    bytes: Math.ceil(config.webBytes * pageOverhead),
  }),
})

type KindLimits = Pick<ServerRelaysRules, 'most' | 'bytesPerSecond' | 'bytes'>

const relayRules = (config: ServerConfig, given: KindLimits): ServerRelaysRules => ({
  ...given,
  /** Sides of server relays: an office behind one address has several, and no address takes all. */
  maxPerAddress: Math.max(4, Math.ceil(given.most / 8)),
  /** Each side may belong to a different server relay. */
  maxPerNetwork: Math.max(4, Math.ceil(given.most / 2)),
  /** After the grant, two sides search for a path for at most half a minute. */
  ticketMs: 2 * minuteMs,
  /** Both sides arrive within seconds of each other, or one has found another path. */
  waitMs: 30_000,
  lifeMs: 6 * 60 * minuteMs,
  idleMs: config.wsIdleTimeout * 1000,
  closingMs: 5000,
})

/** Rules of one socket. */
export const connectionRules = (config: ServerConfig): ConnectionRules => ({
  silentMs: 10_000,
  /** Returning clients send their first message immediately; a reserved place must not wait for others. */
  reservedSilentMs: 3000,
  /** The longest message over the slowest mobile network. */
  messageMs: 20_000,
  idleMs: config.wsIdleTimeout * 1000,
  closingMs: 5000,
  maxBufferedBytes: 256 * 1024,
  /** A burst of honest pairings fits, and admitted or invited receivers have room despite strangers. */
  joinersBufferedBytes: { strangers: 128 * 1024, others: 192 * 1024 },
  messages: { perMinute: config.wsMessagesPerSec * 60, burst: config.wsMessagesBurst },
  joiners: {
    /** An honest joiner sends three messages before its proof, and none after it before its grant. */
    messages: {
      perMinute: Math.min(config.wsMessagesPerSec, 2) * 60,
      burst: config.wsMessagesBurst,
    },
    /** The longest pairing with all its candidates is below 40,000. */
    maxChars: 64 * 1024,
    /** A body may arrive just after its pair has ended. */
    strays: { perMinute: 6, burst: 10 },
    /**
     * A sender gives a pairing 90 s, and asks its user after the grant. Strangers join at two per second after a
     * burst of 120, so they can't occupy all places if there are more than 360.
     */
    grantMs: 2 * minuteMs,
  },
})
