/** The command line: reads arguments and environment, runs one command, and exits with its code. */
import { readFileSync } from 'node:fs'
import { join as joinPath } from 'node:path'
import { type Command, CommanderError } from 'commander'
import { readNotices } from '#client/notices'
import { appError } from '#shared/errors'
import type { CommandContext } from './commands/command-context'
import { codeTaker, processCodeSources } from './commands/take-code'
import type { NetworkOptions } from './compose-client'
import { type ExitCode, exitCodeOf, exitCodes } from './exit-codes'
import type { ReportFlags } from './options/flags'
import { isInputPiped, withImpliedCommand } from './options/implied-command'
import { type Handlers, makeProgram } from './options/program'
import { settingsFile, withSettings } from './options/stored-settings'
import type { Reporter } from './report/reporter'
import { endLate } from './terminal/process-end'
import { codeVariable } from './terminal/scrub-secrets'
import { stopSignal } from './terminal/stop-signal'
import { outputOf, processTerminal, type Terminal } from './terminal/terminal'
import { text } from './text'

const codeSources = processCodeSources(codeVariable)

/** The options of a command that reporters need. */
type ReporterOptions = Pick<NetworkOptions, 'json'> & ReportFlags

async function reporterFor(
  { json, ...asked }: ReporterOptions,
  terminal: Terminal,
): Promise<Reporter> {
  if (json === true)
    return new (await import('./report/json-reporter')).JsonReporter(terminal, asked)
  return new (await import('./report/plain-reporter')).PlainReporter(terminal, asked)
}

/** Returns the reporter and the terminal of a command. */
const speak = async (options: ReporterOptions): Promise<readonly [Reporter, Terminal]> => {
  const terminal = processTerminal(options.color, options.toOutput)
  return [await reporterFor(options, terminal), terminal]
}

/** Runs a command that connects, with the stored settings; fails if their file can't be used. */
async function connecting<T extends NetworkOptions & ReporterOptions>(
  options: T,
  run: (settled: T, context: CommandContext) => Promise<ExitCode>,
): Promise<void> {
  const [reporter, terminal] = await speak(options)
  const settled = withSettings(options, settingsFile(), terminal)
  if (settled.ok) {
    process.exitCode = await run(settled.value, { reporter, terminal, stopped: stopSignal() })
    return
  }
  reporter.fail(settled.error)
  reporter.end()
  process.exitCode = exitCodeOf(settled.error)
}

const print = (words: string): void => void outputOf('stdout').write(words)

/** Handlers import their command when called, so that no command loads the code of others. */
const handlers: Handlers = {
  host: async (paths, options) => {
    const { host } = await import('./commands/host')
    await connecting(options, (settled, context) => host(paths, settled, context))
  },
  join: async (code, folder, options) => {
    const { join, writesToOutput } = await import('./commands/join')
    const speaking = { ...options, toOutput: writesToOutput(folder, options) }
    const takeCode = codeTaker(code, codeSources)
    await connecting(speaking, (settled, context) => join(takeCode, folder, settled, context))
  },
  request: async (folder, options) => {
    const { request } = await import('./commands/request')
    await connecting(options, (settled, context) => request(folder, settled, context))
  },
  resume: async (number, code, options) => {
    const { resume } = await import('./commands/resume')
    const isGiven = code !== undefined || codeSources.variable !== undefined
    const taker = { isGiven, take: codeTaker(code, codeSources) }
    await connecting(options, (settled, context) => resume(number, taker, settled, context))
  },
  listen: async (options) => {
    const { listen } = await import('./commands/listen')
    await connecting(options, listen)
  },
  nearby: async (options) => {
    const { nearby } = await import('./commands/nearby')
    await connecting(options, nearby)
  },
  contacts: async (call, options) => {
    const { contacts } = await import('./commands/contacts')
    process.exitCode = await contacts(call, options, ...(await speak(options)))
  },
  config: async (call, options) => {
    const { config } = await import('./commands/config')
    process.exitCode = await config(call, options, ...(await speak(options)))
  },
  history: async (call, options) => {
    const { history } = await import('./commands/history')
    process.exitCode = await history(call, options, ...(await speak(options)))
  },
  doctor: async (options) => {
    const { doctor } = await import('./commands/doctor')
    process.exitCode = await doctor(options, processTerminal(options.color), version())
  },
  serve: async (settings) => {
    const { serve } = await import('./commands/serve')
    process.exitCode = await serve(settings, ...(await speak({})), stopSignal)
  },
  completion: async (shell, thru) => {
    const { completionScript, isShell } = await import('./options/completion')
    if (isShell(shell)) {
      print(completionScript(shell, thru))
      return
    }
    const [reporter] = await speak({})
    reporter.fail(appError('E_BAD_ARGUMENT', text.argument.shell, shell))
    process.exitCode = exitCodes.usage
  },
  man: async (thru) => {
    const { manualPage } = await import('./options/manual')
    print(manualPage(thru))
  },
  licenses: async () => {
    const notices = await readNotices(__dirname)
    if (notices.ok) {
      print(notices.value)
      return
    }
    const [reporter] = await speak({})
    reporter.fail(notices.error)
    process.exitCode = exitCodes.internal
  },
}

/** The package that this bundle belongs to. */
const own = (...names: readonly string[]): string => joinPath(__dirname, '..', '..', ...names)

function version(): string {
  const content = readFileSync(own('package.json'), 'utf8')
  return (JSON.parse(content) as { readonly version: string }).version
}

/** The version, with the update channel unless it is the stable one. */
function versionText(): string {
  const { channel } = settingsFile().read().settings.updates
  return channel === 'stable' ? version() : `${version()} (${channel})`
}

/** Names of commands that write only for other programs. */
const silentCommands: ReadonlySet<string> = new Set(['completion', 'man', 'serve'])

/** Starts looking for a newer version if a person would see the hint; the result prints it. */
async function hintFor(command: Command): Promise<() => Promise<void>> {
  const { json, quiet, color } = command.opts<{ json?: true; quiet?: true; color?: string }>()
  const isHeard = process.stderr.isTTY && json !== true && quiet !== true
  if (!isHeard || silentCommands.has(command.name())) return () => Promise.resolve()
  const { updates } = settingsFile().read().settings
  const automatic = updates.automatic && !process.env['THRU_NO_UPDATE_CHECK']
  if (!automatic) return () => Promise.resolve()
  const { beginOwnHint } = await import('./report/update-hint')
  return beginOwnHint(processTerminal(color, true), { version: version(), updates, own })
}

async function main(): Promise<void> {
  const asksVersion = process.argv.some((argument) => argument === '--version' || argument === '-V')
  const thru = makeProgram(handlers, asksVersion ? versionText() : version())
  let hint = (): Promise<void> => Promise.resolve()
  // The variable contains a password, which no program started by this one may inherit.
  thru.hook('preAction', () => {
    delete process.env['THRU_TURN_SERVER']
  })
  thru.hook('preAction', async (_thru, command) => {
    hint = await hintFor(command)
  })
  try {
    const names = thru.commands.flatMap((command) => [command.name(), ...command.aliases()])
    const given = process.argv.slice(2)
    const args = withImpliedCommand(given, [...names, 'help'], isInputPiped)
    await thru.parseAsync(args, { from: 'user' })
    await hint()
  } catch (reason) {
    if (!(reason instanceof CommanderError)) throw reason
    process.exitCode = reason.exitCode === 0 ? exitCodes.complete : exitCodes.usage
  }
  endLate()
}

void main()
