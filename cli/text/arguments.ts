/** Error messages about arguments. */
import { formatCount } from '#shared/format/format'
import { plural } from '#shared/format/plural'

/** Each message has one sentence about the problem and one about its remedy. */
export const argumentText = {
  patterns: (flag: string, most: number) =>
    `${flag} takes up to ${formatCount(most)} patterns, and none can be empty. Use fewer, or remove the empty ones.`,
  at: (place: string, detail: string) => `${place}: ${detail}`,
  /** Leaves the proxy's address out, which can contain a password. */
  meetingRelay:
    '--meeting-relay must be the address of a Nostr relay. Write it like wss://relay.example.org.',
  proxy: (place: string) =>
    `${place} isn't the address of a proxy. Write it like http://host:port or socks5://host:port, or use system or none.`,
  openSet: (flag: string, pattern: string) =>
    `A [ isn't closed in ${flag} "${pattern}". Close it with ], or write \\[ for a bracket in a name.`,
  receiverCount: (most: number) =>
    `--receivers takes a number from 0 to ${formatCount(most)}. Pass one, or leave the option out.`,
  historyLimit: (most: number) =>
    `--limit takes a number from 1 to ${formatCount(most)}. Pass one, or leave the option out.`,
  historySearch: '--search takes up to 200 characters. Use fewer.',
  notInHistory: (id: string) =>
    `The history has no entry ${id}. Run "thru history" to see the numbers.`,
  cannotAskClear:
    'Not a terminal, so no one can confirm clearing the history. Pass --yes to clear it.',
  emptyPath:
    'A path is empty, perhaps because a variable is empty. Pass a path, or leave the argument out.',
  inputNotText:
    "Standard input isn't UTF-8 text. Convert it, or share it as a file: thru host - --as NAME.",
  oneInput: 'Only one text can come from standard input. Pass "--text -" once.',
  textNotUtf8: "The text isn't UTF-8. Convert it, or pipe it into: thru host --text -",
  longText: (maxBytes: number) =>
    `The text is longer than ${formatCount(maxBytes / 2 ** 20)} MiB. Share it as a file: thru host - --as NAME`,
  emptyText: 'The text is empty. Pass some text with --text, or a file.',
  streamAlone:
    "Standard input can't be shared together with anything else. Leave the other arguments out.",
  streamReceivers:
    '--receivers takes at least 1 for a stream. Pass such a number, or leave the option out.',
  onlyStreams: '--as and --size work only with a stream. Add - or --run, or leave them out.',
  runAlone: "--run can't be combined with paths or texts. Leave them out.",
  emptyRun: '--run has no command. Add one, such as --run "tar c photos".',
  runOnWindows: "--run isn't available on Windows. Pipe the program into: thru host -",
  noPipe: "--run can't create a pipe here. Pipe the program into: thru host -",
  terminalStream:
    'Standard input is a terminal. Pipe something into it, such as: tar c photos | thru host - --as photos.tar',
  terminalOutput:
    'Standard output is a terminal, which would interpret control sequences in the file. Choose a folder, or add "| cat" to write the file to the terminal.',
  nothingToShare:
    'Nothing was chosen to share. Add a file, a folder, --text, or - for standard input.',
  dryStream: 'A stream has no size or files before it is read.',
  wait: '--wait takes a time of up to 24 hours. Write it like 90s, 10m or 1h30m.',
  expires: '--expires takes a time from 1 minute to 24 hours. Write it like 10m, 1h30m or 24h.',
  needsCode: (flag: string) =>
    `${flag} needs a code, and --to shows none. Add --keep-open, or leave one of the two options out.`,
  notWithFor: (flag: string) =>
    `--for sends to a code that someone else made, so ${flag} has no effect. Leave one of the two options out.`,
  requestToOutput: 'A request saves to a folder. Pass one, or leave the argument out.',
  /** The reasons why a rename is refused. */
  rename: {
    empty: () => 'A new name is empty. Write --rename OLD=NEW.',
    separator: (name: string) =>
      `"${name}" contains a slash, so it is no name. Choose another name, and the folder with --out.`,
    dots: (name: string) => `"${name}" can't be a name. Choose another one.`,
    long: () => 'A new name is longer than 255 bytes. Choose a shorter one.',
    taken: (name: string) => `Two items would be called "${name}". Choose another name.`,
    noItem: (item: string) =>
      `The offer has no item "${item}". Write --rename OLD=NEW with the name of an item.`,
    onlyTexts: 'The offer contains only text, which is not saved as a file. Leave --rename out.',
    several: (items: number) =>
      `The offer has ${formatCount(items)} items, and --rename doesn't say which one. Write --rename OLD=NEW.`,
    twice: (item: string) => `--rename names "${item}" twice. Leave one of them out.`,
    many: (most: number) => `--rename works up to ${formatCount(most)} times. Use it less often.`,
    toOutput: 'Standard output has no name. Leave --rename out, or pass a folder.',
  },
  deletes: '--delete goes with --follow. Add --follow, or leave --delete out.',
  updates: (flag: string) => `${flag} already decides about existing files. Leave out --conflict.`,
  conflict: (policies: string) => `--conflict doesn't have that choice. Choose one of ${policies}.`,
  twoFolders: 'The folder was given twice. Use either --out or the argument.',
  rate: (flag: string, given: string) =>
    `${flag} "${given}" isn't a speed. Write it like 20MB/s, 20Mbit/s or 500k.`,
  tinyRate: (flag: string, given: string) =>
    `${flag} ${given} would be ${plural(Number(given), { one: '1 byte', other: `${given} bytes` })} a second. Add a unit: ${given}MB/s or ${given}Mbit/s.`,
  size: (flag: string, given: string) =>
    `${flag} "${given}" isn't a size. Write it like 200MiB, 1.5GB or 500k.`,
  qlogFolder: (why: string) =>
    `advanced.qlogFolder can't use this folder (${why}). Choose one that isn't a link and that you can write to.`,
  emptyName: '--name is empty. Pass a name, or leave the option out.',
  codeMissing: 'A code is missing. Add it to the command.',
  cannotAskCode:
    'Not a terminal, so nobody can enter the code. Set THRU_CODE, or pass - and write the code to standard input.',
  cannotApprove:
    "Receivers can't be approved here: approval needs a terminal, and can't be used with --json or when sharing standard input. Leave those out, or pass --set sharing.approve=no.",
  notSettable: (key: string) =>
    `--set can't change ${key} for one command. Use its option, or thru config set.`,
  listenToOutput: "thru listen can't write to standard output. Pass a folder to --out.",
  cannotAskConflict:
    'Not a terminal, so nobody can decide about existing files. Choose a policy with --conflict.',
  cannotAsk: 'Not a terminal, so nobody can accept. Pass --yes to accept.',
  noMatch: (files: number, item: string) =>
    plural(files, {
      one: `The offered file doesn't match --only and --exclude. Paths begin with the item's name, as in '${item}', and are case-sensitive.`,
      other: `None of the ${formatCount(files)} offered files match --only and --exclude. Paths begin with the item's name, as in '${item}/*', and are case-sensitive.`,
    }),
  outputTakesOne: (files: number) =>
    `Standard output takes exactly one file, but ${formatCount(files)} are selected. Choose one with --only.`,
  deleteTakesNumber: '--delete takes a number and nothing else. Leave the other arguments out.',
  resumeTakesNoPaths:
    "--resume can't be combined with paths, texts, --to or --words. Leave them out.",
  nothingInterrupted: 'No share was interrupted. Start one with "thru host PATH".',
  noSuchShare: (number: string) =>
    `"${number}" isn't a number in the list. Run "thru host --resume" to see the list.`,
  notInList: (number: string) =>
    `"${number}" isn't a number in the list. Run "thru resume" to see the list.`,
  unknownContact: (name: string) =>
    `No contact, group or nearby computer is named "${name}". Run "thru contacts" or "thru nearby" to see them.`,
  groups: 'A contact is in at most 8 groups, and a name has 1 to 64 bytes without a comma.',
  contactName: 'A contact name has 1 to 64 bytes. Choose another name.',
  contactsApart:
    'These contacts use different servers. Send to them one at a time, or choose a server with --server-url.',
  noContacts:
    'You have no contacts yet, and no one else can send here. Add one with "thru host --keep" or "thru join --keep".',
  passwordFile: (file: string) =>
    `${file} has no password in its first line, or can't be read. Check its path and permissions.`,
  shell: 'Completion is available for bash, zsh, fish and powershell. Choose one of them.',
  logLevel: (levels: string) => `THRU_LOG_LEVEL isn't valid. Choose one of ${levels}.`,
} as const
