/** Lines that `--verbose` adds about an event. */
import type { AppEvent } from '#shared/events'
import { formatPercent, formatRate, formatRoundTrip } from '#shared/format/format'
import type { AppState, Route } from '#shared/state/app-state'
import { bottleneckShares, type ConnectionStatistics } from '#shared/state/connection-statistics'
import { text as shared } from '#shared/text/current'
import { text } from '../text'
import { shownServer } from './contact-text'
import { totalsText } from './event-text'
import { findReceive, findReceiver, receiverName, senderName } from './state-lookup'

/** `direct · IPv6 · UDP · [2001:db8::7]:5000 · socket buffers 8.4 MB in, 8.4 MB out`. */
const routeFacts = ({
  kind,
  family,
  transport,
  remote,
  relay,
  serverRelay,
  buffers,
  why,
}: Route): string =>
  [
    text.transfer.routeKind[kind],
    `IPv${family}`,
    transport.toUpperCase(),
    ...[remote, relay].filter((address) => address !== ''),
    ...(serverRelay === true ? [text.verbose.serverRelay] : []),
    ...(buffers === undefined ? [] : [text.verbose.buffers(buffers)]),
    ...(why === undefined ? [] : [shared.relayReasons[why].what]),
  ].join(text.separator)

/** Limits lines about statistics, which change all the time. */
const measuredEveryMs = 10_000

/** The verbose lines of a whole command. */
export class VerboseLines {
  /** Times of the last lines about a transfer's connection. */
  readonly #measuredAtMs = new Map<string, number>()

  /** One line, or `null` if there is nothing to add. */
  line(event: AppEvent, state: AppState): string | null {
    const figures = figuresOf(event, state)
    if (figures === null) return verboseLine(event, state)
    const { id, name, statistics } = figures
    const isLast = event.type === 'receiver-finished' || event.type === 'receive-finished'
    const lastAtMs = this.#measuredAtMs.get(id) ?? -Infinity
    if (!isLast && event.atMs < lastAtMs + measuredEveryMs) return null
    this.#measuredAtMs.set(id, event.atMs)
    return text.verbose.connection(name, statisticsText(statistics))
  }
}

/** The figures to report: new ones, and the last ones of a finished transfer. */
function figuresOf(event: AppEvent, state: AppState) {
  switch (event.type) {
    case 'receiver-measured':
    case 'receiver-finished': {
      const receiver = findReceiver(state, event)
      if (receiver?.statistics === undefined) return null
      const { statistics } = receiver
      return { id: event.peer, name: receiverName(state, receiver), statistics }
    }
    case 'receive-measured':
    case 'receive-finished': {
      const receive = findReceive(state, event)
      if (receive?.statistics === undefined) return null
      const { statistics } = receive
      return { id: event.receive, name: senderName(state, receive), statistics }
    }
    default:
      return null
  }
}

const resumptionText = ({ carefulResume }: ConnectionStatistics): readonly string[] =>
  carefulResume === 'jumped' || carefulResume === 'retreated'
    ? [text.verbose.resumed[carefulResume]]
    : []

/** `limited by pacing (71%), congestion (20%) · RTT 40 ms (minimum 38 ms) · 11.8 MB/s · …` */
const statisticsText = (statistics: ConnectionStatistics): string => {
  const words = text.verbose
  const { rttMs, minRttMs, deliveryRate, congestionControl, congestionWindow } = statistics
  return [
    words.limitedBy(
      statistics.limitedBy,
      bottleneckShares(statistics).map(([bottleneck, percent]) =>
        words.shareOf(bottleneck, formatPercent(percent, 100)),
      ),
    ),
    words.roundTrip(formatRoundTrip(rttMs), formatRoundTrip(minRttMs)),
    // There is no delivery rate before the first measurement.
    ...(deliveryRate === 0 ? [] : [formatRate(deliveryRate)]),
    words.window(congestionControl, congestionWindow, statistics.bytesInFlight),
    ...resumptionText(statistics),
    ...(statistics.pacingRate === null ? [] : [words.paced(formatRate(statistics.pacingRate))]),
    words.lost(statistics.packetsLost, statistics.packetsSent, statistics.packetsLate ?? 0),
    ...(statistics.compressionSaved === 0
      ? []
      : [words.compressionSaved(statistics.compressionSaved)]),
    words.datagrams(
      statistics.datagramBytes,
      statistics.datagramsPerSend,
      statistics.datagramsPerReceive,
    ),
    ...(statistics.qlog === undefined ? [] : [words.qlog(statistics.qlog)]),
  ].join(text.separator)
}

function verboseLine(event: AppEvent, state: AppState): string | null {
  const words = text.verbose
  switch (event.type) {
    case 'server-changed':
      return event.server.phase === 'connected' ? words.server(shownServer(event.server.url)) : null
    case 'share-counted':
      return event.totals.complete
        ? null
        : words.scanned(
            totalsText(
              event.totals,
              state.shares.find(({ id }) => id === event.share)?.items ?? [],
            ),
          )
    case 'receive-found':
      return words.found
    case 'receive-paired':
      return words.paired
    case 'receive-reached':
      return words.reached
    case 'receiver-connected':
    case 'receiver-route-changed':
      return words.route(receiverName(state, findReceiver(state, event)), routeFacts(event.route))
    case 'receive-connected':
    case 'receive-route-changed':
      return words.route(senderName(state, findReceive(state, event)), routeFacts(event.route))
    case 'receive-started':
      return words.started(event.resumedBytes)
    case 'receive-lost':
      return words.retry(event.attempt)
    default:
      return null
  }
}
