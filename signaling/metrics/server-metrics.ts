/**
 * All that an operator can measure. No label names a client, a nameplate or a network: the kinds below
 * are all there are. `signaling/deploy/monitoring` and docs/signaling.md rely on the names.
 */
import type { ErrorCode } from '#shared/errors'
import { type ClientMessage, closeCodes } from '#shared/signaling/messages'
import type { LogEvent } from '#signaling/log'
import {
  Count,
  CountBy,
  Distribution,
  type Family,
  gauge,
  gaugeBy,
} from '#signaling/metrics/metric'
import type { Usage } from '#signaling/rooms/room-store'
import { type StoreTrouble, storeTroubles } from '#signaling/rooms/store-error'

/** What a socket is for; `none` before its first message. */
export type Role = 'host' | 'joiner' | 'listener' | 'none'

/** What is counted where it is, and read when somebody asks. */
export type Snapshot = {
  readonly sockets: { readonly [role in Role]: number }
  /** TCP connections that are no WebSockets yet. */
  readonly handshakes: number
  readonly mailboxes: number
  readonly detours: number
  /** Bytes that wait for clients that read slowly. */
  readonly bufferedBytes: number
  /** `null` when the store doesn't say. */
  readonly usage: Usage | null
  readonly isDraining: boolean
  /** Nodes that share the state, this one included. */
  readonly nodes: number
  readonly limits: {
    readonly sockets: number
    readonly sessions: number
    readonly mailboxes: number
  }
}

/** What errors to clients can say; all others are mistakes of the server's. */
const refusalCodes = [
  'E_INTERNAL',
  'E_NO_SUCH_CODE',
  'E_PEER_GONE',
  'E_PEER_VERSION',
  'E_RATE_LIMITED',
  'E_SERVER_BUSY',
  'E_SERVER_PROTOCOL',
  'E_TOO_MANY_RECEIVERS',
] as const satisfies readonly ErrorCode[]

const messageTypes = ['host', 'join', 'listen', 'relay', 'grant', 'notify', 'leave'] as const

/** The codes of the server, and those with which clients, networks and the library end sockets. */
const endCodes = [...new Set<number>([...Object.values(closeCodes), 1002, 1005, 1006])].sort(
  (a, b) => a - b,
)

/** Introductions take a round trip to the store, and up to ten minutes when the host is absent. */
const meetingBounds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120, 600]

/** A pairing takes some round trips between two clients, and longer when a person is asked. */
const pairingBounds = [0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60]

/** A store on the same network answers within a millisecond; after two seconds it counts as failed. */
const storeBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2]

const delayBounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]

