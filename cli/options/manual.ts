/** The manual page `thru.1`, made from the commands, their options and their texts. */
import type { Command, Option } from 'commander'
import { exitCodeNames, exitCodes } from '../exit-codes'
import { text } from '../text'
import type { CommandText } from '../text/commands'
import { settingOptions, ThruOption } from './command-options'

/** The page as roff, for `man`. */
export const manualPage = (thru: Command): string =>
  `${[
    `.TH THRU 1 "" "Thruflux ${roff(thru.version() ?? '')}" "Thruflux"`,
    '.SH NAME',
    `thru \\- ${roff(lowerFirst(withoutPeriod(text.command.thru.summary)))}`,
    '.SH SYNOPSIS',
    ...thru.commands.flatMap((command) => [`.B ${usageOf(command)}`, '.br']),
    '.SH COMMANDS',
    ...thru.commands.flatMap((command) => [command, ...command.commands]).flatMap(section),
    '.SH SETTINGS OF SERVE',
    ...settingOptions().flatMap(optionLines),
    '.SH EXIT STATUS',
    ...exitCodeNames().flatMap((name) => tagged(String(exitCodes[name]), text.exitCode[name].long)),
    '.SH EXAMPLES',
    ...text.command.thru.examples.flatMap(example),
  ].join('\n')}\n`

/** `thru contacts rename <name> <new-name>`. */
function usageOf(command: Command): string {
  const names: string[] = []
  for (let one: Command | null = command; one !== null; one = one.parent) names.unshift(one.name())
  return roff(`${names.join(' ')} ${command.usage()}`)
}

function section(command: Command): readonly string[] {
  const words = textOf(command)
  const args = Object.entries(words.args ?? {})
  const aliases = command.aliases()
  return [
    `.SS "${usageOf(command)}"`,
    roff(sentence(words.summary)),
    ...(aliases.length === 0 ? [] : [roff(text.help.aliases(aliases))]),
    ...args.flatMap(([name, meaning]) => tagged(name, meaning)),
    ...command.options.flatMap(optionLines),
    ...(words.examples ?? []).flatMap(example),
    ...(words.notes ?? []).flatMap((note) => ['.PP', roff(note)]),
  ]
}

/** Prefers the text of the full name, because subcommands of two commands can share a name. */
function textOf(command: Command): CommandText {
  const texts: Readonly<Record<string, CommandText>> = text.command
  const own = texts[`${command.parent?.name() ?? ''} ${command.name()}`]
  return own ?? text.command[command.name() as keyof typeof text.command]
}

function optionLines(option: Option): readonly string[] {
  const more = option instanceof ThruOption ? option.text.more : undefined
  const help = [sentence(option.description), ...(more === undefined ? [] : [more])].join(' ')
  return tagged(option.flags, option.envVar === undefined ? help : `${help} [${option.envVar}]`)
}

const tagged = (term: string, meaning: string): readonly string[] => [
  '.TP',
  `.B ${roff(term)}`,
  roff(meaning),
]

const example = ({ line, does }: { readonly line: string; readonly does: string }) => [
  '.TP',
  `.B ${roff(line)}`,
  roff(does),
]

const sentence = (words: string): string =>
  `${words.charAt(0).toUpperCase()}${withoutPeriod(words.slice(1))}.`

const withoutPeriod = (words: string): string => words.replace(/\.$/, '')

const lowerFirst = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1)

/** Escapes a line of text for roff and makes code bold. */
const roff = (line: string): string =>
  line
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/`([^`]*)`/g, '\\fB$1\\fP')
    .replaceAll('"', '\\(dq')
    .replace(/^([.'])/, '\\&$1')
