/** The command line: reads arguments and environment, runs one command, ends with its exit code. */
import { readFileSync } from 'node:fs'
import { join as joinPath } from 'node:path'
import { type Command, CommanderError } from 'commander'
import { systemClock } from '#client/clock'
import { readNotices } from '#client/notices'
import { stateDirectory } from '#client/state/state-directory'
import { packageTypeIn, packagingOf } from '#client/update/packaging'
import { UpdateNotes } from '#client/update/update-note'
import { appError } from '#shared/errors'
import type { UpdatedBy } from '#shared/update/update-status'
import { completionScript, isShell } from './completion'
import type { NetworkOptions } from './compose-client'
import { config } from './config'
import { contacts } from './contacts'
import { doctor } from './doctor'
import { exitCodes } from './exit-codes'
import type { ReportFlags } from './flags'
import { history } from './history'
import { host } from './host'
import { join, writesToOutput } from './join'
import { JsonReporter } from './json-reporter'
import { listen } from './listen'
import { manualPage } from './manual'
import { PlainReporter } from './plain-reporter'
import { type Handlers, makeProgram } from './program'
import type { Reporter } from './reporter'
import { resume } from './resume'
import { codeVariable } from './scrub-secrets'
import { serve } from './serve'
import { stopSignal } from './stop-signal'
import { readOrWarn, settingsFile } from './stored-settings'
import { codeTaker, processCodeSources } from './take-code'
import { outputOf, processTerminal, type Terminal } from './terminal'
import { text } from './text'
import { beginHint } from './update-hint'

const codeSources = processCodeSources(codeVariable)

/** What the reporters need to know of a command's options. */
type ReporterOptions = Pick<NetworkOptions, 'json'> & ReportFlags

const reporterFor = ({ json, ...asked }: ReporterOptions, terminal: Terminal): Reporter =>
  json === true ? new JsonReporter(terminal, asked) : new PlainReporter(terminal, asked)

/** The terminal of a command, and who reports on it. */
const speak = (options: ReporterOptions): readonly [Reporter, Terminal] => {
  const terminal = processTerminal(options.color, options.toOutput)
  return [reporterFor(options, terminal), terminal]
}

/** `options` with what the file of settings says; a file that makes no sense is told, and stops nothing. */
const withSettings = <T extends NetworkOptions>(options: T, terminal: Terminal): T => ({
  ...options,
  settings: readOrWarn(settingsFile(), terminal).settings,
})

/** Prints a text as a whole. */
const print = (words: string): void => void outputOf('stdout').write(words)

const handlers: Handlers = {
  host: async (paths, options) => {
    const [reporter, terminal] = speak(options)
    const settled = withSettings(options, terminal)
    process.exitCode = await host(paths, settled, reporter, terminal, stopSignal())
  },
  join: async (code, folder, options) => {
    const [reporter, terminal] = speak({ ...options, toOutput: writesToOutput(folder, options) })
    const takeCode = codeTaker(code, codeSources)
    const settled = withSettings(options, terminal)
    process.exitCode = await join(takeCode, folder, settled, reporter, terminal, stopSignal())
  },
  resume: async (number, code, options) => {
    const [reporter, terminal] = speak(options)
    const isGiven = code !== undefined || codeSources.variable !== undefined
    const taker = { isGiven, take: codeTaker(code, codeSources) }
    const settled = withSettings(options, terminal)
    process.exitCode = await resume(number, taker, settled, reporter, terminal, stopSignal())
  },
  listen: async (options) => {
    const [reporter, terminal] = speak(options)
    const settled = withSettings(options, terminal)
    process.exitCode = await listen(settled, reporter, terminal, stopSignal())
  },
  contacts: async (call, options) => {
    process.exitCode = await contacts(call, options, ...speak(options))
  },
  config: async (call, options) => {
    process.exitCode = await config(call, options, ...speak(options))
  },
  history: async (call, options) => {
    process.exitCode = await history(call, options, ...speak(options))
  },
  doctor: async (options) => {
    process.exitCode = await doctor(options, processTerminal(options.color))
  },
  serve: async (settings) => {
    process.exitCode = await serve(settings, ...speak({}), stopSignal())
  },
  completion: (shell, thru) => {
    if (isShell(shell)) {
      print(completionScript(shell, thru))
      return
    }
    const [reporter] = speak({})
    reporter.fail(appError('E_BAD_ARGUMENT', text.argument.shell, shell))
    process.exitCode = exitCodes.usage
  },
  man: (thru) => {
    print(manualPage(thru))
  },
  licenses: async () => {
    const notices = await readNotices(__dirname)
    if (notices.ok) {
      print(notices.value)
      return
    }
    const [reporter] = speak({})
    reporter.fail(notices.error)
    process.exitCode = exitCodes.internal
  },
}

/** The package that this bundle belongs to. */
const own = (...names: readonly string[]): string => joinPath(__dirname, '..', '..', ...names)

/** The application's version. */
function version(): string {
  const content = readFileSync(own('package.json'), 'utf8')
  return (JSON.parse(content) as { readonly version: string }).version
}

/** The version, and the channel that newer ones come from unless it is the usual one. */
function versionText(): string {
  const { channel } = settingsFile().read().settings.updates
  return channel === 'stable' ? version() : `${version()} (${channel})`
}

/** What commands that only write for other programs are called. */
const silentCommands: ReadonlySet<string> = new Set(['completion', 'man', 'serve'])

/** Who brings the package up to date that this command came in. */
const updatedBy = (): UpdatedBy =>
  packagingOf({
    ...{ platform: process.platform, env: process.env, isPackaged: true },
    program: process.execPath,
    packageType: packageTypeIn(own('..')),
    // Only the app itself knows these, and only the word of a package leads to the system.
    ...{ hasUninstaller: false, isFromStore: false },
  }).by

/** Begins to look for a newer version where somebody would read about it; the result says it. */
function hintFor(command: Command): () => Promise<void> {
  const { json, quiet, color } = command.opts<{ json?: true; quiet?: true; color?: string }>()
  const isHeard = process.stderr.isTTY && json !== true && quiet !== true
  if (!isHeard || silentCommands.has(command.name())) return () => Promise.resolve()
  const { updates } = settingsFile().read().settings
  const automatic = updates.automatic && !process.env['THRU_NO_UPDATE_CHECK']
  return beginHint({
    terminal: processTerminal(color, true),
    notes: new UpdateNotes({ directory: stateDirectory() }),
    by: updatedBy(),
    version: version(),
    updates: { ...updates, automatic },
    resources: own('resources'),
    clock: systemClock,
  })
}

async function main(): Promise<void> {
  const asksVersion = process.argv.some((argument) => argument === '--version' || argument === '-V')
  const thru = makeProgram(handlers, asksVersion ? versionText() : version())
  let hint = (): Promise<void> => Promise.resolve()
  // It has a password, and no program that this one might start gets to see it.
  thru.hook('preAction', () => {
    delete process.env['THRU_TURN_SERVER']
  })
  thru.hook('preAction', (_thru, command) => {
    hint = hintFor(command)
  })
  try {
    // Commander would take the Node in Electron for an app, whose own path is no argument.
    await thru.parseAsync(process.argv, { from: 'node' })
    await hint()
  } catch (reason) {
    if (!(reason instanceof CommanderError)) throw reason
    process.exitCode = reason.exitCode === 0 ? exitCodes.complete : exitCodes.usage
  }
}

void main()
