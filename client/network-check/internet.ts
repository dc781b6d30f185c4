/** Checks UDP to the internet: each STUN server, over both families, and the type of router. */
import type { networkInterfaces } from 'node:os'
import { type Clock, systemClock } from '#client/clock'
import type { EngineModule } from '#client/engine'
import { scopeOfAddress } from '#client/signaling/address-scope'
import { type Lookup, parseIceConfig, type StunServer } from '#client/signaling/ice-servers'
import { withTimeout } from '#client/with-timeout'
import { type Finding, finding } from '#shared/state/network-check'
import { type Endpoints, endpointsOf } from './endpoints'
import { askEach, type NatBehavior, natBehavior, type Seen } from './nat-behavior'
import type { Endpoint } from './stun-message'
import { type OpenStunSocket, openStunSocket } from './stun-socket'

/** UDP payloads that fit Ethernet with IPv6, then common tunnels, then the minimum for QUIC. */
const datagramBytes = [1452, 1404, 1372, 1280, 1200] as const
const [fullBytes, , , , minBytes] = datagramBytes
/** Distinguishes a path that is too narrow from a silent server. */
const controlBytes = 200

/** The native probe ends earlier. */
const probeTimeoutMs = 2000

/** The network that the check uses; tests replace it. */
export type InternetSeams = {
  readonly lookUp: Lookup
  readonly interfaces: typeof networkInterfaces
  readonly clock?: Clock
  readonly open?: OpenStunSocket
  readonly engine: () => Pick<EngineModule, 'probePath'> | null
}

type Named = { readonly line: string; readonly endpoints: Endpoints | null }

type Asked = {
  readonly behavior: NatBehavior | null
  readonly seen: readonly Seen[]
  readonly isAsked: boolean
}

/** Checks UDP with these STUN servers. The server check reports invalid lines. */
export async function checkInternet(
  stun: readonly string[],
  { lookUp, interfaces, clock = systemClock, open = openStunSocket, engine }: InternetSeams,
): Promise<readonly Finding[]> {
  const parsed = parseIceConfig({ stun, turn: [] })
  if (!parsed.ok) return []
  if (stun.length === 0) return [finding('udp', 'unknown', {}), finding('mtu', 'unknown', {})]
  const own = Object.values(interfaces()).flatMap((all = []) => all.map(({ address }) => address))
  const hasSix = own.some((one) => one.includes(':') && scopeOfAddress(one) === 'public')
  const servers = await Promise.all(
    parsed.value.stun.map(async (server: StunServer, index): Promise<Named> => ({
      line: stun[index] ?? '',
      endpoints: await endpointsOf(server, lookUp, clock),
    })),
  )
  const ask = async (family: 4 | 6): Promise<Asked> => {
    const endpoints = servers.flatMap(({ endpoints: one }) => one?.[family] ?? [])
    const line = endpoints.length === 0 ? null : await open(family, clock)
    if (line === null) return { behavior: null, seen: [], isAsked: false }
    const seen = (await askEach(line, endpoints)).filter((one) => one !== null)
    const how = { own, family, open, clock }
    const behavior = seen.length === 0 ? null : await natBehavior(line, seen, how)
    line.close()
    return { behavior, seen, isAsked: true }
  }
  const nothing = { behavior: null, seen: [], isAsked: false }
  const largest = mtuOf(servers, hasSix, engine(), clock)
  const [four, six] = await Promise.all([ask(4), hasSix ? ask(6) : nothing])
  const seen = [...four.seen, ...six.seen]
  const isAsked = four.isAsked || six.isAsked
  return [
    ...(isAsked ? [finding('udp', seen.length > 0 ? 'out' : 'blocked', {})] : []),
    ...servers.map((server) => stunFinding(server, four, six)),
    ...(four.behavior === null ? [] : [natFinding(four.behavior)]),
    hasSix ? sixFinding(six) : finding('ipv6', 'none', {}),
    mtuFinding(seen.length > 0 ? await largest : null),
  ]
}

function stunFinding({ line: server, endpoints }: Named, four: Asked, six: Asked): Finding {
  if (endpoints === null) return finding('stun', 'nameless', { server })
  const by = (asked: Asked, endpoint: Endpoint | null) =>
    asked.isAsked && endpoint !== null
      ? (asked.seen.find((one) => one.server === endpoint)?.ms ?? null)
      : undefined
  const times = { 4: by(four, endpoints[4]), 6: by(six, endpoints[6]) } as const
  const found = [times[4] ?? null, times[6] ?? null].filter((ms) => ms !== null)
  if (found.length === 0) return finding('stun', 'silent', { server })
  const ms = Math.min(...found)
  if (times[4] !== null && times[6] !== null) return finding('stun', 'answers', { server, ms })
  return finding('stun', 'half', { server, ms, family: times[4] === null ? 6 : 4 })
}

function natFinding({ mapping, filtering }: NatBehavior): Finding {
  switch (mapping) {
    case 'none':
      return finding('nat', 'none', { filtering })
    case 'endpoint':
      return finding('nat', 'easy', { filtering })
    case 'unknown':
      return finding('nat', 'unknown', {})
    case 'address':
    case 'port':
    case 'destination':
      return finding('nat', 'hard', { mapping, filtering })
  }
}

function sixFinding({ behavior, isAsked }: Asked): Finding {
  if (!isAsked) return finding('ipv6', 'unknown', {})
  return behavior === null
    ? finding('ipv6', 'broken', {})
    : finding('ipv6', 'works', { filtering: behavior.filtering })
}

/** The largest datagram to the first server; `null` if the engine can't determine it. */
function mtuOf(
  servers: readonly Named[],
  hasSix: boolean,
  engine: Pick<EngineModule, 'probePath'> | null,
  clock: Clock,
): Promise<number | null> {
  const [first] = servers.flatMap(
    ({ endpoints }) => endpoints?.[4] ?? (hasSix ? endpoints?.[6] : null) ?? [],
  )
  if (first === undefined || engine === null) return Promise.resolve(null)
  const probed = engine.probePath(first.host, first.port, [...datagramBytes, controlBytes])
  return withTimeout<number | null>(clock, probeTimeoutMs, probed, () => null)
}

function mtuFinding(bytes: number | null): Finding {
  if (bytes === null || bytes === 0) return finding('mtu', 'unknown', {})
  if (bytes < minBytes) return finding('mtu', 'tiny', { bytes })
  return finding('mtu', bytes >= fullBytes ? 'full' : 'small', { bytes })
}
