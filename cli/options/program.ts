/**
 * All commands with their options and texts, the source of `--help`, the manual, completion and the
 * tables of docs/cli.md.
 */
import { Command } from 'commander'
import { configHelp } from '#signaling/config/invocation'
import type { ConfigCall, ConfigOptions } from '../commands/config'
import type { ContactsCall, ContactsOptions } from '../commands/contacts'
import type { DoctorOptions } from '../commands/doctor'
import type { HistoryCall, HistoryOptions } from '../commands/history'
import type { HostOptions } from '../commands/host'
import type { JoinOptions } from '../commands/join'
import type { ListenOptions } from '../commands/listen'
import type { RequestOptions } from '../commands/request'
import type { ResumeOptions } from '../commands/resume'
import type { NetworkOptions } from '../compose-client'
import { exitCodeLines } from '../exit-codes'
import { outputOf } from '../terminal/terminal'
import { text } from '../text'
import type { CommandText } from '../text/commands'
import {
  acceptOptions,
  autoOptions,
  clearOptions,
  contactOptions,
  doctorOptions,
  folderOptions,
  historyOptions,
  limitOptions,
  listOptions,
  nearbyOptions,
  networkOptions,
  pairingOptions,
  passwordOptions,
  receiveOptions,
  requestOptions,
  resumeOptions,
  shareOptions,
  type ThruOption,
} from './command-options'

/** The actions of the commands. */
export type Handlers = {
  readonly host: (paths: readonly string[], options: HostOptions) => Promise<void>
  readonly join: (
    code: string | undefined,
    folder: string | undefined,
    options: JoinOptions,
  ) => Promise<void>
  readonly request: (folder: string | undefined, options: RequestOptions) => Promise<void>
  readonly resume: (
    number: string | undefined,
    code: string | undefined,
    options: ResumeOptions,
  ) => Promise<void>
  readonly listen: (options: ListenOptions) => Promise<void>
  readonly nearby: (options: NetworkOptions) => Promise<void>
  readonly contacts: (call: ContactsCall, options: ContactsOptions) => Promise<void>
  readonly config: (call: ConfigCall, options: ConfigOptions) => Promise<void>
  readonly history: (call: HistoryCall, options: HistoryOptions) => Promise<void>
  readonly doctor: (options: DoctorOptions) => Promise<void>
  readonly serve: (settings: readonly string[]) => Promise<void>
  readonly completion: (shell: string, thru: Command) => Promise<void>
  readonly man: (thru: Command) => Promise<void>
  readonly licenses: () => Promise<void>
}

const exampleWidth = 48

/** `thru` with all its commands; `version` is the application's. */
export function makeProgram(handlers: Handlers, version: string): Command {
  const thru = new Command('thru')
    .version(version)
    .configureHelp({
      // The help texts already contain the defaults.
      optionDescription: ({ description, envVar }) =>
        envVar === undefined ? description : `${description} [${envVar}]`,
    })
    .configureOutput({
      writeOut: (words) => void outputOf('stdout').write(words),
      writeErr: (words) => void outputOf('stderr').write(words),
      // All errors begin with the same prefix.
      outputError: (words, write) => {
        const line = words.replace(/^error: /, 'thru: ')
        write(line.startsWith(text.help.unknown) ? `${line}${text.help.notImplied}\n` : line)
      },
    })
    .exitOverride()
  describe(thru, text.command.thru)
  thru.addHelpText('after', `\n${text.help.exitCodes}\n${exitCodeLines().join('\n')}`)
  const connecting = [...pairingOptions(), ...limitOptions(), ...networkOptions()]

  thru.commandsGroup(text.help.sending)
  add(thru, 'host', text.command.host, [...shareOptions(), ...contactOptions(), ...connecting])
    .alias('send')
    .argument('[paths...]', text.command.host.args.paths)
    .action(handlers.host)
  add(thru, 'join', text.command.join, [
    ...receiveOptions(),
    ...acceptOptions(),
    ...contactOptions(),
    ...connecting,
  ])
    .alias('receive')
    .argument('[code]', text.command.join.args.code)
    .argument('[folder]', text.command.join.args.folder)
    .action(handlers.join)
  add(thru, 'request', text.command.request, [
    ...requestOptions(),
    ...acceptOptions(),
    ...contactOptions(),
    ...connecting,
  ])
    .argument('[folder]', text.command.request.args.folder)
    .action(handlers.request)
  add(thru, 'resume', text.command.resume, [...resumeOptions(), ...acceptOptions(), ...connecting])
    .argument('[number]', text.command.resume.args.number)
    .argument('[code]', text.command.resume.args.code)
    .action(handlers.resume)

  thru.commandsGroup(text.help.people)
  const listening = [...folderOptions(), ...limitOptions(), ...networkOptions()]
  add(thru, 'listen', text.command.listen, listening).action(handlers.listen)
  add(thru, 'nearby', text.command.nearby, nearbyOptions()).action(handlers.nearby)
  addContacts(thru, handlers)

  thru.commandsGroup(text.help.tools)
  addHistory(thru, handlers)
  addConfig(thru, handlers)
  const { doctor, serve, completion, man, licenses } = text.command
  add(thru, 'doctor', doctor, doctorOptions()).action(handlers.doctor)
  add(thru, 'serve', serve, [])
    .argument('[settings...]', serve.args.settings)
    .allowUnknownOption()
    .addHelpText('after', `\n${text.help.settings}\n${configHelp()}`)
    .action(handlers.serve)
  add(thru, 'completion', completion, [])
    .argument('<shell>', completion.args.shell)
    .action((shell: string) => handlers.completion(shell, thru))
  add(thru, 'man', man, []).action(() => handlers.man(thru))
  add(thru, 'licenses', licenses, []).action(handlers.licenses)
  thru.helpCommand('help [command]', text.help.command)
  return thru
}

