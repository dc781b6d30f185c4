/** Creates the client of a command, with the engine of this program. */
import { join } from 'node:path'
import { type Client, createClient } from '#client/client'
import type { ClientOptions } from '#client/client-options'
import { systemClock } from '#client/clock'
import { builtInMeetingList } from '#client/meeting/meeting-list'
import { loadEngine } from '#client/native-engine'
import { findRouter } from '#client/port-mapping/find-router'
import { firstPatienceMs } from '#client/session/receive/sender-link'
import { SettingsInMemory } from '#client/settings/settings-store'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import { parseProxySetting } from '#shared/settings/proxy-url'
import type { RelayUse } from '#shared/settings/relay-use'
import { defaultSettings, type Settings, settingsFields } from '#shared/settings/settings'
import { parseServerUrl } from '#shared/signaling/server-url'
import { keepAwake } from './commands/keep-awake'
import { type ExitCode, exitCodeOf } from './exit-codes'
import { type OutputFlags, serversIn } from './options/flags'
import { serverPassword } from './options/server-password'
import type { SetFlags } from './options/stored-settings'
import type { Reporter } from './report/reporter'
import { closeInTime, limitExit } from './terminal/process-end'
import { watchSleep } from './terminal/sleep-watch'
import { text } from './text'

/** Options of all commands that connect. */
export type NetworkOptions = {
  /** The server and its fallbacks, separated by spaces. */
  readonly serverUrl?: string
  /** A file with the password of that server, or of the one in the settings. */
  readonly serverPasswordFile?: string
  readonly stunServer?: readonly string[]
  readonly turnServer?: readonly string[]
  /** `system`, `none` or an address; overrides the settings. */
  readonly proxy?: string
  readonly relay?: RelayUse
  /** True or false overrides `network.meeting`. */
  readonly meeting?: boolean
  /** Addresses of public meeting points, which override the list. */
  readonly meetingRelay?: readonly string[]
  /** Gives way to other traffic on the network. */
  readonly leaveRoom?: boolean
  /** False to neither announce nor search on the local network. */
  readonly lan?: boolean
  readonly name?: string
  readonly json?: boolean
  /** Stored settings, which options override; the default settings if absent. */
  readonly settings?: Settings
} & OutputFlags &
  SetFlags

/** The same options without the settings' default server, for transfers on this computer's own server. */
export const atThisComputer = <T extends NetworkOptions>(
  options: T,
): T & { readonly settings: Settings } => {
  const { settings = defaultSettings } = options
  const network = { ...settings.network, defaultServer: '' }
  return { ...options, settings: { ...settings, network } }
}

/** The settings, with `--leave-room` and without what `portMapping` forbids. */
const settingsOf = ({
  settings = defaultSettings,
  leaveRoom = false,
  portMapping = true,
}: NetworkOptions): Settings => ({
  ...settings,
  network: {
    ...settings.network,
    background: leaveRoom || settings.network.background,
    portMapping: portMapping && settings.network.portMapping,
  },
})

/** Applies `--meeting`, `--no-meeting` and `--meeting-relay`, which includes `--meeting`. */
function withMeeting(
  settings: Settings,
  { meeting, meetingRelay }: Pick<NetworkOptions, 'meeting' | 'meetingRelay'>,
): Result<Settings, AppError> {
  const { network } = settings
  const relays = meetingRelay ?? network.meetingRelays
  if (!settingsFields.network.meetingRelays.schema.safeParse(relays).success) {
    return err(appError('E_BAD_ARGUMENT', text.argument.meetingRelay, '--meeting-relay'))
  }
  const isMeant = meeting ?? (meetingRelay === undefined ? undefined : true)
  const use = isMeant === undefined ? network.meeting : isMeant ? 'always' : 'never'
  return ok({ ...settings, network: { ...network, meeting: use, meetingRelays: relays } })
}

/** Names the option or variable with an invalid address; `null` if both are valid. */
function checkAddresses({ serverUrl, proxy }: NetworkOptions): AppError | null {
  for (const url of serversIn(serverUrl)) {
    const server = parseServerUrl(url)
    if (server.ok) continue
    const place = process.env['THRU_SERVER_URL'] === serverUrl ? 'THRU_SERVER_URL' : '--server-url'
    return appError('E_BAD_ARGUMENT', text.argument.at(place, server.error.detail), place)
  }
  if (proxy === undefined || parseProxySetting(proxy) !== null) return null
  const place = process.env['THRU_PROXY'] === proxy ? 'THRU_PROXY' : '--proxy'
  return appError('E_BAD_ARGUMENT', text.argument.proxy(place), place)
}

/** Errors: `E_BAD_ARGUMENT` for an address or a folder, `E_INTERNAL` if the engine can't be loaded. */
function composeClient(
  options: NetworkOptions,
  more: Pick<ClientOptions, 'reachable' | 'receivesNearby' | 'shareRules'>,
): Result<Client, AppError> {
  if (options.name?.trim() === '') {
    return err(appError('E_BAD_ARGUMENT', text.argument.emptyName, '--name'))
  }
  const misplaced = checkAddresses(options)
  if (misplaced !== null) return err(misplaced)
  const engine = loadEngine({ override: process.env['THRU_ADDON'], bundle: __dirname })
  if (!engine.ok) return engine
  limitExit(engine.value)
  const { stunServer: stun = [], turnServer: turn = [] } = options
  const [url, ...fallbacks] = serversIn(options.serverUrl)
  const password = serverPassword(options.serverPasswordFile)
  if (!password.ok) return password
  const settings = withMeeting(settingsOf(options), options)
  if (!settings.ok) return settings
  return createClient({
    engine: engine.value,
    downloads: process.cwd(),
    settings: new SettingsInMemory(settings.value),
    serverUrl: url ?? null,
    serverPassword: password.value,
    fallbackUrls: fallbacks.length === 0 ? undefined : fallbacks,
    ice: { stun, turn },
    meetingList: builtInMeetingList,
    webPage: join(__dirname, '..', 'web'),
    relayUse: options.relay,
    proxy: options.proxy,
    // People and scripts wait for a command, so a share gives up as early as a receive.
    patienceMs: firstPatienceMs,
    findRouter,
    keepsHistory: options.history !== false,
    watchesFiles: options.verbose === true,
    visibleOnNetwork: options.lan !== false,
    name: options.name,
    ...more,
  })
}

/** Runs a command with a client, reports its events, and closes everything, whatever the result. */
export async function withClient(
  options: NetworkOptions,
  reporter: Reporter,
  command: (client: Client) => Promise<Result<ExitCode, AppError>>,
  more: Pick<ClientOptions, 'reachable' | 'receivesNearby' | 'shareRules'> = {},
): Promise<ExitCode> {
  const client = composeClient(options, more)
  if (!client.ok) {
    reporter.fail(client.error)
    return exitCodeOf(client.error)
  }
  client.value.subscribe((batch) => {
    const { state } = client.value.snapshot()
    for (const { event } of batch) reporter.report(event, state)
  })
  const stopWatching = watchSleep(systemClock, () => client.value.onWake())
  const { settings = defaultSettings } = options
  const stopKeepingAwake = settings.general.keepAwake ? keepAwake(client.value) : () => undefined
  const exit = await command(client.value)
  stopWatching()
  stopKeepingAwake()
  if (!exit.ok) reporter.fail(exit.error)
  await closeInTime(client.value)
  reporter.end()
  return exit.ok ? exit.value : exitCodeOf(exit.error)
}
