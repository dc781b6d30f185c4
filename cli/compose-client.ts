/** The client of a command, with the engine that belongs to this program. */
import { resolve } from 'node:path'
import { type Client, createClient } from '#client/client'
import type { ClientOptions } from '#client/client-options'
import { systemClock } from '#client/clock'
import { loadEngine } from '#client/native-engine'
import { SettingsInMemory } from '#client/settings/settings-store'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import { chooseServer } from '#shared/server-choice'
import { defaultSettings, type Settings } from '#shared/settings'
import { type ExitCode, exitCodeOf } from './exit-codes'
import type { OutputFlags } from './flags'
import { keepAwake } from './keep-awake'
import { closeInTime, limitExit } from './process-end'
import { whyNoLogFolder } from './qlog-folder'
import type { Reporter } from './reporter'
import { watchSleep } from './sleep-watch'
import { text } from './text'

/** What all commands that connect to somebody have in common. */
export type NetworkOptions = {
  readonly serverUrl?: string
  readonly stunServer?: readonly string[]
  readonly turnServer?: readonly string[]
  /** `system`, `none` or an address, which beats the settings. */
  readonly proxy?: string
  readonly forceTurn?: boolean
  /** Others on the network go first. */
  readonly leaveRoom?: boolean
  /** False: neither found nor looking on the local network. */
  readonly lan?: boolean
  readonly name?: string
  /** False: nothing goes to the history. */
  readonly history?: boolean
  readonly json?: boolean
  /** Where each connection leaves a qlog. */
  readonly qlog?: string
  /** What people set for all transfers, which options beat; the defaults unless given. */
  readonly settings?: Settings
} & OutputFlags

/** The same for what belongs to the server of this computer, which no setting takes it away from. */
export const atThisComputer = <T extends NetworkOptions>(
  options: T,
): T & { readonly settings: Settings } => {
  const { settings = defaultSettings } = options
  const network = { ...settings.network, defaultServer: '' }
  return { ...options, settings: { ...settings, network } }
}

/** People and scripts wait for a command; a server that just restarts is back by then. */
const patienceMs = 6000

/** `--force-turn`, which holds for the TURN servers of the settings, too. */
const onlyRelays = (settings: Settings): Settings => ({
  ...settings,
  network: { ...settings.network, relay: 'only' },
})

/** `--leave-room`. */
const yielding = (settings: Settings): Settings => ({
  ...settings,
  network: { ...settings.network, leaveRoom: true },
})

/** `--qlog`. Error: the folder is of no use. */
function withQlog(settings: Settings, folder: string | undefined): Result<Settings, AppError> {
  if (folder === undefined) return ok(settings)
  const qlogFolder = resolve(folder)
  const why = whyNoLogFolder(qlogFolder)
  return why === null
    ? ok({ ...settings, advanced: { ...settings.advanced, qlogFolder } })
    : err(appError('E_BAD_ARGUMENT', text.argument.qlogFolder(why), '--qlog'))
}

/** Errors: `E_BAD_ARGUMENT` for an address or a folder, `E_INTERNAL` without an engine. */
function composeClient(
  options: NetworkOptions,
  more: Pick<ClientOptions, 'reachable'>,
): Result<Client, AppError> {
  if (options.name?.trim() === '') {
    return err(appError('E_BAD_ARGUMENT', text.argument.emptyName, '--name'))
  }
  const engine = loadEngine({ override: process.env['THRU_ADDON'], bundle: __dirname })
  if (!engine.ok) return engine
  limitExit(engine.value)
  const { serverUrl: url, stunServer: stun = [], turnServer: turn = [] } = options
  const isForced = options.forceTurn === true
  const logged = withQlog(options.settings ?? defaultSettings, options.qlog)
  if (!logged.ok) return logged
  const routed = isForced ? onlyRelays(logged.value) : logged.value
  const settings = options.leaveRoom === true ? yielding(routed) : routed
  const given = { url, ...(turn.length === 0 ? {} : { turn }) }
  const relays = chooseServer(given, settings.network).turn
  return createClient({
    engine: engine.value,
    downloads: process.cwd(),
    settings: new SettingsInMemory(settings),
    serverUrl: url ?? null,
    ice: {
      ...{ stun, turn },
      // Refused at once, and not when the first transfer connects.
      relayOnly: isForced && relays.length === 0,
    },
    ...(options.proxy === undefined ? {} : { proxy: options.proxy }),
    patienceMs,
    keepsHistory: options.history !== false,
    watchesFiles: options.verbose === true,
    visibleOnNetwork: options.lan !== false,
    ...more,
    ...(options.name === undefined ? {} : { name: options.name }),
  })
}

/** Runs a command with a client, reports what happens, and closes everything whatever it ended with. */
export async function withClient(
  options: NetworkOptions,
  reporter: Reporter,
  command: (client: Client) => Promise<Result<ExitCode, AppError>>,
  more: Pick<ClientOptions, 'reachable'> = {},
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
  const stopWatching = watchSleep(systemClock, () => {
    client.value.noticeWake()
  })
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
