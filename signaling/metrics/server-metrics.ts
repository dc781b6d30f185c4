/**
 * All metrics of the server. No label names a client, a nameplate or a network: the kinds below are
 * complete. `signaling/deploy/monitoring` and docs/operating.md rely on the names.
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
import { type StoreErrorKind, storeErrors } from '#signaling/rooms/store-error'

/** The role of a socket; `none` before its first message. */
export type Role = 'host' | 'joiner' | 'listener' | 'none'

/** Values that are counted elsewhere and read on request. */
export type Snapshot = {
  readonly sockets: { readonly [role in Role]: number }
  /** TCP connections before the WebSocket handshake completes. */
  readonly handshakes: number
  readonly mailboxes: number
  readonly serverRelays: number
  readonly webRelays: number
  /** Bytes buffered for slow clients. */
  readonly bufferedBytes: number
  /** `null` if the store doesn't respond. */
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

/** Expected codes of errors to clients; any other is a bug in the server. */
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

/** The server's close codes, and those of clients, networks and the library. */
const endCodes = [...new Set<number>([...Object.values(closeCodes), 1002, 1005, 1006])].sort(
  (a, b) => a - b,
)

/** Introductions take a round trip to the store, and up to ten minutes if the host is absent. */
const meetingBounds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120, 600]

/** A pairing takes a few round trips between two clients, and longer if a person approves it. */
const pairingBounds = [0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60]

/** A store on the same network responds within a millisecond; after two seconds it counts as failed. */
const storeBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2]

const delayBounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]

