/** Completion scripts for shells, made from the commands and their options. */
import type { Command, Option } from 'commander'
import { settingOptions } from './command-options'

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const

/** A shell with a completion script. */
export type Shell = (typeof shells)[number]

/** True if `name` is a supported shell. */
export const isShell = (name: string): name is Shell => (shells as readonly string[]).includes(name)

/** The script that completes the commands of `thru`, their options and their values in `shell`. */
export function completionScript(shell: Shell, thru: Command): string {
  const script = { bash: bashScript, zsh: zshScript, fish: fishScript, powershell }[shell]
  return `${script(thru).join('\n')}\n`
}

const namesOf = (command: Command): readonly string[] => [command.name(), ...command.aliases()]

/** Completions of a command besides files: its subcommands, its options, and `--help`. */
const wordsOf = (command: Command): readonly string[] => [
  ...command.commands.flatMap(namesOf),
  ...optionsOf(command).map(({ long }) => long ?? ''),
  '--help',
]

/** A command's options, those of its subcommands, and the settings of `serve`. */
const optionsOf = (command: Command): readonly Option[] => [
  ...command.options,
  ...(command.name() === 'serve' ? settingOptions() : []),
  ...command.commands.flatMap(({ options }) => options),
]

const takesFolder = ({ flags }: Option): boolean => flags.endsWith('<folder>')

/** The options of all commands, without duplicates. */
function allOptions(thru: Command): readonly Option[] {
  const all = thru.commands.flatMap(optionsOf)
  return all.filter((one, index) => all.findIndex(({ flags }) => flags === one.flags) === index)
}

function bashScript(thru: Command): readonly string[] {
  const options = allOptions(thru)
  const chosen = options.filter(({ argChoices }) => argChoices !== undefined)
  const folders = options.filter(takesFolder).map(({ long }) => long)
  return [
    '# Completion of thru for bash: source <(thru completion bash)',
    '_thru() {',
    '  local word=${COMP_WORDS[COMP_CWORD]} words=',
    '  case ${COMP_WORDS[COMP_CWORD-1]} in',
    ...chosen.map(
      ({ long, argChoices }) =>
        `    ${long}) COMPREPLY=($(compgen -W '${argChoices?.join(' ')}' -- "$word")); return ;;`,
    ),
    // Bash itself finds and quotes folders: a sender chooses their names, which may contain commands.
    `    ${folders.join('|')}) COMPREPLY=(); compopt -o dirnames 2>/dev/null; return ;;`,
    '  esac',
    '  case ${COMP_WORDS[1]} in',
    ...thru.commands.map(
      (command) => `    ${namesOf(command).join('|')}) words='${wordsOf(command).join(' ')}' ;;`,
    ),
    '  esac',
    `  if ((COMP_CWORD == 1)); then words='${thru.commands.flatMap(namesOf).join(' ')} --help --version'`,
    '  elif [[ $word != -* ]] && ((COMP_CWORD > 2)); then words=; fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
    '}',
    'complete -o default -F _thru thru',
  ]
}

