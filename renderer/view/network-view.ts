/** The network in words: the route of one transfer and the way to the signaling server. */
import type { Route, ServerStatus } from '#shared/app-state'
import { assertNever } from '#shared/assert-never'
import { text } from '../text'

/** The word of a route's badge. */
export function routeWord(route: Route): string {
  switch (route.kind) {
    case 'local':
      return text.route.local
    case 'direct':
      return route.family === 6 ? text.route.directIpv6 : text.route.direct
    case 'relay':
      return route.transport === 'tcp' ? text.route.relayedTcp : text.route.relayed
    default:
      return assertNever(route.kind)
  }
}

/** What a route means, for whoever asks. */
export function routeWhy(route: Route): string {
  switch (route.kind) {
    case 'local':
      return text.route.localWhy
    case 'direct':
      return text.route.directWhy(route.remote)
    case 'relay':
      return text.route.relayWhy(route.relay)
    default:
      return assertNever(route.kind)
  }
}

export type ServerWords = {
  readonly words: string
  readonly why: string
  readonly dot: 'ready' | 'idle' | 'warning'
}

/** The status at the right of the top bar. */
export function serverWords(server: ServerStatus): ServerWords {
  switch (server.phase) {
    case 'idle':
      return { words: text.server.idle, why: text.server.idleWhy, dot: 'idle' }
    case 'connected': {
      if (server.embedded) {
        return { words: text.server.embedded, why: text.server.embeddedWhy, dot: 'ready' }
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
      return { words: text.server.unreachable(host), why: server.error.detail, dot: 'warning' }
    }
    default:
      return assertNever(server)
  }
}

/** `wss://rendezvous.example.org/v1` is `rendezvous.example.org` to people. */
function hostOf(url: string): string {
  return /^[a-z]+:\/\/([^/]+)/i.exec(url)?.[1] ?? url
}
