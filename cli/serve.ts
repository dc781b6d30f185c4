/** `thru serve`: a signaling server until it is stopped; its log goes to standard error. */
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { appError } from '#shared/errors'
import { formatList } from '#shared/format'
import { readConfig } from '#signaling/config'
import { createLog, logLevels } from '#signaling/pino-log'
import { firstUncaughtError, runServer } from '#signaling/run-server'
import { startSignalingServer } from '#signaling/server'
import { type ExitCode, exitCodeOf, exitCodes } from './exit-codes'
import type { Reporter } from './reporter'
import type { StopSignal } from './stop-signal'
import { outputOf, type Terminal } from './terminal'
import { text } from './text'

/** Runs the server with the settings of `flags`, and prints where it listens. */
export async function serve(
  flags: readonly string[],
  reporter: Reporter,
  terminal: Terminal,
  stopped: Promise<StopSignal>,
): Promise<ExitCode> {
  const level = logLevels.find((name) => name === (process.env['THRU_LOG_LEVEL'] ?? 'info'))
  if (level === undefined) {
    const detail = text.argument.logLevel(formatList(logLevels, 'or'))
    reporter.fail(appError('E_BAD_ARGUMENT', detail, 'THRU_LOG_LEVEL'))
    return exitCodes.usage
  }
  const config = readConfig(flags, process.env)
  // No program that this one might start gets to see it.
  delete process.env['THRU_TURN_SECRET']
  const log = createLog(level, outputOf('stderr'))
  const uncaught = firstUncaughtError(log)
  const server = config.ok ? await startSignalingServer({ ...config.value, log }) : config
  if (!server.ok) {
    reporter.fail(server.error)
    return exitCodeOf(server.error)
  }
  terminal.out(text.server.listening(server.value.url))
  const host = config.ok ? config.value.host : ''
  for (const url of addressesElsewhere(host, server.value.port, networkInterfaces())) {
    terminal.note(text.server.forFriends(url))
  }
  if (await runServer(server.value, stopped, uncaught)) return exitCodes.complete
  // After an uncaught error something may still keep the process alive.
  process.exit(exitCodes.internal)
}

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>

/** How other computers reach a server that listens at `host`; none when only this one does. */
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

/** Such an address is of no use without the name of an interface. */
const isLinkLocal = (address: string): boolean => /^fe[89ab]/i.test(address)
