/** The command line: reads arguments and environment, runs one command, ends with its exit code. */
import { codeVariable } from './started-with'
import { readFileSync } from 'node:fs'
import { join as joinPath } from 'node:path'
import { Command, CommanderError, type Option } from 'commander'
import {
  acceptOptions,
  contactOptions,
  keepOptions,
  limitOptions,
  listenOptions,
  networkOptions,
  pairingOptions,
  receiveOptions,
  resumeOptions,
  shareOptions,
} from './command-options'
import type { NetworkOptions } from './compose-client'
import { addContacts } from './contact-commands'
import { exitCodes } from './exit-codes'
import type { PairingFlags } from './flags'
import { host, type HostOptions } from './host'
import { join, type JoinOptions } from './join'
import { JsonReporter } from './json-reporter'
import { listen, type ListenOptions } from './listen'
import { PlainReporter } from './plain-reporter'
import type { Reporter } from './reporter'
import { resume, type ResumeOptions } from './resume'
import { serve } from './serve'
import { stopSignal } from './stop-signal'
import { codeTaker, processCodeSources } from './take-code'
import { processTerminal } from './terminal'
import { configHelp } from '#signaling/config'

const terminal = processTerminal()
const codeSources = processCodeSources(codeVariable)

/** What the reporters need to know of a command's options. */
type Told = Pick<NetworkOptions, 'json'> & PairingFlags

const reporterFor = ({ json, ...asked }: Told): Reporter =>
  json === true ? new JsonReporter(terminal, asked) : new PlainReporter(terminal, asked)

const exitCodeHelp = `
Exit codes: 0 complete and verified, 2 usage, 3 wrong code, 4 signaling server, 5 no route,
6 other side gone or stopped, 7 disk, 8 done with problems, 9 nothing to send, 10 not verified,
11 declined, 130 and 143 interrupted, 1 anything else.`

const codeHelp = `
Without a code it is taken from the variable THRU_CODE, or asked for on the terminal, where Tab
completes words. Other users of this computer can't see it then. A code on the command line is
overwritten there at once, but it was in the list of processes for a moment, and shells remember it.`

/** The application's version, from the package that this bundle belongs to. */
function version(): string {
  const text = readFileSync(joinPath(__dirname, '..', '..', 'package.json'), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}

function addOptions(command: Command, ...groups: readonly (readonly Option[])[]): void {
  for (const option of groups.flat()) command.addOption(option)
}

function program(onExit: (exitCode: number) => void): Command {
  const thru = new Command('thru')
    .description('Sends files of any size straight to other computers.')
    .version(version())
    .addHelpText('after', exitCodeHelp)
    .exitOverride()
    // It has a password, and no program that this one might start gets to see it.
    .hook('preAction', () => {
      delete process.env['THRU_TURN_SERVER']
    })

  const hosting = thru
    .command('host')
    .description('offer files and folders, print the join code, serve receivers until stopped')
    .argument('[paths...]', 'files and folders')
    .action(async (paths: readonly string[], options: HostOptions) => {
      onExit(await host(paths, options, reporterFor(options), terminal, stopSignal()))
    })
  const joining = thru
    .command('join')
    .description('receive what a code offers')
    .argument('[code]', 'for example 4821-apple-kayak-onion; - reads it from standard input')
    .addHelpText('after', codeHelp)
    .action(async (code: string | undefined, options: JoinOptions) => {
      const takeCode = codeTaker(code, codeSources)
      onExit(await join(takeCode, options, reporterFor(options), terminal, stopSignal()))
    })
  const resuming = thru
    .command('resume')
    .description('list unfinished receives; with a number, go on with one')
    .argument('[number]', 'of the list')
    .argument(
      '[code]',
      'that the sender has now, when it does not share under the old one any more; - reads it from standard input',
    )
    .addHelpText('after', codeHelp)
    .action(
      async (number: string | undefined, code: string | undefined, options: ResumeOptions) => {
        const reporter = reporterFor(options)
        const isGiven = code !== undefined || codeSources.variable !== undefined
        const taker = { isGiven, take: codeTaker(code, codeSources) }
        onExit(await resume(number, taker, options, reporter, terminal, stopSignal()))
      },
    )
  const listening = thru
    .command('listen')
    .description('receive what contacts send until stopped')
    .action(async (options: ListenOptions) => {
      onExit(await listen(options, reporterFor(options), terminal, stopSignal()))
    })
  addContacts(thru, reporterFor, terminal, onExit)
  const connecting = [...pairingOptions(), ...limitOptions(), ...networkOptions()]
  addOptions(hosting, shareOptions(), contactOptions(), keepOptions(), connecting)
  addOptions(joining, receiveOptions(), acceptOptions(), keepOptions(), connecting)
  addOptions(resuming, resumeOptions(), acceptOptions(), connecting)
  addOptions(listening, listenOptions(), limitOptions(), networkOptions())

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