function addContacts(thru: Command, handlers: Handlers): void {
  const { contacts, rename, remove, auto, groups } = text.command
  const command = add(thru, 'contacts', contacts, listOptions())
  const run = (call: ContactsCall) => handlers.contacts(call, command.opts())
  command.action(() => run({ kind: 'list' }))
  add(command, 'rename', rename, [])
    .argument('<name>', rename.args.name)
    .argument('<new-name>', rename.args['new-name'])
    .action((name: string, newName: string) => run({ kind: 'rename', name, newName }))
  add(command, 'remove', remove, [])
    .argument('<name>', remove.args.name)
    .action((name: string) => run({ kind: 'remove', name }))
  add(command, 'groups', groups, [])
    .argument('<name>', groups.args.name)
    .argument('[group...]', groups.args.group)
    .action((name: string, all: readonly string[]) => run({ kind: 'groups', name, groups: all }))
  add(command, 'auto', auto, autoOptions())
    .argument('<name>', auto.args.name)
    .argument('<folder>', auto.args.folder)
    .action((name: string, directory: string, { max }: { readonly max?: string }) =>
      run({ kind: 'auto', name, directory, most: max }),
    )
}

function addHistory(thru: Command, handlers: Handlers): void {
  const { history, clear, 'history remove': remove } = text.command
  const command = add(thru, 'history', history, historyOptions())
  const run = (call: HistoryCall, more: HistoryOptions = {}) =>
    handlers.history(call, { ...command.opts(), ...more })
  command.action(() => run({ kind: 'list' }))
  add(command, 'remove', remove, [])
    .argument('<number>', remove.args.number)
    .action((id: string) => run({ kind: 'remove', id }))
  add(command, 'clear', clear, clearOptions()).action((options: HistoryOptions) =>
    run({ kind: 'clear' }, options),
  )
}

function addConfig(thru: Command, handlers: Handlers): void {
  const { config, get, set, unset, path } = text.command
  const command = add(thru, 'config', config, listOptions())
  const run = (call: ConfigCall) => handlers.config(call, command.opts())
  command.action(() => run({ kind: 'list' }))
  add(command, 'get', get, [])
    .argument('<key>', get.args.key)
    .action((key: string) => run({ kind: 'get', key }))
  add(command, 'set', set, [])
    .argument('<key>', set.args.key)
    .argument('<value>', set.args.value)
    .action((key: string, value: string) => run({ kind: 'set', key, value }))
  add(command, 'unset', unset, [])
    .argument('<key>', unset.args.key)
    .action((key: string) => run({ kind: 'unset', key }))
  add(command, 'path', path, []).action(() => run({ kind: 'path' }))
  const { server, 'server list': list, 'server add': more, 'server remove': remove } = text.command
  const servers = add(command, 'server', server, []).action(() => run({ kind: 'list-servers' }))
  add(servers, 'list', list, []).action(() => run({ kind: 'list-servers' }))
  add(servers, 'add', more, passwordOptions())
    .argument('<url>', more.args.url)
    .action((url: string, options: { readonly passwordFile?: string }) =>
      run({ kind: 'add-server', url, ...options }),
    )
  add(servers, 'remove', remove, [])
    .argument('<name>', remove.args.name)
    .action((name: string) => run({ kind: 'remove-server', name }))
}

function add(
  parent: Command,
  name: string,
  words: CommandText,
  options: readonly ThruOption[],
): Command {
  const command = parent.command(name)
  for (const option of options) command.addOption(option)
  return describe(command, words)
}

function describe(command: Command, { summary, examples = [], notes = [] }: CommandText): Command {
  command.description(summary)
  if (examples.length > 0) {
    const lines = examples.map(({ line, does }) => `  ${line.padEnd(exampleWidth)}  ${does}`)
    command.addHelpText('after', `\n${text.help.examples}\n${lines.join('\n')}`)
  }
  for (const note of notes) command.addHelpText('after', `\n${note}`)
  return command
}