/** Quotes for bash and zsh, where a single quote ends the string. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

function zshScript(thru: Command): readonly string[] {
  return [
    '#compdef thru',
    '# Completion of thru for zsh: source <(thru completion zsh)',
    '_thru() {',
    '  if ((CURRENT == 2)); then',
    '    local -a commands=(',
    ...thru.commands.flatMap((command) =>
      namesOf(command).map((name) => `      ${zshEntry(name, command)}`),
    ),
    '    )',
    '    _describe command commands',
    '    return',
    '  fi',
    '  shift words; ((CURRENT--))',
    '  case $words[1] in',
    ...thru.commands.flatMap((command) => [
      `    ${namesOf(command).join('|')}) _arguments \\`,
      ...optionsOf(command).map((option) => `      ${zshOption(option)} \\`),
      `      '--help' ${zshOperands(command)} ;;`,
    ]),
    '  esac',
    '}',
    // In a folder of $fpath, this file is the function's body, which zsh reads for the first completion.
    'if [[ $funcstack[1] == _thru ]]; then _thru "$@"; else compdef _thru thru; fi',
  ]
}

const zshEntry = (name: string, command: Command): string =>
  quoted(`${name}:${command.description().replaceAll(':', '\\:')}`)

function zshOption(option: Option): string {
  const help = option.description.replace(/[[\]:]/g, '\\$&')
  const value = option.required ? `:${option.attributeName()}:${zshValue(option)}` : ''
  return quoted(`*${option.long ?? ''}[${help}]${value}`)
}

function zshValue(option: Option): string {
  if (takesFolder(option)) return '_files -/'
  return option.argChoices === undefined ? '' : `(${option.argChoices.join(' ')})`
}

const zshOperands = (command: Command): string =>
  command.commands.length > 0
    ? quoted(`1:part:(${command.commands.flatMap(namesOf).join(' ')})`) + " '*:file:_files'"
    : "'*:file:_files'"

function fishScript(thru: Command): readonly string[] {
  return [
    '# Completion of thru for fish: thru completion fish | source',
    ...thru.commands.flatMap((command) =>
      namesOf(command).map(
        (name) =>
          `complete -c thru -n __fish_use_subcommand -f -a ${name} -d ${fishQuoted(command.description())}`,
      ),
    ),
    ...thru.commands.flatMap((command) => {
      const start = `complete -c thru -n ${fishQuoted(`__fish_seen_subcommand_from ${namesOf(command).join(' ')}`)}`
      const parts = command.commands.map(
        (part) => `${start} -a ${part.name()} -d ${fishQuoted(part.description())}`,
      )
      return [...parts, ...optionsOf(command).map((option) => `${start} ${fishOption(option)}`)]
    }),
  ]
}

function fishOption(option: Option): string {
  const name = (option.long ?? '').replace(/^--/, '')
  const value = option.required ? ` ${fishValue(option)}` : ''
  return `-l ${name}${value} -d ${fishQuoted(option.description)}`
}

function fishValue(option: Option): string {
  if (takesFolder(option)) return "-x -a '(__fish_complete_directories)'"
  return option.argChoices === undefined ? '-r' : `-x -a ${fishQuoted(option.argChoices.join(' '))}`
}

const fishQuoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`

function powershell(thru: Command): readonly string[] {
  const chosen = allOptions(thru).filter(({ argChoices }) => argChoices !== undefined)
  return [
    '# Completion of thru for PowerShell: thru completion powershell | Out-String | Invoke-Expression',
    'Register-ArgumentCompleter -Native -CommandName thru -ScriptBlock {',
    '  param($word, $line, $cursor)',
    '  $before = @($line.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.Extent.Text })',
    '  $values = @{',
    ...chosen.map(
      ({ long, argChoices }) =>
        `    ${powershellQuoted(long ?? '')} = @(${(argChoices ?? []).map(powershellQuoted).join(', ')})`,
    ),
    '  }',
    '  $words = [ordered]@{}',
    '  if ($before.Count -le 1) {',
    ...thru.commands.flatMap((command) =>
      namesOf(command).map((name) => powershellEntry(name, command.description())),
    ),
    '  } elseif ($values.ContainsKey($before[-1])) {',
    '    foreach ($value in $values[$before[-1]]) { $words[$value] = $value }',
    '  } else {',
    '    switch -CaseSensitive ($before[1]) {',
    ...thru.commands.flatMap((command) => [
      `      { $_ -cin ${namesOf(command).map(powershellQuoted).join(', ')} } {`,
      ...command.commands.map((part) => powershellEntry(part.name(), part.description())),
      ...optionsOf(command).map(({ long, description }) =>
        powershellEntry(long ?? '', description),
      ),
      '      }',
    ]),
    '    }',
    '  }',
    '  foreach ($name in $words.Keys) {',
    '    if ($name -like "$word*") {',
    "      [System.Management.Automation.CompletionResult]::new($name, $name, 'ParameterValue', $words[$name])",
    '    }',
    '  }',
    '}',
  ]
}

const powershellEntry = (name: string, help: string): string =>
  `        $words[${powershellQuoted(name)}] = ${powershellQuoted(help)}`

/** Quotes for PowerShell, which accepts several kinds of single quote; each is doubled. */
const powershellQuoted = (text: string): string => `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`
