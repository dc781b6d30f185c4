/** The texts of the options, for `--help`, the manual and docs/cli.md. */

/** Only the manual and docs/cli.md have `more`: a sentence or two. */
export type OptionText = { readonly help: string; readonly more?: string }

/** Keys are option names without the hyphens. */
export const optionText = {
  'server-url': {
    help: 'signaling server: ws://host:port or wss://host; repeatable',
    more: "Up to three more are fallbacks, tried in this order; `doctor` checks each. `http:` and `https:` work too. Defaults to the server in the settings, or else to one on this computer, started if necessary; with `--to`, to the contact's server.",
  },
  'server-password-file': {
    help: "read the server's password from the first line of this file",
    more: 'It is sent to the server of `--server-url` or of the settings, never to another one that a link names. `THRU_SERVER_PASSWORD` holds the password itself. Defaults to the password in the settings.',
  },
  'password-file': { help: "read the server's password from the first line of this file" },
  'stun-server': {
    help: 'STUN server, as stun:host[:port]; repeatable',
    more: 'The first one that answers is used. None by default, except for public meeting points.',
  },
  'turn-server': {
    help: 'TURN server, as turn:user:password@host[:port][?transport=udp|tcp], turns: for TLS; repeatable',
    more: 'None by default.',
  },
  proxy: {
    help: 'proxy for the signaling server and for TURN servers over TCP: http://host:port, https:, socks5:, system or none',
    more: 'Add `user:password@` before the host if the proxy needs it. `system`, the default setting, uses `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, in upper or lower case; only the app also asks the operating system. Other users can see options in the process list, so put a password in the variable or in the settings.',
  },
  relay: {
    help: "when to use a relay: automatic (default), only (hides this computer's address) or never (direct connections only)",
    more: '`automatic` uses a relay if there is no direct route. `only` uses the relays of `--turn-server` or the settings and those of the signaling server; it avoids the local network, the router and STUN servers. `never` uses no relay of either side. To make it permanent, set `network.relay`.',
  },
  'no-lan': {
    help: "don't use the local network to be found or to find others",
    more: 'The variable works with any value. By default, computers on your network can find what you share while you share it. A code is looked up there and at the server at the same time.',
  },
  meeting: {
    help: 'use public meeting points to be found, or to find others, on other networks',
    more: 'Others run them. They see your internet address and when you connect, but no file, no name and no word of a code; a STUN server of Cloudflare tells your computer its address. They carry no files. With a configured server, they are used if that server fails. Both sides need this option or the setting. To make it permanent, set `network.meeting` to `automatic` or `always`.',
  },
  'no-meeting': {
    help: "don't use public meeting points",
    more: 'This is the default unless `network.meeting` allows them.',
  },
  'meeting-relay': {
    help: 'a Nostr relay to use as a public meeting point, such as wss://relay.example.org; repeatable',
    more: "It replaces this copy's list, and includes `--meeting`. Both sides need at least one relay in common.",
  },
  'safety-number': {
    help: 'print six digits to compare with the other side',
    more: 'Compare them by voice. If they differ, someone is intercepting the connection.',
  },
  name: {
    help: 'name of this computer, shown to others',
    more: 'At most 64 bytes; the host name by default. `resume` keeps the name of the transfer.',
  },
  'limit-up': {
    help: 'maximum upload speed, such as 20MB/s or 20Mbit/s',
    more: '`200MiB`, `1.5G` and `500k` are bytes per second. `k`, `M`, `G` and `T` are powers of 1000, or of 1024 with an `i`. No limit by default.',
  },
  'limit-down': { help: 'maximum download speed, in the same form' },
  'leave-room': {
    help: 'slow down while calls or downloads need the connection',
    more: 'The other side slows down, too. To make it permanent, set `network.background` to `yes`.',
  },
  'relay-rate': {
    help: 'also measure the speed of each relay for one second',
    more: 'Each TURN server that is set relays up to 2 MB at a time from this computer back to itself. Needs UDP.',
  },
  report: {
    help: 'print a report to pass on, without your addresses',
    more: 'It leaves out half of each IP address and the names of accounts, and never has passwords. Without `--report`, and with `--json`, addresses are complete.',
  },
  json: {
    help: 'print one JSON object per line on standard output',
    more: "Programs should ignore types and fields that they don't know.",
  },
  verbose: {
    help: 'print more on standard error: each step and file, the route and timings',
    more: 'With `--json`, it adds only the files and, in `join` and `resume`, the milliseconds that each step of the connection took.',
  },
  quiet: { help: 'print only results, questions and problems', more: 'Progress is not shown.' },
  color: {
    help: 'color the output: auto (default), always or never',
    more: '`auto` colors a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.',
  },
  copy: {
    help: 'copy the join link to the clipboard',
    more: 'If the server has a page for browsers, it is the web link, which opens the app, too. Uses wl-copy, xclip, xsel, pbcopy or clip.exe; otherwise the terminal (OSC 52). The link never appears in the process list.',
  },
  text: {
    help: 'offer a text; - reads it from standard input; repeatable',
    more: 'UTF-8, at most 1 MiB each and 16 MiB together. A path is optional then.',
  },
  exclude: {
    help: 'leave out matching files and folders, such as node_modules or *.tmp; repeatable',
    more: 'A matching folder is left out with everything in it.',
  },
  watch: {
    help: 'keep receivers that use --follow up to date: send files again when they change',
    more: 'A change is sent once nothing has changed for a second, or after 30 seconds. Receivers that do not follow get the files as they are. Nothing ever changes on this computer.',
  },
  gitignore: { help: 'leave out files listed in .gitignore' },
  'follow-links': {
    help: 'send what symbolic links lead to, not the links',
    more: 'Links that lead out of the share are listed before the code is shown. A link to a folder that contains it is left out. To make it permanent, set `sharing.followLinks` to `yes`.',
  },
  'host:attributes': {
    help: 'also offer extended attributes of files and folders, such as the tags of macOS',
    more: 'Receivers keep them with `--attributes`. Those that grant rights, or that say where a file came from, are never sent. Creation times are sent, too; Windows has nothing else. To make it permanent, set `sharing.attributes` to `yes`.',
  },
  'join:attributes': {
    help: 'keep extended attributes, if the sender offers them',
    more: 'Programs may act on what the sender wrote there. Those that grant rights are never kept. macOS and Windows also set creation times; Windows keeps nothing else. To make it permanent, set `receiving.keepAttributes` to `yes`.',
  },
  'host:dry-run': {
    help: 'only print what would be shared, left out or followed',
    more: 'No one can receive anything, and no server is used.',
  },
  'dry-run': {
    help: 'only print what would be received, updated, skipped or renamed',
    more: 'The offer is declined then, and nothing is written. With `host --once`, this uses the code.',
  },
  receivers: {
    help: 'maximum number of receivers at the same time; a stream starts once this many have accepted',
    more: 'Up to 1,000; 10 by default, and 1 for a stream (host -, --run). 0 lets no one in yet. No one can join a stream after its start, because data is kept only for a moment after it is read.',
  },
  as: { help: 'name of the streamed file (host -, --run)', more: '`stream` by default.' },
  run: {
    help: 'stream the output of this shell command, and fail if it fails',
    more: 'If it exits with anything but 0, receivers keep nothing and the exit code is 9. The command gets no input. Not on Windows.',
  },
  size: {
    help: 'expected size of the stream; fail if it differs (host -, --run)',
    more: 'Receivers then keep nothing.',
  },
  once: {
    help: 'serve one receiver, then exit',
    more: 'The code works for the first receiver who enters the right words. They can still reconnect if the connection is lost.',
  },
  approve: {
    help: 'ask before showing a receiver what is shared',
    more: 'Needs a terminal. An approved receiver can reconnect without a question, and contacts named with `--to` need no approval. To make it permanent, set `sharing.approve` to `yes`.',
  },
  'no-browsers': {
    help: 'let only Thruflux receive, not browsers',
    more: 'No link leads to a page for browsers then. A page that joins with the code gets no offer, but takes the place of a code for one receiver. To make it permanent, set `sharing.browsers` to `no`.',
  },
  words: {
    help: 'choose the three words of the code, such as apple-kayak-onion',
    more: 'Use words from the list of code words; the first three letters of each are enough. The server assigns the number in front. Words that a person picks are easier to guess than random ones, which are the default, but wrong guesses are still limited. If the server assigns another number later, random words replace yours.',
  },
  expires: {
    help: 'lifetime of the code, such as 10m, 1h30m or 24h',
    more: 'From 1 minute to 24 hours; 24 hours by default. Current transfers continue after that.',
  },
  'host:resume': {
    help: 'resume an interrupted share with the same code',
    more: 'Works after a crash, a restart, or Ctrl-C while someone was receiving. Without a number, it resumes the only interrupted share or lists them all.',
  },
  qr: {
    help: 'show a link as a QR code, for terminals with a dark background',
    more: 'A phone receives with it in a browser, if the server has a page for that or the share is visible on its network. Otherwise it is the join link. Printed on standard error; not with `--json`.',
  },
  to: {
    help: 'send to this contact, group or nearby computer without a code, then exit; repeatable',
    more: 'No code is shown. A nearby computer is found by the name that it shows; you compare a number with the person there. A contact who is offline is notified once online, as long as the command runs. It ends when everyone has everything or has declined.',
  },
  'keep-open': {
    help: 'with --to, also show a code, and run until you stop it',
  },
  for: {
    help: 'send to someone who requests files, by the code or link of `thru request`',
    more: 'The command ends once they have everything, or have declined. If it is interrupted, the same command continues, as long as they still request files.',
  },
  'request:keep-open': {
    help: 'receive from any number of senders, and run until you stop it',
  },
  keep: {
    help: 'offer to add the other side as a contact',
    more: 'Use `thru contacts rename` to change its name.',
  },
  out: {
    help: 'folder to save to, created if missing; - writes one file to standard output',
    more: "The current folder by default. `thru join CODE FOLDER` means the same. With `-`, everything else goes to standard error, `--json` too. The offer must have one file, or `--only` must select one. A receive to `-` can't be resumed.",
  },
  'listen:out': {
    help: 'folder to save to, created if missing',
    more: 'The current folder by default.',
  },
  yes: {
    help: 'accept without asking, and use the server that a link names',
    more: 'That server is remembered for later links, as if you had agreed to it. Required without a terminal, where no one can answer.',
  },
  conflict: {
    help: 'if a different file already exists: update-unchanged (default), keep-both, replace, update, replace-older, skip or ask',
    more: '`update-unchanged` updates a file if the same items from the same computer put it there, and if it has not been changed since; otherwise it does the same as `keep-both`. `keep-both` saves the new file as `name (2).ext`, unless its content is already there. `update` replaces files like `replace`, but receives only the blocks that changed. `ask` asks once for all files and needs a terminal.',
  },
  update: {
    help: 'the same as --conflict update',
  },
  rename: {
    help: 'save an item of the offer under another name: OLD=NEW, or NEW for the only item; repeatable',
    more: 'An item is what the sender chose: a file, or a folder with everything in it. Only this computer knows the new name; `--only`, `--exclude` and `--first` use the old one. `thru resume` keeps it. With another name a later `join` finds neither partial files nor earlier versions, as in another folder.',
  },
  follow: {
    help: 'stay connected, and receive again whenever the files change; needs `thru host --watch`',
    more: 'It works one way: your own changes to these files are replaced, and never sent. Implies `--conflict update`. Files that the sender deletes stay here without `--delete`. The command looks for a lost sender until you stop it; `thru resume` continues later.',
  },
  'join:delete': {
    help: 'with --follow, move files that the sender deleted to .thru-removed/DATE in the folder',
    more: 'This only concerns files that this receive put there and that you have not changed; others stay and are listed. Nothing is moved if the sender could not read all of its files, or if a whole shared item is gone or empty. No file is ever deleted; empty folders are removed. File times are kept, whatever the settings say.',
  },
  only: {
    help: 'receive only matching files; repeatable',
    more: "Paths begin with the item's name and are case-sensitive.",
  },
  wait: {
    help: 'if the sender has not started yet, wait this long, such as 10m or 1h',
    more: 'The code is tried every 12 seconds, for up to 24 hours. By default, the command ends with 3 at once.',
  },
  first: {
    help: 'receive matching files first; repeatable',
    more: 'They are sent in the order given. Files sent at the same time can finish in a different order.',
  },
  set: {
    help: 'override a setting for this command, such as general.keepHistory=no; repeatable',
    more: 'Takes the `sharing`, `receiving` and `advanced` settings of docs/settings.md, `general.keepHistory` and `network.portMapping`; for example `receiving.keepTimes`, `receiving.verify`, `sharing.links` or `advanced.qlogFolder`. Write values as for `thru config set`. `resume` keeps the `receiving` settings of its transfer.',
  },
  search: { help: 'list only entries with this text in names, people or folders' },
  limit: {
    help: 'maximum number of entries to list (default: 20)',
    more: 'Up to 10,000, the most that the history keeps.',
  },
  'clear:yes': { help: 'remove without asking' },
  delete: {
    help: 'delete the partial files of this transfer',
    more: 'Those in its folder that belong to no listed transfer are deleted, too. Finished files are kept.',
  },
  max: { help: 'ask before receiving more than this (default: 100GB)' },
} as const satisfies Readonly<Record<string, OptionText>>
