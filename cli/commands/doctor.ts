/** `thru doctor` checks connectivity, and sends no more than a transfer would. */
import { platform, release } from 'node:os'
import { builtInMeetingList } from '#client/meeting/meeting-list'
import { loadEngine } from '#client/native-engine'
import {
  checkNetworkPart,
  type CheckSeams,
  type NetworkInUse,
  systemChecks,
} from '#client/network-check/network-check'
import { proxyChooser } from '#client/proxy/proxy-choice'
import { adviceFor, reportOf } from '#shared/describe-finding'
import { parseProxySetting } from '#shared/settings/proxy-url'
import { chooseServer, passwordOf } from '#shared/settings/server-choice'
import type { Settings } from '#shared/settings/settings'
import {
  type CheckName,
  checkParts,
  type Finding,
  inOrder,
  reachOf,
} from '#shared/state/network-check'
import { type ExitCode, exitCodes } from '../exit-codes'
import { serversIn } from '../options/flags'
import { serverPassword } from '../options/server-password'
import { settingsFile } from '../options/stored-settings'
import { jsonText } from '../report/json-reporter'
import type { Terminal } from '../terminal/terminal'
import { text } from '../text'

/** The options of `thru doctor`. */
export type DoctorOptions = {
  readonly json?: boolean
  readonly report?: boolean
  readonly relayRate?: boolean
  readonly serverUrl?: string
  readonly serverPasswordFile?: string
  readonly stunServer?: readonly string[]
  readonly turnServer?: readonly string[]
  readonly proxy?: string
  readonly lan?: boolean
  readonly meeting?: boolean
  readonly meetingRelay?: readonly string[]
  readonly color?: string
}

/** The checks and settings; tests replace them. */
export type DoctorSeams = CheckSeams & { readonly settings: typeof settingsFile }

const system = (): DoctorSeams => ({
  ...systemChecks(() => loadEngine({ override: process.env['THRU_ADDON'], bundle: __dirname })),
  settings: settingsFile,
})

/** Runs `thru doctor`: prints a line for each check and returns the exit code of the worst. */
export async function doctor(
  options: DoctorOptions,
  terminal: Terminal,
  version: string,
  seams: DoctorSeams = system(),
): Promise<ExitCode> {
  const password = serverPassword(options.serverPasswordFile)
  if (!password.ok) {
    terminal.note(password.error.detail)
    return exitCodes.usage
  }
  const used = networkInUse(options, password.value, seams)
  const parts = await Promise.all(checkParts.map((part) => checkNetworkPart(part, used, seams)))
  const findings = inOrder(parts.flat())
  if (options.report === true) {
    const heading = `Thruflux ${version}, ${platform()} ${release()}, ${process.arch}`
    const report = reportOf(findings, heading)
    for (const line of report.trimEnd().split('\n')) terminal.out(line)
    return exitCodeOf(findings)
  }
  for (const found of findings) {
    const { what, remedy } = adviceHere(found)
    const line = remedy === '' ? what : `${what} ${remedy}`
    if (options.json === true)
      terminal.out(jsonText({ type: 'check', ...found, line, what, remedy }))
    else terminal.out(`${words.marks[found.state]} ${line}`, tones[found.state])
  }
  if (options.json !== true) terminal.out(words.summary(reachOf(findings)))
  return exitCodeOf(findings)
}

/** Servers and passwords are fields in the window, but options here. */
function adviceHere(found: Finding): ReturnType<typeof adviceFor> {
  const advice = adviceFor(found)
  if (found.name !== 'server') return advice
  if (found.verdict === 'none') return { ...advice, remedy: text.config.addServer }
  const isOfPassword = found.verdict === 'password'
  return isOfPassword ? { ...advice, remedy: text.remedies.E_SERVER_PASSWORD } : advice
}

const words = text.doctor

const tones = { ok: undefined, warning: undefined, failed: 'bad', unknown: 'faint' } as const

function networkInUse(
  options: DoctorOptions,
  password: string | undefined,
  seams: DoctorSeams,
): NetworkInUse {
  const reading = seams.settings().read()
  const { network, advanced } = reading.settings
  const { stunServer: stun, turnServer: turn } = options
  const [url, ...others] = serversIn(options.serverUrl)
  const fallbacks = others.length === 0 ? undefined : others
  const given = { url, fallbacks, stun, turn, password }
  return {
    choice: chooseServer(given, network),
    proxyFor: proxyChooser({
      setting: () => parseProxySetting(options.proxy ?? network.proxy),
      environment: process.env,
    }),
    passwordFor: (server) => passwordOf(server, network),
    meetingRelays: meetingRelaysOf(options, network),
    isVisible: options.lan !== false && network.visible !== 'off',
    badSettings: reading.error?.detail ?? null,
    socketBuffers: advanced.socketBuffers,
    measuresRelays: options.relayRate === true,
  }
}

/** The relays of the options or the settings, or this copy's; `null` if they may not be used. */
function meetingRelaysOf(
  { meeting, meetingRelay }: DoctorOptions,
  { meeting: use, meetingRelays: set }: Settings['network'],
): readonly string[] | null {
  const isUsed = meeting ?? (meetingRelay !== undefined || use === 'automatic' || use === 'always')
  return isUsed ? (meetingRelay ?? (set.length > 0 ? set : builtInMeetingList.relays)) : null
}

/** The exit code of the first failed check; blocked UDP means that no direct route can be found. */
function exitCodeOf(findings: readonly Finding[]): ExitCode {
  const failed = (...names: readonly CheckName[]): boolean =>
    findings.some(({ name, state }) => names.includes(name) && state === 'failed')
  if (failed('engine')) return exitCodes.internal
  if (failed('settings')) return exitCodes.usage
  if (failed('server', 'proxy')) return exitCodes.server
  return failed('udp', 'mtu', 'relay', 'addresses', 'lan') ? exitCodes.noRoute : exitCodes.complete
}
