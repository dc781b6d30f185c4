/** `thru doctor`: what this computer can reach, with as little sent as a transfer would send. */
import { isIPv4 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { systemClock } from '#client/clock'
import { nearAddresses } from '#client/lan/interfaces'
import { hearsItself } from '#client/lan/multicast-check'
import { loadEngine } from '#client/native-engine'
import { proxyChooser, type ProxyFor } from '#client/proxy/proxy-choice'
import { scopeOfAddress } from '#client/signaling/address-scope'
import { serverChecker } from '#client/signaling/server-check'
import { within } from '#client/within'
import type { AppError } from '#shared/errors'
import { parseProxySetting } from '#shared/proxy-url'
import type { Result } from '#shared/result'
import type { ServerCheck } from '#shared/server-check'
import { chooseServer, type ServerChoice } from '#shared/server-choice'
import { type ExitCode, exitCodes } from './exit-codes'
import { jsonText } from './json-reporter'
import { settingsFile } from './stored-settings'
import type { Terminal } from './terminal'
import { text } from './text'

/** The options of `thru doctor`. */
export type DoctorOptions = {
  readonly json?: boolean
  readonly serverUrl?: string
  readonly stunServer?: readonly string[]
  readonly proxy?: string
  readonly lan?: boolean
  readonly color?: string
}

/** `unknown`: it can't be tried, or nothing is set that could be. */
export type CheckState = 'ok' | 'warning' | 'failed' | 'unknown'

/** One thing that was looked at, in words. */
export type Check = {
  readonly name: 'engine' | 'settings' | 'server' | 'stun' | 'addresses' | 'lan' | 'relay'
  readonly state: CheckState
  readonly line: string
}

/** People wait for it. */
const patienceMs = 5000

/** What is looked at, and what tests put in its place. */
export type DoctorSeams = {
  readonly engine: () => Result<unknown, AppError>
  readonly settings: typeof settingsFile
  readonly checkServer: (
    server: Parameters<ReturnType<typeof serverChecker>>[0],
    proxyFor: ProxyFor,
  ) => Promise<Result<ServerCheck, AppError>>
  readonly interfaces: typeof networkInterfaces
  readonly hears: typeof hearsItself
}

const system: DoctorSeams = {
  engine: () => loadEngine({ override: process.env['THRU_ADDON'], bundle: __dirname }),
  settings: settingsFile,
  checkServer: (server, proxyFor) => serverChecker({ proxyFor })(server),
  interfaces: networkInterfaces,
  hears: hearsItself,
}

/** `thru doctor`: a line for each check, and the exit code of the worst. */
export async function doctor(
  options: DoctorOptions,
  terminal: Terminal,
  seams: DoctorSeams = system,
): Promise<ExitCode> {
  const reading = seams.settings().read()
  const { network } = reading.settings
  const isVisible = options.lan !== false && network.visible
  const choice = chooseServer({ url: options.serverUrl, stun: options.stunServer }, network)
  const proxyFor = proxyChooser({
    setting: () => parseProxySetting(options.proxy ?? network.proxy),
    environment: process.env,
  })
  const [server, lan] = await Promise.all([
    serverChecks(choice, proxyFor, seams),
    isVisible ? lanCheck(seams) : ({ name: 'lan', state: 'unknown', line: words.lan.off } as const),
  ])
  const checks: readonly Check[] = [
    engineCheck(seams),
    reading.trouble === null
      ? { name: 'settings', state: 'ok', line: words.settings.ok }
      : { name: 'settings', state: 'failed', line: words.settings.bad(reading.trouble.detail) },
    addressCheck(seams),
    ...server,
    lan,
  ]
  for (const check of checks) {
    if (options.json === true) terminal.out(jsonText({ type: 'check', ...check }))
    else terminal.out(`${words.marks[check.state]} ${check.line}`, tones[check.state])
  }
  if (options.json !== true) terminal.out(words.summary(reachOf(checks)))
  return exitCodeOf(checks)
}

const words = text.doctor

const tones = { ok: undefined, warning: undefined, failed: 'bad', unknown: 'faint' } as const

function engineCheck({ engine }: DoctorSeams): Check {
  const loaded = engine()
  return loaded.ok
    ? { name: 'engine', state: 'ok', line: words.engine.ok }
    : { name: 'engine', state: 'failed', line: words.engine.bad(loaded.error.detail) }
}

/** Of those that others could reach. */
function addressCheck({ interfaces }: DoctorSeams): Check {
  const all = Object.values(interfaces()).flatMap((addresses = []) =>
    addresses.filter(({ internal }) => !internal).map(({ address }) => address),
  )
  const four = all.some((address) => isIPv4(address))
  const six = all.some((address) => !isIPv4(address) && scopeOfAddress(address) === 'public')
  const line = words.addresses(four, six)
  return { name: 'addresses', state: four || six ? 'ok' : 'failed', line }
}

async function serverChecks(
  { url, stun, turn }: ServerChoice,
  proxyFor: ProxyFor,
  { checkServer }: DoctorSeams,
): Promise<readonly Check[]> {
  const relay: readonly Check[] =
    turn.length === 0 ? [] : [{ name: 'relay', state: 'unknown', line: words.relay(turn.length) }]
  if (url === null) {
    return [{ name: 'server', state: 'warning', line: words.server.none }, ...stunOf([]), ...relay]
  }
  const late = { ok: true, value: { server: 'unreachable', detail: words.late, stun: [] } } as const
  const found = await within<Result<ServerCheck, AppError>>(
    systemClock,
    patienceMs,
    checkServer({ url, stun }, proxyFor),
    () => late,
  )
  if (!found.ok) {
    const line = words.server.malformed(found.error.detail)
    return [{ name: 'server', state: 'failed', line }, ...relay]
  }
  const { server, detail } = found.value
  const state = server === 'ready' ? 'ok' : server === 'insecure' ? 'warning' : 'failed'
  return [
    { name: 'server', state, line: words.server[server](url, detail) },
    ...stunOf(
      found.value.stun.length > 0
        ? found.value.stun
        : stun.map((line) => ({ line, answers: false })),
    ),
    ...relay,
  ]
}

/** One that answers is enough; none at all looks like blocked UDP. */
function stunOf(servers: ServerCheck['stun']): readonly Check[] {
  if (servers.length === 0) return [{ name: 'stun', state: 'unknown', line: words.stun.none }]
  const silent = servers.filter(({ answers }) => !answers).map(({ line }) => line)
  if (silent.length === 0) return [{ name: 'stun', state: 'ok', line: words.stun.ok }]
  return silent.length === servers.length
    ? [{ name: 'stun', state: 'failed', line: words.stun.blocked }]
    : [{ name: 'stun', state: 'warning', line: words.stun.some(silent.join(', ')) }]
}

async function lanCheck({ interfaces, hears }: DoctorSeams): Promise<Check> {
  const near = nearAddresses(interfaces())
  if (near.length === 0) return { name: 'lan', state: 'warning', line: words.lan.none }
  const heard = await Promise.all(near.map((place) => hears(place)))
  const deaf = near.filter((_, index) => heard[index] !== true).map(({ name }) => name)
  if (deaf.length === 0) return { name: 'lan', state: 'ok', line: words.lan.ok }
  return deaf.length === near.length
    ? { name: 'lan', state: 'failed', line: words.lan.blocked }
    : { name: 'lan', state: 'warning', line: words.lan.some([...new Set(deaf)].join(', ')) }
}

/** How far it gets. */
function reachOf(checks: readonly Check[]): 'everywhere' | 'network' | 'internet' | 'nowhere' {
  const isGood = (name: Check['name']): boolean =>
    checks.some((one) => one.name === name && (one.state === 'ok' || one.state === 'warning'))
  if (!isGood('engine') || !isGood('addresses')) return 'nowhere'
  const isNear = checks.some(({ name, state }) => name === 'lan' && state === 'ok')
  const hasServer = checks.some(({ name, line }) => name === 'server' && line !== words.server.none)
  const isFar = hasServer && isGood('server')
  if (isFar) return isNear ? 'everywhere' : 'internet'
  return isNear ? 'network' : 'nowhere'
}

/** Of the first that failed; a silent STUN server means that no direct way may be found. */
function exitCodeOf(checks: readonly Check[]): ExitCode {
  const failed = (name: Check['name']): boolean =>
    checks.some((one) => one.name === name && one.state === 'failed')
  if (failed('engine')) return exitCodes.internal
  if (failed('settings')) return exitCodes.usage
  if (failed('server')) return exitCodes.server
  return failed('stun') || failed('addresses') || failed('lan')
    ? exitCodes.noRoute
    : exitCodes.complete
}
