/** The options of the commands for the command line; `flags.ts` interprets them. */
import { Option } from 'commander'
import { conflictPolicies } from '#shared/settings/receive-options'
import { relayUses } from '#shared/settings/relay-use'
import { flagSettings } from '#signaling/config/invocation'
import { colorChoices } from '../terminal/color'
import { text } from '../text'
import type { OptionText } from '../text/options'

/** An option with its texts. */
export class ThruOption extends Option {
  readonly text: OptionText

  /** `group` is the option's heading in the help. */
  constructor(flags: string, words: OptionText, group: string) {
    super(flags, words.help)
    this.text = words
    this.helpGroup(group)
  }
}

type OptionName = keyof typeof text.option

/** `name` selects the text if another command has an option of the same name with another meaning. */
const option = (group: string, flags: string, name?: OptionName): ThruOption => {
  const long = flags.split(' ', 1)[0]?.replace(/^--/, '') as OptionName
  return new ThruOption(flags, text.option[name ?? long], group)
}

/** Collects a repeatable option; a variable holds several values separated by spaces. */
const collect = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...value.split(/\s+/).filter((part) => part !== ''),
]

/** Collects a repeatable option in the form of its variable. */
const spaced = (value: string, before?: string): string =>
  before === undefined ? value : `${before} ${value}`

/** Collects one value per use of the option; values may contain spaces. */
const repeated = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
]

const { help } = text

/** Options of all commands that connect. */
export const networkOptions = (): readonly ThruOption[] => [
  option(help.connection, '--server-url <url>').env('THRU_SERVER_URL').argParser(spaced),
  option(help.connection, '--server-password-file <file>'),
  option(help.connection, '--stun-server <url>').env('THRU_STUN_SERVER').argParser(collect),
  option(help.connection, '--turn-server <url>').env('THRU_TURN_SERVER').argParser(collect),
  option(help.connection, '--proxy <url>').env('THRU_PROXY'),
  option(help.connection, '--relay <use>').choices(relayUses),
  option(help.connection, '--no-lan').env('THRU_NO_LAN'),
  option(help.connection, '--meeting'),
  option(help.connection, '--no-meeting'),
  option(help.connection, '--meeting-relay <url>').env('THRU_MEETING_RELAY').argParser(collect),
  option(help.connection, '--name <name>').env('THRU_NAME'),
  option(help.other, '--set <setting>').argParser(repeated),
  ...listOptions(),
  ...outputOptions(),
]

const outputOptions = (): readonly ThruOption[] => [
  option(help.other, '-v, --verbose', 'verbose'),
  option(help.other, '-q, --quiet', 'quiet'),
  option(help.other, '--color <when>').choices(colorChoices),
]

/** Speed limits of all commands that transfer. */
export const limitOptions = (): readonly ThruOption[] => [
  option(help.connection, '--limit-up <speed>'),
  option(help.connection, '--limit-down <speed>'),
  option(help.connection, '--leave-room'),
]

/** Options of `host`, `join` and `resume` about pairing. */
export const pairingOptions = (): readonly ThruOption[] => [
  option(help.connection, '--safety-number'),
]

/** Options of `host` alone. */
export const shareOptions = (): readonly ThruOption[] => [
  option(help.offer, '--text <text>').argParser(repeated),
  option(help.offer, '--as <name>'),
  option(help.offer, '--run <command>'),
  option(help.offer, '--size <bytes>'),
  option(help.offer, '--exclude <pattern>').argParser(repeated),
  option(help.offer, '--gitignore'),
  option(help.offer, '--follow-links'),
  option(help.offer, '--attributes', 'host:attributes'),
  option(help.offer, '--watch'),
  option(help.offer, '--dry-run', 'host:dry-run'),
  option(help.access, '--once'),
  option(help.access, '--expires <time>'),
  option(help.access, '--words <words>'),
  option(help.access, '--receivers <n>'),
  option(help.access, '--approve'),
  option(help.access, '--no-browsers'),
  option(help.access, '--to <name>').argParser(repeated),
  option(help.access, '--for <code>'),
  option(help.access, '--keep-open'),
  option(help.access, '--resume [number]', 'host:resume'),
  ...linkOptions(),
]

