/** The client of a command, with the engine that belongs to this program. */
import { type Client, createClient } from '#client/client'
import type { ClientOptions } from '#client/client-options'
import { systemClock } from '#client/clock'
import { loadEngine } from '#client/native-engine'
import { type AppError, appError } from '#shared/errors'
import { err, type Result } from '#shared/result'
import { type ExitCode, exitCodeOf } from './exit-codes'
import type { OutputFlags } from './flags'
import { keepAwake } from './keep-awake'
import type { Reporter } from './reporter'
import { watchSleep } from './sleep-watch'
import { text } from './text'

/** What all commands that connect to somebody have in common. */
export type NetworkOptions = {
  readonly serverUrl?: string
  readonly stunServer?: readonly string[]
  readonly turnServer?: readonly string[]
  readonly forceTurn?: boolean
  /** False: neither found nor looking on the local network. */
  readonly lan?: boolean
  readonly name?: string
  readonly json?: boolean
} & OutputFlags

/** People and scripts wait for a command; a server that just restarts is back by then. */
const patienceMs = 6000

/** Errors: `E_BAD_ARGUMENT` for an address, `E_INTERNAL` without an engine. */
function composeClient(
  options: NetworkOptions,
  more: Pick<ClientOptions, 'reachable'>,
): Result<Client, AppError> {
  if (options.name?.trim() === '') {
    return err(appError('E_BAD_ARGUMENT', text.argument.emptyName, '--name'))
  }
  const engine = loadEngine({ override: process.env['THRU_ADDON'], bundle: __dirname })
  if (!engine.ok) return engine
  return createClient({
    engine: engine.value,
    downloads: process.cwd(),
    serverUrl: options.serverUrl ?? null,
    ice: {
      stun: options.stunServer ?? [],
      turn: options.turnServer ?? [],
      relayOnly: options.forceTurn === true,
    },
    patienceMs,
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
  const stopKeepingAwake = keepAwake(client.value)
  const exit = await command(client.value)
  stopWatching()
  stopKeepingAwake()
  if (!exit.ok) reporter.fail(exit.error)
  await client.value.close()
  reporter.end()
  return exit.ok ? exit.value : exitCodeOf(exit.error)
}
