/** Texts about the commands in `--help`, the manual and docs/cli.md. */

/** A command line worth copying, and its effect. */
export type Example = { readonly line: string; readonly does: string }

/** A command's texts in help and manual. */
export type CommandText = {
  /** One line in the list of commands. */
  readonly summary: string
  /** Keys are names of arguments. */
  readonly args?: Readonly<Record<string, string>>
  readonly examples?: readonly Example[]
  /** Paragraphs at the end. */
  readonly notes?: readonly string[]
}

const codeNote =
  'Without a code, thru reads the variable THRU_CODE or asks for the code, and Tab completes words. ' +
  'Other users of this computer can see a code on the command line in the process list until thru ' +
  'overwrites it a moment later. Your shell also keeps it in its history.'

const code = 'join code, such as 4821-apple-kayak-onion; - reads it from standard input'

export const commandText = {
  thru: {
    summary: 'Send files of any size directly to other computers.',
    examples: [
      { line: 'thru host ./photos', does: 'offer a folder and print its join code' },
      { line: 'thru join', does: 'ask for a code and receive into the current folder' },
      { line: 'thru resume 1', does: 'resume an interrupted transfer' },
    ],
    notes: ['"thru PATH" means "thru host PATH", and "thru CODE" means "thru join CODE".'],
  },
  host: {
    summary: 'share files and folders under a join code until you stop it',
    args: { paths: 'files and folders; - streams standard input, as does a pipe alone' },
    examples: [
      { line: 'thru host ./photos notes.txt', does: 'offer a folder and a file' },
      {
        line: 'thru host --once --expires 10m ./photos',
        does: 'serve one person, within 10 minutes',
      },
      { line: 'thru host --to Bea ./photos', does: 'send to a contact, without a code' },
      { line: 'thru host --text - < notes.txt', does: 'offer a text to read' },
      { line: 'thru host --resume', does: 'resume an interrupted share' },
      { line: 'tar c dir | thru host - --as dir.tar', does: 'stream without a temporary file' },
      {
        line: "thru host --run 'tar c dir' --as dir.tar",
        does: 'the same, and fail when tar fails',
      },
    ],
    notes: [
      'Ctrl-C ends the share. Files that you put into a folder later are offered only with --watch: otherwise press a to add them.',
    ],
  },
  join: {
    summary: 'receive files with a join code',
    args: { code, folder: 'folder to save to, the same as --out' },
    examples: [
      { line: 'thru join', does: 'ask for the code' },
      { line: 'thru join 4821-apple-kayak-onion ./in', does: 'receive into a folder' },
      { line: "thru join --only 'photos/2024/*.jpg'", does: 'receive some of the files' },
      {
        line: 'thru join - --yes --json < code.txt',
        does: 'read the code from a file, in a script',
      },
      { line: 'thru join CODE --yes --out - | tar x', does: 'unpack while receiving' },
    ],
    notes: [codeNote],
  },
  request: {
    summary: 'ask for files: anyone with the code can send some to this computer',
    args: { folder: 'folder to save to, created if missing; the current folder by default' },
    examples: [
      { line: 'thru request ./in', does: 'print a code, and receive from the first sender' },
      { line: 'thru request --keep-open --qr', does: 'receive from several people' },
      { line: 'thru host photo.jpg --for CODE', does: 'send to such a code' },
    ],
    notes: [
      'Each offer is shown before anything is written, and refused unless you accept it or gave --yes.',
    ],
  },
  resume: {
    summary: 'list unfinished transfers, or resume one by number',
    args: {
      number: 'number of the transfer in the list',
      code: "new code, if the sender's has changed; - reads it from standard input",
    },
    examples: [
      { line: 'thru resume', does: 'list unfinished transfers' },
      { line: 'thru resume 1', does: 'resume the first one' },
      { line: 'thru resume 1 4821-apple-kayak-onion', does: 'resume it with a new code' },
      { line: 'thru resume --delete 1', does: 'delete its partial files' },
    ],
    notes: [codeNote],
  },
  listen: {
    summary: 'receive from contacts and nearby computers until you stop it',
    examples: [
      { line: 'thru listen --out ./in', does: 'save the offers that you accept into a folder' },
    ],
  },
  nearby: {
    summary: 'list computers on this network that you can send to',
    examples: [{ line: 'thru host --to "Mina\'s laptop" ./photos', does: 'send to one of them' }],
  },
  contacts: {
    summary: 'list, group, rename or remove contacts; receive from one without asking',
    examples: [
      { line: 'thru contacts', does: 'list your contacts' },
      { line: 'thru contacts auto Bea ./from-bea', does: 'receive from Bea without asking' },
    ],
  },
  rename: {
    summary: 'rename a contact',
    args: { name: 'the contact', 'new-name': 'its new name' },
  },
  remove: {
    summary: 'remove a contact; you need a code to exchange files again',
    args: { name: 'the contact' },
  },
  groups: {
    summary: 'set the groups of a contact; "host --to" takes their names',
    args: {
      name: 'the contact',
      group: 'names of groups; without any, the contact leaves all groups',
    },
  },
  auto: {
    summary: 'receive from a contact without asking; "off" to ask again',
    args: { name: 'the contact', folder: 'folder to save to, or "off"' },
  },
  history: {
    summary: 'list past transfers; remove entries',
    examples: [
      { line: 'thru history', does: 'list the latest transfers, newest first' },
      {
        line: 'thru history --search photos',
        does: 'list those with this word in names, people or folders',
      },
      { line: 'thru history remove 12', does: 'remove an entry' },
    ],
    notes: [
      'The history belongs to your account on this computer, and the app shows the same one. Turn it off with "thru config set general.keepHistory no", or for one transfer with --set general.keepHistory=no.',
    ],
  },
  'history remove': {
    summary: 'remove an entry; the files stay',
    args: { number: 'number of the entry in the list' },
  },
  clear: { summary: 'remove all entries; the files stay' },
  config: {
    summary: 'list, read or change the settings of the app and this command',
    examples: [
      { line: 'thru config', does: 'list all settings' },
      { line: 'thru config set network.uploadLimit 20MB/s', does: 'limit the upload speed' },
      { line: "thru config set sharing.exclude 'node_modules, *.tmp'", does: 'set a list' },
      { line: 'thru config unset network.uploadLimit', does: 'restore the default' },
      { line: 'thru config server add wss://HOST', does: 'use a signaling server' },
    ],
  },
  get: {
    summary: 'print the value of a setting',
    args: { key: 'as in the list, such as general.name' },
  },
  set: {
    summary: 'change a setting',
    args: {
      key: 'as in the list, such as general.name',
      value: 'new value; lists are separated by commas or written as JSON',
    },
  },
  unset: {
    summary: 'restore the default of a setting',
    args: { key: 'as in the list, such as general.name' },
  },
  path: { summary: 'print the path of the settings file' },
  server: { summary: 'list, add or remove signaling servers' },
  'server list': { summary: 'list the signaling servers in the settings' },
  'server add': {
    summary: 'add a signaling server; the first one is used from then on',
    args: { url: 'ws://host:port or wss://host' },
  },
  'server remove': {
    summary: 'remove a signaling server',
    args: { name: 'its name or address in the list' },
  },
  doctor: {
    summary: 'check connectivity (takes up to five seconds)',
    examples: [
      { line: 'thru doctor', does: 'check with the server in the settings' },
      { line: 'thru doctor --server-url wss://HOST', does: 'check with another server' },
    ],
    notes: [
      'This checks the signaling server, STUN servers, TURN servers (with a temporary relay address), port mapping on the router, and discovery on the local network. No name or code is sent.',
    ],
  },
  serve: {
    summary: 'run a signaling server until you stop it',
    args: { settings: 'the settings listed below' },
    examples: [
      { line: 'thru serve --port 8080', does: 'listen on all addresses of this computer' },
    ],
  },
  completion: {
    summary: 'print a completion script for your shell',
    args: { shell: 'bash, zsh, fish or powershell' },
    examples: [
      { line: 'source <(thru completion bash)', does: 'in ~/.bashrc' },
      { line: 'source <(thru completion zsh)', does: 'in ~/.zshrc, after compinit' },
      { line: 'thru completion fish | source', does: 'in ~/.config/fish/config.fish' },
      { line: 'thru completion powershell | Out-String | iex', does: 'in $PROFILE' },
    ],
  },
  man: {
    summary: 'print the manual page',
    examples: [{ line: 'thru man | man -l -', does: 'read it' }],
  },
  licenses: { summary: 'print the licenses of all included software' },
} as const satisfies Readonly<Record<string, CommandText>>

/** Headings of `--help` and the manual. */
export const helpText = {
  sending: 'Send and receive:',
  people: 'Contacts:',
  tools: 'Tools:',
  offer: 'What to offer:',
  access: 'Who can receive:',
  choose: 'What to receive:',
  write: 'How files are written:',
  connection: 'Connection:',
  other: 'Other options:',
  examples: 'Examples:',
  exitCodes: 'Exit codes:',
  settings: 'Settings:',
  command: 'show the help of a command',
  /** The beginning of commander's error. */
  unknown: 'thru: unknown command',
  notImplied: "It isn't an existing path or a join code either. See thru --help.",
  aliases: (names: readonly string[]) => `Also: ${names.join(', ')}.`,
} as const
