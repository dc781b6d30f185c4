/** What each option does, for `--help`, the manual and docs/cli.md. */

/** `more` stands in the manual and docs/cli.md only: a sentence or two. */
export type OptionText = { readonly help: string; readonly more?: string }

/** By the option's name without its hyphens. */
export const optionText = {
  'server-url': {
    help: 'signaling server: ws://host:port or wss://host',
    more: '`http:` and `https:` work too. Without it: the server of the settings, else that of this computer, which is started if there is none; with `--to`, the server of the contact.',
  },
  'server-password-file': {
    help: 'file whose first line is the password of a server that wants one',
    more: 'It goes to the server of `--server-url`, or of the settings, and to no other one that a link names. The variable `THRU_SERVER_PASSWORD` has the password itself. Without either: that of the settings.',
  },
  'fallback-server': {
    help: 'signaling server that is asked when the one before it fails; repeatable',
    more: 'In the form of `--server-url`, after which they come, in this order, three at most. Those of the server in the settings unless some are given.',
  },
  'stun-server': {
    help: 'STUN server, as stun:host[:port]; repeatable',
    more: 'Of several, the first that answers is used. None by default.',
  },
  'turn-server': {
    help: 'TURN server, as turn:user:password@host[:port][?transport=udp|tcp], turns: for TLS; repeatable',
    more: 'None by default.',
  },
  proxy: {
    help: 'proxy to the signaling server and to TURN servers over TCP: http://host:port, https:, socks5:, system or none',
    more: 'With `user:password@` before the host if it wants them. `system`, which is the setting unless you change it, is what `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` say, in capitals or not; the system itself is asked only by the app. Options are in the list of processes: a password belongs into the variable or the settings.',
  },
  relay: {
    help: "when connections may go by relays: automatic (default), only: hide this computer's address, never: directly or not at all",
    more: 'The setting `network.relay` has the same values and holds otherwise. `automatic` uses a relay where there is no direct way. With `only`, relays are those of `--turn-server` or the settings, and those that the signaling server gives; it keeps off the local network, and asks no router and no STUN server. `never` uses no relay of either side.',
  },
  'no-lan': {
    help: "don't be found, and don't look, on the local network",
    more: 'Any value of the variable counts. Without it, what you share can be found by the computers on your network while it is shared, and a code is looked for there and at the server at once.',
  },
  'no-port-mapping': {
    help: "don't ask the router to let the other side through",
    more: 'It is asked by PCP, NAT-PMP or UPnP, for as long as a connection lasts. The setting `network.portMapping` does the same always.',
  },
  'safety-number': {
    help: 'print six digits to compare with the other side',
    more: 'They are the same on both computers unless someone is intercepting the connection: compare them by voice.',
  },
  name: {
    help: "this computer's name as others see it",
    more: 'At most 64 bytes; the host name by default. `resume` keeps the name of the transfer.',
  },
  'limit-up': {
    help: 'highest upload speed, such as 20MB/s or 20Mbit/s',
    more: '`200MiB`, `1.5G` and `500k` are bytes a second. `k`, `M`, `G`, `T` are powers of 1000, with an `i` of 1024. No limit by default.',
  },
  'limit-down': { help: 'highest download speed, in the same form' },
  'leave-room': {
    help: 'leave room for others: transfers slow down while calls or downloads need the line',
    more: 'The other side keeps to it, too. The setting `network.leaveRoom` does the same always.',
  },
  'relay-rate': {
    help: 'also measure for a second how much each relay carries',
    more: 'It writes to its own address at each TURN server that is set, up to 2 MB at a time; that needs UDP.',
  },
  report: {
    help: 'print a report to pass on, without your addresses',
    more: 'Half of each IP address and the names of accounts are left out, passwords are never in it. Without --report, and with --json, addresses are whole.',
  },
  json: {
    help: 'print one JSON object per line on standard output',
    more: "Programs should ignore types and fields that they don't know.",
  },
  verbose: {
    help: 'say more on standard error: each step and file, the route, how long it took',
    more: 'With `--json` it adds only the files, and in `join` and `resume` how many milliseconds each step of the connection took.',
  },
  quiet: {
    help: 'say only results, questions and what goes wrong',
    more: 'Without progress.',
  },
  color: {
    help: 'color the output: auto (default), always, never',
    more: '`auto` colors a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.',
  },
  copy: {
    help: 'copy the join link to the clipboard',
    more: 'With wl-copy, xclip, xsel, pbcopy or clip.exe; without one of them the terminal is asked to (OSC 52). The link is never in the list of processes.',
  },
  text: {
    help: 'offer a text to read; - reads it from standard input; repeatable',
    more: 'In UTF-8. At most 1 MiB, and 16 MiB for all texts of a share. With --text you need no path.',
  },
  exclude: {
    help: 'leave out what matches, such as node_modules or *.tmp; repeatable',
    more: 'A folder that matches is left out with everything in it.',
  },
  gitignore: {
    help: 'leave out what the .gitignore files in what is shared leave out',
  },
  'max-receivers': {
    help: 'most receivers at the same time; 0: none for now',
    more: 'Up to 1,000; 10 by default.',
  },
  as: {
    help: 'what the file is called that a stream becomes (host -, --run)',
    more: '`stream` by default.',
  },
  run: {
    help: 'stream what this command of the shell writes, and fail with it',
    more: 'Receivers keep nothing unless it ends with 0, and the exit code is 9 then. It has no input. Not on Windows.',
  },
  size: {
    help: 'how many bytes a stream has; with any other number it has failed (host -, --run)',
    more: 'Receivers keep nothing of it then.',
  },
  receivers: {
    help: 'begin to read a stream when so many have accepted (host -, --run)',
    more: 'One by default. Who joins after the beginning is refused: what was read is kept for a moment only.',
  },
  once: {
    help: 'serve one receiver, then exit',
    more: 'The code works for the first receiver who has the right words. They can still reconnect if the connection is lost.',
  },
  approve: {
    help: 'ask about each receiver before it learns what is shared',
    more: 'Needs a terminal. Who was let in once may reconnect without a question, and contacts named with --to are let in. The setting `sharing.approve` does the same always.',
  },
  words: {
    help: 'choose the three words of the code, such as apple-kayak-onion',
    more: 'From the list of code words; three letters of a word are enough. The number in front comes from the server. Words that a person picks are easier to guess than drawn ones, which is the default; your count of wrong guesses still stops guessing. If the server gives another number later, words are drawn.',
  },
  expires: {
    help: 'how long the code is valid, such as 10m, 1h30m or 24h',
    more: 'From 1 minute to 24 hours, which is the default. Current transfers continue after that.',
  },
  'host:resume': {
    help: 'share again what was interrupted, with the same code',
    more: 'After a crash, a restart, or Ctrl-C while somebody was receiving. Without a number: the only one, or a list of them.',
  },
  qr: {
    help: 'show the join link as a QR code, for terminals with a dark background',
    more: 'On standard error; not with `--json`.',
  },
  to: { help: 'send to this contact, without a code; repeatable' },
  keep: {
    help: 'offer to add the other side as a contact',
    more: '`thru contacts rename` gives it another name.',
  },
  out: {
    help: 'where to save, created if missing; - writes one file to standard output',
    more: "The current folder by default. `thru join CODE FOLDER` means the same. With `-`, not in `listen`, everything else goes to standard error, `--json` too; the offer has to have one file, or `--only` chooses it, and it can't be resumed.",
  },
  yes: {
    help: 'accept without asking, and use the server that a link names',
    more: 'That server is remembered for later links, like one that you agreed to. Required where nobody can answer (no terminal).',
  },
  conflict: {
    help: 'when a different file already exists: keep-both (default), replace, replace-older, skip, ask',
    more: '`keep-both` saves the new one as `name (2).ext`. `ask` asks once for all of them and needs a terminal.',
  },
  only: {
    help: 'receive only what matches; repeatable',
    more: "Paths begin with the item's name, and case counts.",
  },
  except: { help: 'leave out what matches; repeatable' },
  first: {
    help: 'receive this before everything else; repeatable',
    more: 'Sent in the order given. Files that are on their way at the same time may be complete in another one.',
  },
  verify: { help: 'verify files after writing: read everything back from the disk' },
  set: {
    help: 'a setting for this command alone, such as receiving.keepTimes=no; repeatable',
    more: 'Those of `sharing`, `receiving` and `advanced` in docs/settings.md, such as `sharing.links`, `receiving.resume`, `receiving.compareContent`, `receiving.mark`. Values are written as for `thru config set`.',
  },
  search: { help: 'only those with this text in names, people or folders' },
  limit: { help: 'how many to list (default: 20)', more: 'Up to 10,000, which are kept.' },
  'clear:yes': { help: 'remove without asking' },
  'no-history': {
    help: "don't remember this transfer in the history",
    more: 'The setting `general.keepHistory` holds otherwise.',
  },
  qlog: {
    help: 'leave a qlog of each connection in this folder',
    more: 'For tools such as qvis. It has no file names, keys or addresses; docs/diagnostics.md says what is in it, and how large it gets. The setting `advanced.qlogFolder` holds otherwise.',
  },
  forget: {
    help: 'delete the partial files of this one',
    more: 'Finished files are kept.',
  },
  max: { help: 'ask about larger offers (default: 100GB)' },
} as const satisfies Readonly<Record<string, OptionText>>
