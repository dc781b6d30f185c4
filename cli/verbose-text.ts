/** What `--verbose` tells of an event beyond what everybody is told. */
import type { AppState, Route } from '#shared/app-state'
import type { AppEvent } from '#shared/events'
import { shownServer } from './contact-text'
import { findReceive, findReceiver, receiverName, senderName } from './state-lookup'
import { text } from './text'

/** `direct · IPv6 · UDP · [2001:db8::7]:5000 · socket buffers 8.4 MB in, 8.4 MB out`. */
const routeFacts = ({ kind, family, transport, remote, relay, buffers }: Route): string =>
  [
    text.transfer.routeKind[kind],
    `IPv${family}`,
    transport.toUpperCase(),
    ...[remote, relay].filter((address) => address !== ''),
    ...(buffers === undefined ? [] : [text.verbose.buffers(buffers)]),
  ].join(text.separator)

/** One line, or `null` when there is no more to tell. */
export function verboseLine(event: AppEvent, state: AppState): string | null {
  const words = text.verbose
  switch (event.type) {
    case 'server-changed':
      return event.server.phase === 'connected' ? words.server(shownServer(event.server.url)) : null
    case 'share-counted':
      return event.totals.complete
        ? null
        : words.scanned(text.transfer.amount(event.totals.files, event.totals.bytes))
    case 'receive-found':
      return words.found
    case 'receive-paired':
      return words.paired
    case 'receive-reached':
      return words.reached
    case 'receiver-connected':
      return words.route(receiverName(state, findReceiver(state, event)), routeFacts(event.route))
    case 'receive-connected':
      return words.route(senderName(state, findReceive(state, event)), routeFacts(event.route))
    case 'receive-started':
      return words.started(event.resumedBytes)
    case 'receive-lost':
      return words.retry(event.attempt)
    default:
      return null
  }
}
