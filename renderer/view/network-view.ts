/** The network in words: the route of a transfer, and the connection to the signaling server. */
import { assertNever } from '#shared/assert-never'
import { describeError } from '#shared/describe-error'
import type { ErrorCode } from '#shared/errors'
import type { RelayReason, Route, ServerStatus } from '#shared/state/app-state'
import type { LocalNetworkStatus } from '#shared/state/local-network-status'
import { text as shared } from '#shared/text/current'
import { text } from '../text'

/** The word of a route's badge. */
export function routeWord(route: Route): string {
  switch (route.kind) {
    case 'local':
      return text.route.local
    case 'direct':
      if (route.transport === 'tcp') return text.route.directTcp
      return route.family === 6 ? text.route.directIpv6 : text.route.direct
    case 'relay':
      if (route.serverRelay === true) return text.route.serverRelay
      return route.transport === 'tcp' ? text.route.relayedTcp : text.route.relayed
    default:
      return assertNever(route.kind)
  }
}

/** The explanation of a route. */
export function routeWhy(route: Route): string {
  switch (route.kind) {
    case 'local':
      return text.route.localWhy
    case 'direct':
      return route.transport === 'tcp'
        ? text.route.directTcpWhy(route.remote)
        : text.route.directWhy(route.remote)
    case 'relay':
      return relayedWhy(route)
    default:
      return assertNever(route.kind)
  }
}

function relayedWhy({ relay, serverRelay, why }: Route): string {
  const reason = why === undefined ? '' : `${relayReason(why)} `
  if (serverRelay === true) return reason + text.route.serverRelayOf(relay)
  return why === undefined ? text.route.relayWhy(relay) : reason + text.route.relayOf(relay)
}

function relayReason(why: RelayReason): string {
  const { what, remedy } = shared.relayReasons[why]
  return `${what} ${remedy}`
}

export type ServerWords = {
  readonly words: string
  readonly why: string
  readonly dot: 'ready' | 'idle' | 'warning'
}

/** The status at the right of the top bar. */
export function serverWords(
  server: ServerStatus,
  localNetwork: LocalNetworkStatus = { phase: 'idle' },
): ServerWords {
  switch (server.phase) {
    case 'idle':
      return { words: text.server.idle, why: text.server.idleWhy, dot: 'idle' }
    case 'connected': {
      if (server.embedded) {
        return networkWords(localNetwork)
      }
      const host = hostOf(server.url)
      if (server.insecure) {
        return {
          words: text.server.insecure(host),
          why: text.server.insecureWhy(host),
          dot: 'warning',
        }
      }
      return {
        words: text.server.connected(host),
        why: text.server.connectedWhy(host),
        dot: 'ready',
      }
    }
    case 'unreachable': {
      const host = hostOf(server.url)
      const { what, remedy } = describeError(server.error)
      return {
        words: sentenceFor(server.error.code)(host),
        why: `${what} ${remedy}`,
        dot: 'warning',
      }
    }
    default:
      return assertNever(server)
  }
}

function sentenceFor(code: ErrorCode): (host: string) => string {
  switch (code) {
    case 'E_SERVER_IDENTITY':
      return text.server.untrusted
    case 'E_SERVER_PASSWORD':
      return text.server.closed
    default:
      return text.server.unreachable
  }
}

/** The status without a configured server: codes work on the local network only. */
function networkWords(network: LocalNetworkStatus): ServerWords {
  const { server } = text
  switch (network.phase) {
    case 'off':
    case 'idle':
      return { words: server.embedded, why: server.embeddedWhy, dot: 'ready' }
    case 'visible':
      return { words: server.network, why: server.networkWhy, dot: 'ready' }
    case 'blocked': {
      const { reason, urls } = network
      const why = {
        'no-network': server.noNetworkWhy,
        port: server.portWhy,
        multicast: server.multicastWhy(urls[0] ?? ''),
      }[reason]
      return { words: server.networkBlocked, why, dot: 'warning' }
    }
    default:
      return assertNever(network)
  }
}

/** The display name of `wss://rendezvous.example.org/v1` is `rendezvous.example.org`. */
function hostOf(url: string): string {
  return /^[a-z]+:\/\/([^/]+)/i.exec(url)?.[1] ?? url
}
