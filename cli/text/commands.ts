/** What `--help`, the manual and docs/cli.md say about each command. */

/** A command line worth copying, and what it does. */
export type Example = { readonly line: string; readonly does: string }

/** What help and manual say about a command. */
export type CommandText = {
  /** One line of the list of commands. */
  readonly summary: string
  /** Each argument by its name. */
  readonly args?: Readonly<Record<string, string>>
  readonly examples?: readonly Example[]
  /** Paragraphs at the end. */
  readonly notes?: readonly string[]
}

const codeNote =
  'Without a code, thru reads the variable THRU_CODE or asks for it, and Tab completes words. ' +
  "Other users of this computer can't see it then. A code on the command line is overwritten " +
  'there at once, but it was in the list of processes for a moment, and your shell remembers it.'

const code = 'for example 4821-apple-kayak-onion; - reads it from standard input'

/** See above. */
export const commandText = {
  thru: {
    summary: 'Send files of any size directly to other computers.',
    examples: [
      { line: 'thru host ./photos', does: 'offer a folder and print its join code' },
      { line: 'thru join', does: 'ask for a code and receive into the current folder' },
      { line: 'thru resume 1', does: 'resume an interrupted transfer' },
    ],
  },
  host: {
    summary: 'offer files and folders, print a join code, serve receivers until you stop it',
    args: { paths: 'files and folders; - streams standard input' },
    examples: [
      { line: 'thru host ./photos notes.txt', does: 'offer a folder and a file' },
      {
        line: 'thru host --once --expires 10m ./photos',
        does: 'for one person, within 10 minutes',
      },
      { line: 'thru host --to Bea ./photos', does: 'send to a contact, without a code' },
      { line: 'thru host --text - < notes.txt', does: 'offer a text to read' },
      { line: 'thru host --resume', does: 'share again what was interrupted' },
      { line: 'tar c dir | thru host - --as dir.tar', does: 'stream without a temporary file' },
      {
        line: "thru host --run 'tar c dir' --as dir.tar",
        does: 'the same, and fail when tar fails',
      },
    ],
    notes: [
      'Ctrl-C ends the share. Files that you put into a folder later are not offered: add them with the key a, or start another share.',
    ],
  },
  join: {
    summary: 'receive what a code offers',
    args: { code, folder: 'where to save, the same as --out' },
    examples: [
      { line: 'thru join', does: 'ask for the code' },
      { line: 'thru join 4821-apple-kayak-onion ./in', does: 'receive into a folder' },
      { line: "thru join --only 'photos/2024/*.jpg'", does: 'receive some of the files' },
      { line: 'thru join - --yes --json < code.txt', does: 'in a script' },
      { line: 'thru join CODE --yes --out - | tar x', does: 'unpack while it comes' },
    ],
    notes: [codeNote],
  },
  resume: {
    summary: 'list unfinished transfers, or resume one by number',
    args: {
      number: 'number in the list',
      code: "new code, if the sender's has changed; - reads it from standard input",
    },
    examples: [
      { line: 'thru resume', does: 'list unfinished transfers' },
      { line: 'thru resume 1', does: 'resume the first one' },
      { line: 'thru resume 1 4821-apple-kayak-onion', does: 'the same with a new code' },
      { line: 'thru resume --forget 1', does: 'delete its partial files' },
    ],
    notes: [codeNote],
  },
  listen: {
    summary: 'receive what contacts send until you stop it',
    examples: [
      { line: 'thru listen --out ./in', does: 'ask before saving anything that contacts send' },
    ],
  },
  contacts: {
    summary: 'list your contacts; rename or remove one, or receive from one without asking',
    examples: [
      { line: 'thru contacts', does: 'list your contacts' },
      { line: 'thru contacts auto Bea ./from-bea', does: 'receive from Bea without asking' },
    ],
  },
  rename: {
    summary: 'give a contact another name',
    args: { name: 'the contact', 'new-name': 'what to call it' },
  },
  remove: {
    summary: "remove a contact; you'll need a code to exchange files again",
    args: { name: 'the contact' },
  },
  auto: {
    summary: 'without asking, save what a contact sends; "off" to stop',
    args: { name: 'the contact', folder: 'where to save, or "off"' },
  },
  history: {
    summary: 'list what was transferred; remove entries',
    examples: [
      { line: 'thru history', does: 'list the last transfers, the newest first' },
      {
        line: 'thru history --search photos',
        does: 'those with this word in names, people or folders',
      },
      { line: 'thru history remove 12', does: 'remove an entry' },
    ],
    notes: [
      'The history belongs to this account and this computer, and the app shows the same. Turn it off with "thru config set general.keepHistory no", or for one transfer with --no-history.',
    ],
  },
  'history remove': {
    summary: 'remove an entry; the files stay',
    args: { number: 'as in the list' },
  },
  clear: { summary: 'remove all entries; the files stay' },
  config: {
    summary: 'list the settings of the app and this command; read or change one',
    examples: [
      { line: 'thru config', does: 'list all settings' },
      { line: 'thru config set network.uploadLimit 20MB/s', does: 'never send faster' },
      { line: "thru config set sharing.exclude 'node_modules, *.tmp'", does: 'set a list' },
      { line: 'thru config unset network.uploadLimit', does: 'back to the default' },
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
      value: 'elements of a list with commas between them, or as JSON',
    },
  },
  unset: {
    summary: 'give a setting its default again',
    args: { key: 'as in the list, such as general.name' },
  },
  path: { summary: 'print where the file with the settings is' },
  doctor: {
    summary: 'say what this computer can reach, in five seconds',
    examples: [
      { line: 'thru doctor', does: 'try the server and networks of the settings' },
      { line: 'thru doctor --server-url wss://HOST', does: 'try another server' },
    ],
    notes: [
      'It asks the signaling server for a welcome, STUN servers for answers, TURN servers for an address that it gives back, the router whether it opens ports, and the local network who shares. No name and no code is sent.',
    ],
  },
  serve: {
    summary: 'run a signaling server until you stop it',
    args: { settings: 'see below' },
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
  licenses: { summary: 'print the licenses of everything inside' },
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
  aliases: (names: readonly string[]) => `Also: ${names.join(', ')}.`,
} as const
