/** The generated parts of docs/cli.md, by name. */
import type { Command } from 'commander'
import { errorsOf, exitCodeNames, exitCodes } from '../exit-codes'
import {
  acceptOptions,
  clearOptions,
  contactOptions,
  historyOptions,
  limitOptions,
  networkOptions,
  pairingOptions,
  receiveOptions,
  requestOptions,
  resumeOptions,
  shareOptions,
  type ThruOption,
} from '../options/command-options'
import { text } from '../text'

const cell = (words: string): string => words.replaceAll('|', '\\|')

const row = (...cells: readonly string[]): string =>
  `| ${cells.map(cell).join(' | ')} |`.replaceAll('|  |', '| |')

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

function meaningOf({ text: { help, more } }: ThruOption): string {
  return more === undefined ? sentence(help) : `${sentence(help)}. ${more}`
}

/** Includes a column for variables if an option has one. */
function optionTable(options: readonly ThruOption[]): readonly string[] {
  const hasVariables = options.some(({ envVar }) => envVar !== undefined)
  const rows = options.map((option) => {
    const variable = option.envVar === undefined ? '' : `\`${option.envVar}\``
    const between = hasVariables ? [variable] : []
    return row(`\`${option.flags}\``, ...between, meaningOf(option))
  })
  return hasVariables
    ? ['| option | variable | |', '| --- | --- | --- |', ...rows]
    : ['| option | |', '| --- | --- |', ...rows]
}

/** The options of `request`; those that `host` or `join` has, too, by name only. */
function requestTable(): readonly string[] {
  const explained = new Set(
    [...shareOptions(), ...receiveOptions(), ...acceptOptions(), ...contactOptions()].map(
      ({ text }) => text,
    ),
  )
  const all = [...requestOptions(), ...acceptOptions(), ...contactOptions()]
  const names = all.filter((one) => explained.has(one.text)).map(({ flags }) => `\`${flags}\``)
  return [
    ...optionTable(all.filter((one) => !explained.has(one.text))),
    '',
    `These options are the same as in \`host\` and \`join\`: ${names.join(', ')}.`,
  ]
}

function commandTable(thru: Command): readonly string[] {
  const rows = thru.commands.map((command) => {
    const aliases = command.aliases().map((name) => `\`${name}\``)
    const also = aliases.length === 0 ? '' : `; also ${aliases.join(', ')}`
    const usage = ['thru', command.name(), command.usage()].join(' ')
    return row(`\`${usage}\``, `${command.description()}${also}`)
  })
  return ['| command | what it does |', '| --- | --- |', ...rows]
}

function exitCodeTable(): readonly string[] {
  const rows = exitCodeNames().map((name) => {
    const code = exitCodes[name]
    const errors = errorsOf(code).map((error) => `\`${error}\``)
    return row(String(code), text.exitCode[name].long, errors.join(', '))
  })
  return ['| code | meaning | errors |', '| --- | --- | --- |', ...rows]
}

const parts = (thru: Command): Readonly<Record<string, readonly string[]>> => ({
  commands: commandTable(thru),
  'common options': optionTable([...networkOptions(), ...limitOptions(), ...pairingOptions()]),
  'options of host': optionTable([...shareOptions(), ...contactOptions()]),
  'options of join': optionTable([...receiveOptions(), ...acceptOptions(), ...contactOptions()]),
  'options of request': requestTable(),
  'options of resume': optionTable(resumeOptions()),
  'options of history': optionTable([...historyOptions(), ...clearOptions()]),
  'exit codes': exitCodeTable(),
})

/** `document` with each part between `<!-- name: generated -->` and `<!-- end -->` regenerated. */
export function withReference(document: string, thru: Command): string {
  let whole = document
  for (const [name, lines] of Object.entries(parts(thru))) {
    const [begin, end] = [`<!-- ${name}: generated -->\n`, '\n<!-- end -->']
    const at = whole.indexOf(begin)
    if (at < 0) throw new Error(`docs/cli.md has no place for ${name}`)
    const after = whole.indexOf(end, at)
    whole = `${whole.slice(0, at)}${begin}\n${lines.join('\n')}\n${whole.slice(after)}`
  }
  return whole
}