/** The metrics of one server from its start. */
export class ServerMetrics {
  readonly #opened = new Count('thru_sockets_opened_total', 'WebSockets that were opened.')
  readonly #closed = new CountBy<number>(
    'thru_sockets_closed_total',
    'WebSockets that ended, by close code; 1006 is a lost connection.',
    'code',
    endCodes,
  )
  readonly #upgradesRefused = new CountBy<number>(
    'thru_upgrades_refused_total',
    'Requests for a WebSocket that were refused, by HTTP status.',
    'status',
    [400, 401, 403, 404, 429, 431, 503],
  )
  readonly #hosts = new CountBy<string>(
    'thru_hosts_total',
    'Hosts that got a nameplate, new or their own again.',
    'kind',
    ['new', 'returned'],
  )
  readonly #joins = new CountBy<string>(
    'thru_joins_total',
    'Joiners that a host, or an absent host, has: strangers and those with a pass.',
    'kind',
    ['new', 'returned'],
  )
  readonly #failures = new Count('thru_failures_total', 'Errors of the server or of its store.')
  /** TCP connections that were ended unheard: their address had too many. */
  readonly dropped = new Count(
    'thru_connections_dropped_total',
    'TCP connections that were ended because their address had too many.',
  )
  /** Messages that could be read. */
  readonly messages = new CountBy<Exclude<ClientMessage['t'], 'sealed'>>(
    'thru_messages_received_total',
    'Messages of clients, by type.',
    'type',
    messageTypes,
  )
  /** Bytes of messages, without frames. */
  readonly receivedBytes = new Count(
    'thru_received_bytes_total',
    'Bytes of messages from clients, without frames.',
  )
  /** Messages to clients. */
  readonly sent = new Count('thru_messages_sent_total', 'Messages to clients.')
  /** Bytes of messages, without frames. */
  readonly sentBytes = new Count(
    'thru_sent_bytes_total',
    'Bytes of messages to clients, without frames.',
  )
  /** Errors that clients were told. */
  readonly refusals = new CountBy<ErrorCode>(
    'thru_refusals_total',
    'Errors that clients were told, by code.',
    'code',
    refusalCodes,
  )
  /** Invitations by whether somebody got them. */
  readonly notifications = new CountBy<'reached' | 'unheard' | 'refused'>(
    'thru_notifications_total',
    'Notifications, by whether somebody listened.',
    'result',
    ['reached', 'unheard', 'refused'],
  )
  /** Credentials for the TURN server. */
  readonly relayCredentials = new CountBy<'given' | 'refused'>(
    'thru_relay_credentials_total',
    'Credentials for relays, by whether the limits allowed them.',
    'result',
    ['given', 'refused'],
  )
  /** Bytes of transfers that this server relayed itself. */
  readonly detourBytes = new Count(
    'thru_detour_bytes_total',
    'Bytes that relays of last resort have carried, both directions.',
  )
  /** From a `join` to the introduction. */
  readonly meeting = new Distribution(
    'thru_meeting_seconds',
    'Time from a join to the introduction, which waits for an absent host.',
    meetingBounds,
  )
  /** From a `join` to the host's `grant`. */
  readonly pairing = new Distribution(
    'thru_pairing_seconds',
    "Time from a join to the host's grant, which may wait for a person.",
    pairingBounds,
  )
  /** How long a store outside of the process takes. */
  readonly storeTime = new Distribution(
    'thru_store_seconds',
    'Time that a store outside of the process took to answer.',
    storeBounds,
  )
  /** Why such a store did not do what it was asked for. */
  readonly storeTroubles = new CountBy<StoreTrouble>(
    'thru_store_troubles_total',
    'What a store outside of the process did not do, by why.',
    'why',
    storeTroubles,
  )
  /** How late timers come. */
  readonly loopDelay = new Distribution(
    'thru_event_loop_delay_seconds',
    'How late a timer came, ten times a second.',
    delayBounds,
  )

  /** Counts what is logged, whatever the log's level. */
  note(event: LogEvent): void {
    switch (event.event) {
      case 'opened':
        this.#opened.add()
        break
      case 'closed':
        this.#closed.add(event.code)
        break
      case 'upgrade-refused':
        this.#upgradesRefused.add(event.status)
        break
      case 'hosted':
        this.#hosts.add(event.isReturn ? 'returned' : 'new')
        break
      case 'joined':
        this.#joins.add(event.isReturn ? 'returned' : 'new')
        break
      case 'failed':
        this.#failures.add()
        break
      default:
    }
  }

  /** All of them, with what is in `snapshot`. */
  families(snapshot: Snapshot): readonly Family[] {
    return [
      ...families(snapshot),
      ...[this.#opened, this.#closed, this.#upgradesRefused, this.dropped],
      ...[this.#hosts, this.#joins, this.refusals, this.meeting, this.pairing],
      ...[this.messages, this.receivedBytes, this.sent, this.sentBytes],
      ...[this.notifications, this.relayCredentials, this.detourBytes],
      ...[this.#failures, this.loopDelay],
      ...[this.storeTime, this.storeTroubles],
    ].map((metric) => ('family' in metric ? metric.family : metric))
  }
}

/** What is read when somebody asks. */
function families(snapshot: Snapshot): readonly Family[] {
  const {
    sockets,
    handshakes,
    mailboxes,
    detours,
    bufferedBytes,
    usage,
    isDraining,
    nodes,
    limits,
  } = snapshot
  return [
    gaugeBy('thru_sockets', 'Open WebSockets, by what they are for.', 'role', sockets),
    gauge('thru_handshakes', 'TCP connections that are no WebSockets yet.', handshakes),
    gauge('thru_mailboxes', 'Mailboxes that sockets listen on.', mailboxes),
    gauge('thru_detours', 'Relays of last resort that are open.', detours),
    gauge('thru_buffered_bytes', 'Bytes that wait for clients that read slowly.', bufferedBytes),
    gaugeBy('thru_limit', 'The most that the server takes of something.', 'of', limits),
    gauge('thru_draining', '1 while the server ends its sockets.', isDraining ? 1 : 0),
    gauge('thru_nodes', 'Nodes that share the sessions.', nodes),
    gauge('thru_store_up', '1 when the store answers.', usage === null ? 0 : 1),
    ...(usage === null
      ? []
      : [
          gaugeBy('thru_sessions', 'Nameplates, by phase.', 'phase', usage.phases),
          gaugeBy(
            'thru_nameplates_taken',
            'Nameplates that are not given out, by their number of digits.',
            'digits',
            usage.taken,
          ),
        ]),
    ...processFamilies(),
  ]
}

/** By their usual names, so that usual dashboards show them. */
function processFamilies(): readonly Family[] {
  const { user, system } = process.cpuUsage()
  return [
    {
      ...gauge('process_cpu_seconds_total', 'Time on processors.', (user + system) / 1e6),
      type: 'counter',
    },
    gauge('process_resident_memory_bytes', 'Memory in use.', process.memoryUsage.rss()),
    gauge(
      'process_start_time_seconds',
      'When the process started, since 1970.',
      Math.floor(performance.timeOrigin / 1000),
    ),
  ]
}
