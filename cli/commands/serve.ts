/** `thru serve` runs a signaling server until it is stopped; its log goes to standard error. */
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { appError } from '#shared/errors'
import { formatList } from '#shared/format/format'
import { describeConfig, readInvocation } from '#signaling/config/invocation'
import { reloadLimits } from '#signaling/config/reload'
import { createLog, logLevels } from '#signaling/log-lines'
import { pageFor } from '#signaling/pages/web-page'
import { chosenState } from '#signaling/rooms/chosen-state'
import { firstUncaughtError, runServer } from '#signaling/run-server'
import { startSignalingServer } from '#signaling/server'
import { type ExitCode, exitCodeOf, exitCodes } from '../exit-codes'
import type { Reporter } from '../report/reporter'
import type { StopSignal } from '../terminal/stop-signal'
import { outputOf, type Terminal } from '../terminal/terminal'
import { text } from '../text'

/**
 * Runs the server with the settings of `flags`, the environment and a file, and prints its address.
 * `stopSignal` waits for the end; its argument handles SIGHUP instead.
 */
export async function serve(
  flags: readonly string[],
  reporter: Reporter,
  terminal: Terminal,
  stopSignal: (onHangup?: () => void) => Promise<StopSignal>,
): Promise<ExitCode> {
  const level = logLevels.find((name) => name === (process.env['THRU_LOG_LEVEL'] ?? 'info'))
  if (level === undefined) {
    const detail = text.argument.logLevel(formatList(logLevels, 'or'))
    reporter.fail(appError('E_BAD_ARGUMENT', detail, 'THRU_LOG_LEVEL'))
    return exitCodes.usage
  }
  const invocation = readInvocation(flags, process.env)
  if (!invocation.ok) {
    reporter.fail(invocation.error)
    return exitCodeOf(invocation.error)
  }
  const { config, isCheck, hasFiles } = invocation.value
  if (isCheck) {
    for (const line of describeConfig(invocation.value).split('\n')) terminal.out(line)
    return exitCodes.complete
  }
  const env = { ...process.env }
  // Keeps the secrets from any program that this one might start.
  delete process.env['THRU_TURN_SECRET']
  delete process.env['THRU_SERVER_PASSWORD']
  delete process.env['REDIS_URL']
  const log = createLog(level, outputOf('stderr'))
  const uncaught = firstUncaughtError(log)
  let reload = (): void => undefined
  // Without a file there is nothing to reload.
  const stopped = hasFiles ? stopSignal(() => reload()) : stopSignal()
  const state = await chosenState(config)
  if (!state.ok) {
    reporter.fail(state.error)
    return exitCodeOf(state.error)
  }
  const page = pageFor(config.web, join(__dirname, '..', 'web'))
  if (!page.ok) {
    reporter.fail(page.error)
    return exitCodeOf(page.error)
  }
  const server = await startSignalingServer({
    ...config,
    state: state.value,
    log,
    page: page.value,
  })
  if (!server.ok) {
    reporter.fail(server.error)
    return exitCodeOf(server.error)
  }
  reload = () => reloadLimits(flags, env, server.value, log)
  terminal.out(text.server.listening(server.value.url))
  for (const url of addressesElsewhere(config.host, server.value.port, networkInterfaces())) {
    terminal.note(text.server.forFriends(url))
  }
  if (await runServer(server.value, stopped, uncaught)) return exitCodes.complete
  // After an uncaught error, something may still keep the process alive.
  process.exit(exitCodes.internal)
}

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>

/** URLs at which other computers reach a server on `host`; empty if only this computer does. */
export function addressesElsewhere(
  host: string,
  port: number,
  interfaces: Interfaces,
): readonly string[] {
  const isEverywhere = host === '' || host === '0.0.0.0' || host === '::'
  return Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address, family }) => {
      if (internal || (!isEverywhere && address !== host)) return false
      return family === 'IPv4' || (host !== '0.0.0.0' && !isLinkLocal(address))
    })
    .map(({ address, family }) => (family === 'IPv4' ? address : `[${address}]`))
    .map((address) => `ws://${address}:${port}`)
}

/** Such an address is useless without the name of an interface. */
const isLinkLocal = (address: string): boolean => /^fe[89ab]/i.test(address)