/** The metrics of one server from its start. */
export class ServerMetrics {
  readonly #opened = new Count('thru_sockets_opened_total', 'WebSockets opened.')
  readonly #closed = new CountBy<number>(
    'thru_sockets_closed_total',
    'WebSockets closed, by close code; 1006 is a lost connection.',
    'code',
    endCodes,
  )
  readonly #upgradesRefused = new CountBy<number>(
    'thru_upgrades_refused_total',
    'WebSocket requests refused, by HTTP status.',
    'status',
    [400, 401, 403, 404, 429, 431, 503],
  )
  readonly #hosts = new CountBy<string>(
    'thru_hosts_total',
    'Hosts that received a nameplate, new or returned to their own.',
    'kind',
    ['new', 'returned'],
  )
  readonly #joins = new CountBy<string>(
    'thru_joins_total',
    'Joiners accepted for a host, present or absent: new, or returned with a pass.',
    'kind',
    ['new', 'returned'],
  )
  readonly #failures = new Count('thru_failures_total', 'Errors of the server or of its store.')
  readonly dropped = new Count(
    'thru_connections_dropped_total',
    'TCP connections dropped because their address had too many.',
  )
  readonly messages = new CountBy<Exclude<ClientMessage['t'], 'sealed'>>(
    'thru_messages_received_total',
    'Messages from clients, by type.',
    'type',
    messageTypes,
  )
  readonly receivedBytes = new Count(
    'thru_received_bytes_total',
    'Bytes of messages from clients, without framing.',
  )
  readonly sent = new Count('thru_messages_sent_total', 'Messages to clients.')
  readonly sentBytes = new Count(
    'thru_sent_bytes_total',
    'Bytes of messages to clients, without framing.',
  )
  readonly refusals = new CountBy<ErrorCode>(
    'thru_refusals_total',
    'Errors sent to clients, by code.',
    'code',
    refusalCodes,
  )
  readonly notifications = new CountBy<'reached' | 'unheard' | 'refused'>(
    'thru_notifications_total',
    'Notifications, by result.',
    'result',
    ['reached', 'unheard', 'refused'],
  )
  readonly relayCredentials = new CountBy<'given' | 'refused'>(
    'thru_relay_credentials_total',
    'Requests for relay credentials, by result.',
    'result',
    ['given', 'refused'],
  )
  readonly serverRelayBytes = new Count(
    'thru_server_relay_bytes_total',
    'Bytes carried by server relays, in both directions.',
  )
  readonly webRelayBytes = new Count(
    'thru_web_relay_bytes_total',
    'Bytes carried by server relays to pages in browsers, in both directions.',
  )
  readonly meeting = new Distribution(
    'thru_meeting_seconds',
    'Time from a join to the introduction, including the wait for an absent host.',
    meetingBounds,
  )
  readonly pairing = new Distribution(
    'thru_pairing_seconds',
    "Time from a join to the host's grant, including any approval by a person.",
    pairingBounds,
  )
  readonly storeTime = new Distribution(
    'thru_store_seconds',
    'Response time of the external store.',
    storeBounds,
  )
  readonly storeErrors = new CountBy<StoreErrorKind>(
    'thru_store_errors_total',
    'Failed operations of the external store, by reason.',
    'why',
    storeErrors,
  )
  readonly loopDelay = new Distribution(
    'thru_event_loop_delay_seconds',
    'Delay of a timer that runs ten times a second.',
    delayBounds,
  )

  /** Counts logged events, regardless of the log level. */
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

  /** All metrics, including those of `snapshot`. */
  families(snapshot: Snapshot): readonly Family[] {
    return [
      ...families(snapshot),
      ...[this.#opened, this.#closed, this.#upgradesRefused, this.dropped],
      ...[this.#hosts, this.#joins, this.refusals, this.meeting, this.pairing],
      ...[this.messages, this.receivedBytes, this.sent, this.sentBytes],
      ...[this.notifications, this.relayCredentials, this.serverRelayBytes],
      ...[this.webRelayBytes],
      ...[this.#failures, this.loopDelay],
      ...[this.storeTime, this.storeErrors],
    ].map((metric) => ('family' in metric ? metric.family : metric))
  }
}

/** Metrics of values that are read on request. */
function families(snapshot: Snapshot): readonly Family[] {
  const {
    sockets,
    handshakes,
    mailboxes,
    serverRelays,
    webRelays,
    bufferedBytes,
    usage,
    isDraining,
    nodes,
    limits,
  } = snapshot
  return [
    gaugeBy('thru_sockets', 'Open WebSockets, by role.', 'role', sockets),
    gauge(
      'thru_handshakes',
      'TCP connections before the WebSocket handshake completes.',
      handshakes,
    ),
    gauge('thru_mailboxes', 'Mailboxes with a listening socket.', mailboxes),
    gauge(
      'thru_server_relays',
      'Open server relays, and those waiting for their second side.',
      serverRelays,
    ),
    gauge('thru_web_relays', 'The same for pages in browsers.', webRelays),
    gauge('thru_buffered_bytes', 'Bytes buffered for slow clients.', bufferedBytes),
    gaugeBy('thru_limit', "The server's limits, by resource.", 'of', limits),
    gauge('thru_draining', '1 while the server is closing its sockets.', isDraining ? 1 : 0),
    gauge('thru_nodes', 'Nodes that share the sessions.', nodes),
    gauge('thru_store_up', '1 if the store responds.', usage === null ? 0 : 1),
    ...(usage === null
      ? []
      : [
          gaugeBy('thru_sessions', 'Nameplates, by phase.', 'phase', usage.phases),
          gaugeBy(
            'thru_nameplates_taken',
            'Nameplates not available for new shares, by number of digits.',
            'digits',
            usage.taken,
          ),
        ]),
    ...processFamilies(),
  ]
}

/** Process metrics under their standard names, which standard dashboards use. */
function processFamilies(): readonly Family[] {
  const { user, system } = process.cpuUsage()
  return [
    {
      ...gauge('process_cpu_seconds_total', 'CPU time used, in seconds.', (user + system) / 1e6),
      type: 'counter',
    },
    gauge('process_resident_memory_bytes', 'Resident memory, in bytes.', process.memoryUsage.rss()),
    gauge(
      'process_start_time_seconds',
      'Start time of the process, in seconds since 1970.',
      Math.floor(performance.timeOrigin / 1000),
    ),
  ]
}
