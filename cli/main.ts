/** The command line: reads arguments and environment, runs one command, ends with its exit code. */
import { readFileSync } from 'node:fs'
import { join as joinPath } from 'node:path'
import { Command, CommanderError, Option } from 'commander'
import type { NetworkOptions } from './compose-client'
import { exitCodes } from './exit-codes'
import { host } from './host'
import { join, type JoinOptions } from './join'
import { JsonReporter } from './json-reporter'
import { PlainReporter } from './plain-reporter'
import type { Reporter } from './reporter'
import { serve } from './serve'
import { stopSignal } from './stop-signal'
import { processTerminal } from './terminal'
import { configHelp } from '#signaling/config'

const terminal = processTerminal()

const reporterFor = ({ json }: NetworkOptions): Reporter =>
  json === true ? new JsonReporter(terminal) : new PlainReporter(terminal)

/** An option may be repeated; a variable holds several values with spaces between. */
const collect = (value: string, before: readonly string[]): readonly string[] => [
  ...before,
  ...value.split(/\s+/).filter((part) => part !== ''),
]

const networkOptions = (): readonly Option[] => [
  new Option('--server-url <url>', 'signaling server, ws://host:port or wss://host').env(
    'THRU_SERVER_URL',
  ),
  new Option('--stun-server <url>', 'stun:host:port, repeatable')
    .env('THRU_STUN_SERVER')
    .argParser(collect)
    .default([], 'none'),
  new Option('--turn-server <url>', 'turn:user:password@host:port[?transport=tcp], repeatable')
    .env('THRU_TURN_SERVER')
    .argParser(collect)
    .default([], 'none'),
  new Option('--force-turn', 'only through a TURN server, never directly'),
  new Option('--name <name>', "this computer's name as others see it").env('THRU_NAME'),
  new Option('--json', 'one JSON object per line on standard output'),
]

const exitCodeHelp = `
Exit codes: 0 complete and verified, 2 usage, 3 wrong code, 4 signaling server, 5 no route,
6 other side gone or stopped, 7 disk, 8 done with problems, 9 nothing to send, 10 not verified,
11 declined, 130 and 143 interrupted, 1 anything else.`

/** The application's version, from the package that this bundle belongs to. */
function version(): string {
  const text = readFileSync(joinPath(__dirname, '..', '..', 'package.json'), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}

function program(onExit: (exitCode: number) => void): Command {
  const thru = new Command('thru')
    .description('Sends files of any size straight to other computers.')
    .version(version())
    .addHelpText('after', exitCodeHelp)
    .exitOverride()

  const hosting = thru
    .command('host')
    .description('offer files and folders, print the join code, serve receivers until stopped')
    .argument('<paths...>', 'files and folders')
    .action(async (paths: readonly string[], options: NetworkOptions) => {
      onExit(await host(paths, options, reporterFor(options), stopSignal()))
    })
  const joining = thru
    .command('join')
    .description('receive what a code offers')
    .argument('<code>', 'for example 4821-apple-river-stone')
    .option('--out <directory>', 'where to write; created if missing', '.')
    .option('--yes', 'accept without asking')
    .action(async (code: string, options: JoinOptions) => {
      onExit(await join(code, options, reporterFor(options), terminal, stopSignal()))
    })
  for (const command of [hosting, joining]) {
    for (const option of networkOptions()) command.addOption(option)
  }

  thru
    .command('serve')
    .description('run a signaling server')
    .argument('[settings...]', 'see below')
    .allowUnknownOption()
    .addHelpText('after', `\nSettings:\n${configHelp()}`)
    .action(async (settings: readonly string[]) => {
      onExit(await serve(settings, new PlainReporter(terminal), terminal, stopSignal()))
    })
  return thru
}

async function main(): Promise<void> {
  try {
    await program((exitCode) => {
      process.exitCode = exitCode
    }).parseAsync()
  } catch (reason) {
    if (!(reason instanceof CommanderError)) throw reason
    process.exitCode = reason.exitCode === 0 ? exitCodes.complete : exitCodes.usage
  }
}

void main()
