/** The server relay of a signaling server: the server itself, reached the same way as before. */
import { hostPortOf } from '#client/proxy/proxy-choice'
import type { TurnServer } from '#client/signaling/ice-servers'
import { type RelayProxies, throughProxy } from '#client/signaling/relay-proxies'
import { type ServerMessage } from '#shared/signaling/messages'
import { serverRelayPathOf, signalingPath } from '#shared/signaling/paths'

/** A ticket for the path to one peer. */
export type ServerRelayMessage = Extract<ServerMessage, { readonly t: 'server-relay' }> & {
  /** The server that sent it, set on arrival. */
  readonly server?: {
    /** The server's WebSocket address. */
    readonly url: string
    /** The address of the socket; a name behind a proxy. */
    readonly address: string
  }
}

/** The server relay for the engine; empty if its proxy can't be used. */
export async function serverRelayOf(
  { ticket, node = '', server }: ServerRelayMessage,
  proxies: RelayProxies,
): Promise<readonly TurnServer[]> {
  if (server === undefined) return []
  const { url, address } = server
  const { host: name, port } = hostPortOf(url)
  const { pathname } = new URL(url)
  const path = `${pathname.slice(0, -signalingPath.length)}${serverRelayPathOf(node)}`
  const relay: TurnServer = {
    host: name,
    port,
    name,
    path,
    user: '',
    password: ticket,
    transport: url.startsWith('wss:') ? 'wss' : 'ws',
  }
  const found = await throughProxy(relay, url, proxies)
  // A proxy resolves the target by its name.
  return found.map((each) => (each.proxy === undefined ? { ...each, host: address } : each))
}
