/** The options of the commands as the command line shows them; `flags.ts` says what they mean. */
import { Option } from 'commander'
import { codeLives } from '#shared/share-options'

/** An option may be repeated; a variable holds several values with spaces between. */
const collect = (value: string, before: readonly string[]): readonly string[] => [
  ...before,
  ...value.split(/\s+/).filter((part) => part !== ''),
]

/** Of all commands that connect to somebody. */
export const networkOptions = (): readonly Option[] => [
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

/** One pattern for each time the option is given; a pattern may contain spaces. */
const repeated = (value: string, before: readonly string[]): readonly string[] => [...before, value]

const patterns = (flag: string, help: string): Option =>
  new Option(`${flag} <pattern>`, `${help}, repeatable`).argParser(repeated).default([], 'none')

/** Of `host`. */
export const shareOptions = (): readonly Option[] => [
  new Option('--text <text>', 'offer a text to read; - reads it from standard input'),
  patterns('--exclude', 'leave out what matches, such as node_modules or *.tmp'),
  new Option('--max-receivers <n>', 'receivers at the same time; 0: none for now'),
  new Option('--no-links', 'leave symbolic links out'),
  new Option('--qr', 'draw the join link as a QR code, for a terminal with a dark ground'),
  new Option(
    '--once',
    'for one receiver: the code is good for the first, and the command ends with it',
  ),
  new Option('--code-life <time>', 'how long new receivers come in by the code')
    .choices(Object.keys(codeLives))
    .default('24h'),
]

/** Of `host`, `join` and `resume`. */
export const pairingOptions = (): readonly Option[] => [
  new Option(
    '--safety-number',
    'print a number that is the same on both computers unless somebody is between them',
  ),
]

/** Of `host`: contacts that it is for. */
export const contactOptions = (): readonly Option[] => [
  new Option('--to <contact>', 'send to this contact, without a code; repeatable')
    .argParser(repeated)
    .default([], 'none'),
]

/** Of `host` and `join`. */
export const keepOptions = (): readonly Option[] => [
  new Option('--keep', 'keep the other side as a contact, if it wants that too'),
  new Option('--keep-as <name>', 'the same, under this name'),
]

/** Of `listen`. */
export const listenOptions = (): readonly Option[] => [
  new Option('--into <directory>', 'where to write what was asked about').default('.'),
]

/** Of `host`, `join` and `resume`. */
export const limitOptions = (): readonly Option[] => [
  new Option('--limit-up <size>', 'send at most this much a second, such as 200MiB'),
  new Option('--limit-down <size>', 'receive at most this much a second'),
]

/** Of `join`. */
export const receiveOptions = (): readonly Option[] => [
  new Option('--out <directory>', 'where to write; created if missing').default('.'),
  new Option(
    '--conflict <policy>',
    'files that differ from one of their name: ask, keep-both (default), replace, replace-older, skip',
  ),
  new Option('--overwrite', 'the same as --conflict replace'),
  new Option('--compare <how>', 'when two files are the same: time and size, or content')
    .choices(['content', 'time'])
    .default('time'),
  patterns('--select', 'only what matches'),
  patterns('--except', 'but not what matches'),
  patterns('--first', 'this before all others'),
  new Option('--verify', 'read everything back from the disk'),
  new Option('--no-resume', 'start anew, and leave nothing to continue'),
  new Option('--no-times', 'do not keep modification times'),
  new Option('--no-exec', 'make nothing executable'),
  new Option('--no-links', 'make no symbolic links'),
  new Option('--no-empty-folders', 'make no empty folders'),
  new Option('--portable-names', 'only names that every system can hold'),
]

/** Of `join` and `resume`. */
export const acceptOptions = (): readonly Option[] => [
  new Option('--yes', 'accept without asking'),
  new Option('--timing', 'tell at the end how long each step of the connection took'),
]

/** Of `resume`. */
export const resumeOptions = (): readonly Option[] => [
  new Option('--forget <number>', 'delete what this one left in its folder'),
]
