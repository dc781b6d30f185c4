/** The server as its own program: reads settings, listens on a port, and drains at the end. */
import { join } from 'node:path'
import { configHelp, describeConfig, readInvocation } from '#signaling/config/invocation'
import { reloadLimits } from '#signaling/config/reload'
import { serverText } from '#signaling/config/text'
import { createLog, logLevels } from '#signaling/log-lines'
import { pageFor } from '#signaling/pages/web-page'
import { chosenState } from '#signaling/rooms/chosen-state'
import { firstUncaughtError, runServer } from '#signaling/run-server'
import { startSignalingServer } from '#signaling/server'

async function main(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(`${serverText.title}\n\n${configHelp()}\n`)
    return 0
  }
  const level = logLevels.find((name) => name === (env['THRU_LOG_LEVEL'] ?? 'info'))
  if (level === undefined) return fail(serverText.logLevel(logLevels.join(', ')))
  const invocation = readInvocation(args, env)
  if (!invocation.ok) return fail(invocation.error.detail)
  const { config, isCheck, hasFiles } = invocation.value
  if (isCheck) {
    process.stdout.write(`${describeConfig(invocation.value)}\n`)
    return 0
  }
  const given = { ...env }
  // Keeps the secrets from any program that this one might start.
  delete env['THRU_TURN_SECRET']
  delete env['THRU_SERVER_PASSWORD']
  delete env['REDIS_URL']
  // The server continues when the reader of its log has ended.
  process.stdout.on('error', () => undefined)
  const log = createLog(level, process.stdout)
  let reload = (): void => undefined
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, resolve)
    // Without a file there is nothing to reload.
    process.on('SIGHUP', () => (hasFiles ? reload() : resolve()))
  })
  const uncaught = firstUncaughtError(log)
  const state = await chosenState(config)
  if (!state.ok) return fail(state.error.detail)
  const page = pageFor(config.web, join(__dirname, '..', 'web'))
  if (!page.ok) return fail(page.error.detail)
  const server = await startSignalingServer({
    ...config,
    state: state.value,
    log,
    page: page.value,
  })
  if (!server.ok) return fail(server.error.detail)
  reload = () => reloadLimits(args, given, server.value, log)
  if (await runServer(server.value, stopped, uncaught)) return 0
  // After an uncaught error, something may still keep the process alive.
  process.exit(1)
}

function fail(message: string): number {
  process.stderr.write(`${message}\n`)
  return 2
}

void main(process.argv.slice(2), process.env).then((status) => {
  process.exitCode = status
})