/** Options of `host` and `request` about the link of the code. */
const linkOptions = (): readonly ThruOption[] => [
  option(help.access, '--qr'),
  option(help.access, '--copy'),
]

/** Options of `request` alone. */
export const requestOptions = (): readonly ThruOption[] => [
  option(help.access, '--keep-open', 'request:keep-open'),
  option(help.access, '--expires <time>'),
  option(help.access, '--words <words>'),
  ...linkOptions(),
  option(help.choose, '--only <pattern>').argParser(repeated),
  option(help.choose, '--exclude <pattern>').argParser(repeated),
  option(help.write, '--conflict <policy>').choices([...conflictPolicies, 'ask']),
  option(help.write, '--update'),
]

/** Options of `host` and `join` about contacts. */
export const contactOptions = (): readonly ThruOption[] => [option(help.people, '--keep')]

/** Options of `listen` alone. */
export const folderOptions = (): readonly ThruOption[] => [
  option(help.write, '--out <folder>', 'listen:out'),
]

/** Options of `join` alone. */
export const receiveOptions = (): readonly ThruOption[] => [
  option(help.choose, '--only <pattern>').argParser(repeated),
  option(help.choose, '--exclude <pattern>').argParser(repeated),
  option(help.choose, '--first <pattern>').argParser(repeated),
  option(help.choose, '--wait <time>'),
  option(help.choose, '--dry-run'),
  option(help.write, '--out <folder>'),
  option(help.write, '--conflict <policy>').choices([...conflictPolicies, 'ask']),
  option(help.write, '--update'),
  option(help.write, '--rename <name>').argParser(repeated),
  option(help.write, '--follow'),
  option(help.write, '--delete', 'join:delete'),
  option(help.write, '--attributes', 'join:attributes'),
]

/** Options of `join` and `resume`. */
export const acceptOptions = (): readonly ThruOption[] => [option(help.other, '--yes')]

/** Options of `resume` alone. */
export const resumeOptions = (): readonly ThruOption[] => [option(help.other, '--delete <number>')]

/** The settings of `serve`, which parses them itself. */
export const settingOptions = (): readonly ThruOption[] =>
  flagSettings().map(({ flag, env, help: words, initial }) => {
    const flags = typeof initial === 'boolean' ? flag : `${flag} <value>`
    const made = new ThruOption(flags, { help: words }, help.settings)
    return env === '' ? made : made.env(env)
  })

/** Options of `contacts auto` alone. */
export const autoOptions = (): readonly ThruOption[] => [option(help.other, '--max <size>')]

/** Options of `config server add` alone. */
export const passwordOptions = (): readonly ThruOption[] => [
  option(help.other, '--password-file <file>'),
]

/** Options of `doctor`, mostly a subset of `networkOptions`. */
export const doctorOptions = (): readonly ThruOption[] => [
  ...networkOptions().filter(({ long }) => asOthers.has(long ?? '')),
  option(help.other, '--relay-rate'),
  option(help.other, '--report'),
]

/** Options of `doctor` with the same meaning as in other commands. */
const asOthers: ReadonlySet<string> = new Set([
  ...[
    '--server-url',
    '--server-password-file',
    '--stun-server',
    '--turn-server',
    '--proxy',
    '--no-lan',
    '--meeting',
    '--meeting-relay',
    '--json',
    '--color',
  ],
])

/** Options of `nearby`, which connects to nothing. */
export const nearbyOptions = (): readonly ThruOption[] => listOptions()

/** Options of `history` alone. */
export const historyOptions = (): readonly ThruOption[] => [
  option(help.other, '--search <text>'),
  option(help.other, '--limit <n>'),
  ...listOptions(),
]

/** Options of `history clear` alone. */
export const clearOptions = (): readonly ThruOption[] => [option(help.other, '--yes', 'clear:yes')]

/** The option of all commands for output that programs read. */
export const listOptions = (): readonly ThruOption[] => [option(help.other, '--json')]
