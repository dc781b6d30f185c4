/** The server as a program of its own: settings in, one listening port, a drain at the end. */
import { configHelp, readConfig } from '#signaling/config'
import { createLog, logLevels } from '#signaling/pino-log'
import { firstUncaughtError, runServer } from '#signaling/run-server'
import { startSignalingServer } from '#signaling/server'
import { serverText } from '#signaling/text'

async function main(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(`${serverText.title}\n\n${configHelp()}\n`)
    return 0
  }
  const level = logLevels.find((name) => name === (env['THRU_LOG_LEVEL'] ?? 'info'))
  if (level === undefined) return fail(serverText.logLevel(logLevels.join(', ')))
  const config = readConfig(args, env)
  if (!config.ok) return fail(config.error.detail)
  // No program that this one might start gets to see it.
  delete env['THRU_TURN_SECRET']
  const log = createLog(level)
  const stopped = new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(signal, resolve)
  })
  const uncaught = firstUncaughtError(log)
  const server = await startSignalingServer({ ...config.value, log })
  if (!server.ok) return fail(server.error.detail)
  if (await runServer(server.value, stopped, uncaught)) return 0
  // After an uncaught error something may still keep the process alive.
  process.exit(1)
}

function fail(message: string): number {
  process.stderr.write(`${message}\n`)
  return 2
}

void main(process.argv.slice(2), process.env).then((status) => {
  process.exitCode = status
})
