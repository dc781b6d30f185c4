/** TURN over TCP and TLS goes through the same proxies as signaling. */
import { isIP } from 'node:net'
import type { Clock } from '#client/clock'
import type { ProxyFor } from '#client/proxy/proxy-choice'
import { type Lookup, resolved, type TurnServer } from '#client/signaling/ice-servers'

/** Finds proxies and their addresses. */
export type RelayProxies = {
  readonly proxyFor: ProxyFor
  readonly lookUp: Lookup
  readonly clock: Clock
}

/**
 * Adds proxies to relays, except those over UDP. A relay over TCP is dropped if its proxy is unusable: an `https:`
 * proxy, one whose name has no address, an invalid one. No relay is reached around its proxy.
 */
export async function throughProxies(
  relays: readonly TurnServer[],
  proxies: RelayProxies,
): Promise<readonly TurnServer[]> {
  const found = await Promise.all(
    relays.map((relay) =>
      relay.transport === 'udp'
        ? Promise.resolve([relay])
        : throughProxy(relay, urlOf(relay), proxies),
    ),
  )
  return found.flat()
}

const urlOf = ({ host, port }: TurnServer): string =>
  `wss://${isIP(host) === 6 ? `[${host}]` : host}:${port}`

/** Adds the proxy for `url` to one relay; empty in the cases of `throughProxies`. */
export async function throughProxy(
  relay: TurnServer,
  url: string,
  { proxyFor, lookUp, clock }: RelayProxies,
): Promise<readonly TurnServer[]> {
  const proxy = await proxyFor(url)
  if (!proxy.ok) return []
  if (proxy.value === null) return [relay]
  const { scheme: kind } = proxy.value
  // The engine supports only proxies without TLS.
  if (kind === 'https') return []
  const place = await resolved(proxy.value, lookUp, clock)
  if (!place.ok) return []
  const { host: address, port, user, password } = place.value
  return [{ ...relay, proxy: { kind, host: address, port, user, password } }]
}
