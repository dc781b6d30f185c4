/**
 * Checks what this computer can reach, in parallel parts that take less than five seconds together. It sends no more
 * than a transfer would, and no name. It opens connections up to a welcome, and queries the configured STUN and TURN
 * servers, the router and the local network.
 */
import { isIPv4 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { type Clock, systemClock } from '#client/clock'
import type { EngineModule } from '#client/engine'
import { nearAddresses } from '#client/lan/interfaces'
import { hearsItself } from '#client/lan/multicast-check'
import type { ProxyFor } from '#client/proxy/proxy-choice'
import { scopeOfAddress, scopeOfServer } from '#client/signaling/address-scope'
import { type Lookup, parseIceConfig, systemLookup } from '#client/signaling/ice-servers'
import { serverChecker } from '#client/signaling/server-check'
import { withTimeout } from '#client/with-timeout'
import type { AppError } from '#shared/errors'
import type { Result } from '#shared/result'
import type { ServerCheck } from '#shared/settings/server-check'
import type { ServerChoice } from '#shared/settings/server-choice'
import { maxFallbacks, type ServerProfile } from '#shared/settings/settings'
import { type CheckPart, type Finding, finding } from '#shared/state/network-check'
import { transportSizes } from '#shared/transport-sizes'
import { checkFirewall } from './firewall'
import { checkInternet } from './internet'
import { checkMeeting } from './meeting'
import { checkPortMapping } from './port-mapping'
import { checkRelays } from './relays'

/** Limits the whole check, because a person is waiting. */
const patienceMs = 5000

/** Ends before the whole check, so that its findings so far are reported. */
const serverPatienceMs = 4500

/** Longer round trips slow connecting noticeably. */
const longRoundTripMs = 300

/** A time header has whole seconds and was sent a while ago. */
const clockToleranceMs = 30_000

/** The buffer must hold all data until the engine returns to the socket: 5 ms at 1.6 Gbit/s. */
const enoughBufferBytes = 1 << 20

/** The settings that a check tests. */
export type NetworkInUse = {
  readonly choice: ServerChoice
  readonly proxyFor: ProxyFor
  /** Password of a fallback server. */
  readonly passwordFor: (url: string) => string | undefined
  /** Addresses of public meeting points; `null` if they may not be used. */
  readonly meetingRelays?: readonly string[] | null
  /** Others on the local network may find this computer. */
  readonly isVisible: boolean
  /** The error in the settings, or `null`. */
  readonly badSettings: string | null
  /** Buffer size requested from the system, in bytes; 0 keeps its default. */
  readonly socketBuffers: number
  /** Also measures the rate of relays. */
  readonly measuresRelays?: boolean
}

/** The functions that checks use; tests replace them. */
export type CheckSeams = {
  readonly engine: () => Result<Pick<EngineModule, 'probePath' | 'socketBuffers'>, AppError>
  readonly checkServer: (
    server: Pick<ServerProfile, 'url' | 'stun' | 'password'>,
    proxyFor: ProxyFor,
  ) => Promise<Result<ServerCheck, AppError>>
  readonly interfaces: typeof networkInterfaces
  readonly hears: typeof hearsItself
  readonly lookUp: Lookup
  readonly clock: Clock
  readonly mapping: () => Promise<Finding>
  readonly firewall: () => Promise<Finding>
}

/** The checks of this computer. */
export const systemChecks = (engine: CheckSeams['engine']): CheckSeams => ({
  engine,
  checkServer: (server, proxyFor) =>
    serverChecker({ proxyFor, timeoutMs: serverPatienceMs })(server),
  interfaces: networkInterfaces,
  hears: hearsItself,
  lookUp: systemLookup,
  clock: systemClock,
  mapping: () => checkPortMapping(),
  firewall: () => checkFirewall(),
})

/** Runs one part of the check. */
export function checkNetworkPart(
  part: CheckPart,
  used: NetworkInUse,
  seams: CheckSeams,
): Promise<readonly Finding[]> {
  switch (part) {
    case 'computer':
      return computerFindings(used, seams)
    case 'server':
      return serverFindings(used, seams)
    case 'internet': {
      const loaded = seams.engine()
      const engine = () => (loaded.ok ? loaded.value : null)
      return checkInternet(used.choice.stun, { ...seams, engine })
    }
    case 'relays':
      return checkRelays(used.choice.turn, {
        lookUp: seams.lookUp,
        proxyFor: used.proxyFor,
        clock: seams.clock,
        measures: used.measuresRelays === true,
      })
    case 'router':
      return seams.mapping().then((found) => [found])
    case 'network':
      return lanFinding(used, seams).then((found) => [found])
  }
}

async function computerFindings(
  { badSettings, socketBuffers }: NetworkInUse,
  { engine, interfaces, firewall }: CheckSeams,
): Promise<readonly Finding[]> {
  const loaded = engine()
  return [
    loaded.ok
      ? finding('engine', 'works', {})
      : finding('engine', 'broken', { detail: loaded.error.detail }),
    badSettings === null
      ? finding('settings', 'fine', {})
      : finding('settings', 'broken', { detail: badSettings }),
    addressFinding(interfaces),
    ...(loaded.ok ? [bufferFinding(loaded.value, socketBuffers)] : []),
    await firewall(),
  ]
}

/** Reports which families of reachable addresses this computer has. */
function addressFinding(interfaces: CheckSeams['interfaces']): Finding {
  const all = Object.values(interfaces()).flatMap((addresses = []) =>
    addresses.filter(({ internal }) => !internal).map(({ address }) => address),
  )
  const four = all.some((address) => isIPv4(address))
  const six = all.some((address) => !isIPv4(address) && scopeOfAddress(address) === 'public')
  return finding('addresses', four && six ? 'both' : four ? 'four' : six ? 'six' : 'none', {})
}

function bufferFinding(engine: Pick<EngineModule, 'socketBuffers'>, asked: number): Finding {
  const wanted = asked === 0 ? transportSizes.socketBuffers.automatic : asked
  const { receive, send } = engine.socketBuffers(wanted)
  if (receive === 0 || send === 0) return finding('buffers', 'unknown', {})
  const isEnough = Math.min(receive, send) >= Math.min(wanted, enoughBufferBytes)
  return finding('buffers', isEnough ? 'enough' : 'small', { receive, send, wanted })
}

async function serverFindings(used: NetworkInUse, seams: CheckSeams): Promise<readonly Finding[]> {
  const [server, meeting] = await Promise.all([
    configuredFindings(used, seams),
    meetingFindings(used, seams),
  ])
  return [...server, ...meeting]
}

/** Unused meeting points are worth a word only if there is no server. */
async function meetingFindings(
  { meetingRelays, choice, proxyFor }: NetworkInUse,
  { clock }: CheckSeams,
): Promise<readonly Finding[]> {
  if (meetingRelays === undefined || meetingRelays?.length === 0) return []
  if (meetingRelays !== null) return [await checkMeeting(meetingRelays, { proxyFor, clock })]
  return choice.url === null ? [finding('meeting', 'off', {})] : []
}

async function configuredFindings(
  { choice, proxyFor, passwordFor }: NetworkInUse,
  seams: CheckSeams,
): Promise<readonly Finding[]> {
  const { url, password, fallbacks, stun, turn } = choice
  const ice = parseIceConfig({ stun, turn })
  if (!ice.ok) return [finding('server', 'malformed', { detail: ice.error.detail })]
  if (url === null) return [finding('server', 'none', {})]
  const others = fallbacks.slice(0, maxFallbacks)
  const [first, ...behind] = await Promise.all([
    findingsOf({ url, password }, proxyFor, seams),
    ...others.map((one) => findingsOf({ url: one, password: passwordFor(one) }, proxyFor, seams)),
  ])
  return [...first, ...behind.flat().filter(({ name }) => name === 'server')]
}

async function findingsOf(
  { url, password }: Pick<ServerProfile, 'url' | 'password'>,
  proxyFor: ProxyFor,
  { checkServer, clock }: CheckSeams,
): Promise<readonly Finding[]> {
  const late = 'no answer in time'
  const nothing = { server: 'unreachable', detail: late, proxy: null, stun: [] } as const
  const found = await withTimeout<Result<ServerCheck, AppError>>(
    clock,
    patienceMs,
    checkServer({ url, stun: [], password }, proxyFor),
    () => ({ ok: true, value: nothing }),
  )
  if (!found.ok) return [finding('server', 'malformed', { detail: found.error.detail })]
  const { server, detail, proxy, roundTripMs: ms, congestion, clockAheadMs } = found.value
  const isBehind = proxy !== null && proxy.failure !== null
  return [
    proxyFinding(proxy, detail),
    finding('server', isBehind ? 'behind' : verdictOf(server, url), { server: url, detail }),
    ...(ms === undefined
      ? []
      : [finding('latency', ms > longRoundTripMs ? 'long' : 'short', { ms })]),
    ...(congestion === undefined ? [] : [congestionFinding(congestion)]),
    ...(clockAheadMs === undefined ? [] : [clockFinding(clockAheadMs)]),
  ]
}

/** A server on a private network can't be reached from elsewhere. */
function verdictOf(
  server: ServerCheck['server'],
  url: string,
): ServerCheck['server'] | 'own' | 'near' {
  const scope = server === 'ready' ? scopeOfServer(url) : null
  if (scope === 'loopback') return 'own'
  return scope === 'private' ? 'near' : server
}

const congestionFinding = (control: string): Finding =>
  control.startsWith('bbr')
    ? finding('congestion', 'bbr', {})
    : finding('congestion', 'other', { control })

const clockFinding = (aheadMs: number): Finding =>
  Math.abs(aheadMs) <= clockToleranceMs
    ? finding('clock', 'right', {})
    : finding('clock', 'off', { seconds: Math.round(aheadMs / 1000) })

const proxyVerdicts = {
  E_PROXY_UNREACHABLE: 'unreachable',
  E_PROXY_AUTH: 'password',
  E_PROXY_REFUSED: 'refused',
} as const

/** The proxy works if it answered, even if the server behind it did not. */
function proxyFinding(checked: ServerCheck['proxy'], detail: string): Finding {
  if (checked === null) return finding('proxy', 'none', {})
  const { name: proxy, failure } = checked
  return failure === null
    ? finding('proxy', 'works', { proxy })
    : finding('proxy', proxyVerdicts[failure], { proxy, detail })
}

async function lanFinding(
  { isVisible }: NetworkInUse,
  { interfaces, hears }: CheckSeams,
): Promise<Finding> {
  if (!isVisible) return finding('lan', 'off', {})
  const near = nearAddresses(interfaces())
  if (near.length === 0) return finding('lan', 'none', {})
  const heard = await Promise.all(near.map((endpoint) => hears(endpoint)))
  const deaf = near.filter((_, index) => heard[index] !== true).map(({ name }) => name)
  if (deaf.length === 0) return finding('lan', 'heard', {})
  return deaf.length === near.length
    ? finding('lan', 'blocked', {})
    : finding('lan', 'some', { interfaces: [...new Set(deaf)] })
}
