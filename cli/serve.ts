import { exitCodeOf, exitCodes, type ExitCode } from './exit-codes'
import type { Reporter } from './reporter'
import type { StopSignal } from './stop-signal'
import type { Terminal } from './terminal'
import { appError } from '#shared/errors'
import { readConfig } from '#signaling/config'
import { createLog, logLevels } from '#signaling/pino-log'
import { firstFault, runServer } from '#signaling/run-server'
import { startSignalingServer } from '#signaling/server'

/** `thru serve`: a signaling server until it is stopped; its log goes to standard error. */
export async function serve(
  flags: readonly string[],
  reporter: Reporter,
  terminal: Terminal,
  stopped: Promise<StopSignal>,
): Promise<ExitCode> {
  const level = logLevels.find((name) => name === (process.env['THRU_LOG_LEVEL'] ?? 'info'))
  if (level === undefined) {
    reporter.fail(appError('E_BAD_ARGUMENT', `one of ${logLevels.join(', ')}`, 'THRU_LOG_LEVEL'))
    return exitCodes.usage
  }
  const config = readConfig(flags, process.env)
  // No program that this one might start gets to see it.
  delete process.env['THRU_TURN_SECRET']
  const log = createLog(level, process.stderr)
  const fault = firstFault(log)
  const server = config.ok ? await startSignalingServer({ ...config.value, log }) : config
  if (!server.ok) {
    reporter.fail(server.error)
    return exitCodeOf(server.error)
  }
  terminal.out(`Signaling server at ${server.value.url}`)
  if (await runServer(server.value, stopped, fault)) return exitCodes.complete
  // After a fault there may be more left that would keep the process.
  process.exit(exitCodes.internal)
}
