/**
 * The relays that a signaling server gives to two computers that it introduced. The server is not
 * trusted: it must not make this computer send packets into its own network.
 */
import { BlockList, isIP } from 'node:net'
import type { IceServers } from '#client/engine'
import { type Lookup, resolved, systemLookup, type TurnServer } from '#client/ice-servers'
import type { ServerMessage } from '#shared/signaling'
import { parseTurnUrl } from '#shared/turn-url'

type TurnMessage = Extract<ServerMessage, { readonly t: 'turn' }>

/** More would only make the search for a path longer. */
const mostRelays = 4

const innerNetworks = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['224.0.0.0', 3],
] as const) {
  innerNetworks.addSubnet(network, prefix)
}
for (const [network, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  innerNetworks.addSubnet(network, prefix, 'ipv6')
}

const isInner = (address: string): boolean =>
  innerNetworks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/**
 * The relays of `message` that may be used, resolved, at most 4; what is malformed or has no address
 * is left out. One inside a private network counts only when the server at `serverUrl` is in one.
 */
export async function relaysFrom(
  { urls, username, credential }: TurnMessage,
  serverUrl: string,
  look: Lookup = systemLookup,
): Promise<IceServers['turn']> {
  const servers = urls.slice(0, mostRelays).flatMap((url): readonly TurnServer[] => {
    const place = parseTurnUrl(url)
    return place === null ? [] : [{ ...place, user: username, password: credential }]
  })
  const [isServerInner, ...relays] = await Promise.all([
    isInnerServer(serverUrl, look),
    ...servers.map((server) => resolved(server, look)),
  ])
  return relays
    .flatMap((relay) => (relay.ok ? [relay.value] : []))
    .filter(({ host }) => isServerInner || !isInner(host))
}

async function isInnerServer(serverUrl: string, look: Lookup): Promise<boolean> {
  const host = new URL(serverUrl).hostname.replace(/^\[|\]$/g, '')
  const server = await resolved({ host, port: 0 }, look)
  return server.ok && isInner(server.value.host)
}
