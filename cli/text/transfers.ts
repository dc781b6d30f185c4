/** Sentences about shares, receives and servers, as they happen. */
import { formatBytes, formatCount } from '#shared/format/format'
import { plural } from '#shared/format/plural'
import type { ConnectionStatistics } from '#shared/state/connection-statistics'

const files = (count: number): string =>
  plural(count, { one: '1 file', other: `${formatCount(count)} files` })

const summed = (count: number, atMost: boolean): string =>
  atMost ? `at most ${formatCount(count)}` : formatCount(count)

/** Separates facts on one line. */
export const separator = ' · '

/** Remedies that differ from the window's. */
export const remedies = {
  E_SERVER_PASSWORD:
    'Ask the person who runs it for the password. Add it to the settings, or put it in a file and pass that with --server-password-file.',
  E_SERVER_UNREACHABLE:
    'Check your network, the address (--server-url, THRU_SERVER_URL or the settings), and that the server is running.',
  E_SERVER_PROTOCOL:
    'Check the address (--server-url, THRU_SERVER_URL or the settings), and install the latest Thruflux on both sides.',
  E_CODE_REQUESTS: 'To send files to it: thru host PATH --for CODE',
  E_CODE_SHARES: 'To receive them: thru join CODE',
  E_LINK_OUTSIDE: 'Send what links lead to with --follow-links, or leave the link out.',
  E_NOT_DIRECT:
    'A relay may work: leave out --relay never, or allow relays in the settings (network.relay).',
}

/** Sentences for both ends of a transfer. */
export const transferText = {
  files,
  someOf: (wanted: number, count: number, bytes: number) =>
    plural(count, {
      one: `${formatCount(wanted)} of 1 file · ${formatBytes(bytes)}`,
      other: `${formatCount(wanted)} of ${formatCount(count)} files · ${formatBytes(bytes)}`,
    }),
  more: (count: number) =>
    plural(count, { one: '  and 1 more', other: `  and ${formatCount(count)} more` }),
  listed: (line: string) => `  ${line}`,
  failed: (message: string) => `thru: ${message}`,
  explained: (what: string, remedy: string) => `${what} ${remedy}`,
  withDetail: (message: string, detail: string) => `${message} [${detail}]`,
  problem: (message: string) => `Problem: ${message}`,
  problemAt: (path: string, message: string) => `Problem: ${path}: ${message}`,
  about: (name: string, message: string) => `${name}: ${message}`,
  safetyNumber: (number: string) =>
    `Safety number: ${number}. Compare it by voice. If it differs, someone is intercepting the connection.`,
  stalled: (why: string) => `No data is moving: ${why}.`,
  stalledFor: (name: string, why: string) => `${name}: no data is moving, ${why}.`,
  noRouteYet: "Couldn't connect yet. Trying once more.",
  underASecond: 'less than a second',
  /** `amount` is empty if only folders were received. */
  verified: (amount: string, size: string) =>
    `Verified. ${amount === '' ? '' : `${amount} · `}${size}`,
  /** `rest` excludes bytes that an earlier attempt received. */
  sizeIn: (bytes: number, rest: number, time: string) =>
    rest === bytes
      ? `${formatBytes(bytes)} in ${time}`
      : `${formatBytes(bytes)}, ${formatBytes(rest)} of it in ${time}`,
  withoutFiles: 'Done. No files were offered, only folders or links',
  /** `why` is a list of facts. */
  nothingNew: (why: string) => `Nothing new: ${why}`,
  /** The kind of connection, at the end of a line of facts. */
  routeKind: { local: 'local network', direct: 'direct', relay: 'relayed' },
  withProblems: (problems: number, amount: string, size: string) => {
    const verified = amount === '' ? 'nothing received' : `${amount} verified`
    return plural(problems, {
      one: `Done with 1 problem · ${verified} · ${size}`,
      other: `Done with ${formatCount(problems)} problems · ${verified} · ${size}`,
    })
  },
  renamed: (count: number) =>
    plural(count, {
      one: '1 file was renamed because its name was taken',
      other: `${formatCount(count)} files were renamed because their names were taken`,
    }),
  keys: 'Keys: space pauses and resumes, q stops.',
  spaceResumes: (paused: string) => `${paused}. Space resumes.`,
  copied: 'The join link is on the clipboard.',
  notCopied: "The join link couldn't be copied: no clipboard program or terminal here supports it.",
  timeLeft: (time: string) => `${time} left`,
  route: {
    local: (name: string) => `${name} is connected on the local network.`,
    direct: (name: string) => `${name} is connected directly.`,
    direct6: (name: string) => `${name} is connected directly (IPv6).`,
    relay: (name: string, relay: string) =>
      `${name} is connected through the relay ${relay}, which can't read your files.`,
    serverRelay: (name: string, server: string) =>
      `${name} is connected through the signaling server ${server}, which can't read your files.`,
    relayTcp: (name: string, relay: string) =>
      `${name} is connected through the relay ${relay} (TCP), which can't read your files.`,
  },
  timing: {
    server: 'server reached',
    code: 'code found',
    pairing: 'paired',
    path: 'path found',
    offer: 'offer received',
    accepted: 'accepted',
    'first-byte': 'first byte',
    total: 'total',
  },
} as const

/** Lines that `--verbose` adds. */
export const verboseText = {
  server: (url: string) => `Connected to the signaling server at ${url}.`,
  scanned: (amount: string) => `Scanning files to share: ${amount} so far.`,
  found: 'The signaling server knows the code. Pairing with the other computer.',
  paired: 'Paired: both sides know the same words. Looking for a route.',
  reached: 'Found a route to the other computer.',
  route: (name: string, facts: string) => `Route to ${name}: ${facts}`,
  buffers: ({ receive, send }: { readonly receive: number; readonly send: number }) =>
    `socket buffers ${formatBytes(receive)} in, ${formatBytes(send)} out`,
  serverRelay: 'the signaling server',
  connection: (name: string, facts: string) => `Connection to ${name}: ${facts}`,
  limitedBy: (bottleneck: string, shares: readonly string[]) =>
    `limited by ${bottleneck}${shares.length === 0 ? '' : ` (so far ${shares.join(', ')})`}`,
  shareOf: (bottleneck: string, percent: string) => `${bottleneck} ${percent}`,
  roundTrip: (now: string, least: string) => `RTT ${now} (minimum ${least})`,
  window: (algorithm: string, window: number, inFlight: number) =>
    `${algorithm} window ${formatBytes(window)}, ${formatBytes(inFlight)} in flight`,
  resumed: { jumped: 'began at an earlier rate', retreated: 'an earlier rate was too high' },
  paced: (rate: string) => `paced at ${rate}`,
  lost: (packets: number, sent: number, late: number) =>
    `${formatCount(packets)} of ${formatCount(sent)} packets lost` +
    (late === 0 ? '' : `, ${formatCount(late)} of these only late`),
  compressionSaved: (bytes: number) => `compression saved ${formatBytes(bytes)}`,
  datagrams: (bytes: number, sent: number, received: number) =>
    `datagrams of ${formatCount(bytes)} bytes, ${sent.toFixed(1)} per send and ${received.toFixed(1)} per receive`,
  qlog: ({ bytes, dropped, ended }: NonNullable<ConnectionStatistics['qlog']>) =>
    `qlog ${formatBytes(bytes)}` +
    (dropped === 0
      ? ''
      : `, ${plural(dropped, { one: '1 record', other: `${formatCount(dropped)} records` })} left out`) +
    (ended === '' ? '' : `, ended by ${ended}`),
  started: (bytes: number) =>
    bytes === 0 ? 'Receiving data.' : `Resuming after ${formatBytes(bytes)}.`,
  files: {
    states: {
      saved: 'Saved',
      sent: 'Sent',
      present: 'Already there',
      skipped: 'Skipped',
      failed: null,
      received: null,
      active: null,
      waiting: null,
    },
    more: (count: number) =>
      plural(count, { one: 'and 1 more file', other: `and ${formatCount(count)} more files` }),
    current: (path: string, others: number) => `${path} and ${formatCount(others)} more`,
  },
  retry: (attempt: number) => `Reconnecting, attempt ${formatCount(attempt)}.`,
} as const

/** Sentences of `host`. */
export const shareText = {
  unnamed: 'A receiver',
  title: 'Text',
  streamName: 'stream',
  streamWaits: (name: string, receivers: number) =>
    plural(receivers, {
      one: `Streaming ${name} starts once someone has accepted. No one can join after that.`,
      other: `Streaming ${name} starts once ${formatCount(receivers)} people have accepted. No one can join after that.`,
    }),
  keys: 'Keys: space pauses and resumes, a adds a file or folder, q stops.',
  added: (path: string) => `Added ${path}. Connected receivers are offered it as well.`,
  producerFailed: (how: string | number) => `the --run command ended with ${how}`,
  streamLost: (name: string) => ({
    what: `The connection to ${name} was lost in the middle of the stream.`,
    remedy: 'They keep nothing of it. Stream it again for them.',
  }),
  code: (code: string) => `Code: ${code}`,
  sameCode: 'The signaling server is available again. The code is unchanged.',
  howToReceive: (code: string) => `To receive: thru join ${code}`,
  howToReceiveAt: (code: string, server: string) =>
    `To receive: thru join ${code} --server-url ${server}`,
  howToSend: (code: string) => `To send files here: thru host PATH --for ${code}`,
  howToSendAt: (code: string, server: string) =>
    `To send files here: thru host PATH --for ${code} --server-url ${server}`,
  requestEnds: 'Ctrl-C ends the request.',
  backAgain: 'The connection was lost. Looking for the other side again.',
  fartherNow: 'The code now works from other networks, too.',
  noServer: {
    network:
      'The code works on this network only. To reach others, use public meeting points with --meeting, or set a server with --server-url.',
    computer:
      'The code works on this computer only. To reach others, use public meeting points with --meeting, or set a server with --server-url.',
  },
  met: 'The share can be found through public meeting points. They see the addresses of both computers, but no file, no name and no word of the code.',
  /** `command` is `howToReceive`. */
  page: (link: string) => `In a browser: ${link}`,
  howToMeet: (command: string) => `${command} --meeting`,
  howToEnd: 'Ctrl-C ends the share.',
  laterFiles: 'Files that you put into a folder later are offered only with --watch.',
  wordsTaken: (words: string) => `The words are taken as ${words}.`,
  leftOut: (amount: string, count: number) => `${amount} · ${formatCount(count)} left out`,
  offers: 'Offered:',
  excluded: (count: number) =>
    plural(count, {
      one: '1 item left out by your patterns',
      other: `${formatCount(count)} items left out by your patterns`,
    }),
  followed: (count: number) =>
    plural(count, {
      one: '1 link leads out of the share, and is followed:',
      other: `${formatCount(count)} links lead out of the share, and are followed:`,
    }),
  followedTo: (path: string, target: string) => `  ${path} to ${target}`,
  serverLost: 'Lost the signaling server. Current transfers continue. New receivers have to wait.',
  inBrowser: (name: string) => `${name} (in a browser)`,
  reviewing: (name: string) => `${name} is reviewing your files.`,
  reconnected: (name: string) => `${name} has reconnected.`,
  receiving: (name: string) => `${name} is receiving.`,
  codeIsOver: 'Share it again if they still want it. This code no longer works.',
  wrongCode: 'Someone entered a wrong code.',
} as const

/** Sentences of `join`, `resume` and `listen`. */
export const receiveText = {
  unnamed: 'The sender',
  offers: (name: string) => `${name} offers:`,
  item: {
    file: (name: string, bytes: number) => `  ${name} · ${formatBytes(bytes)}`,
    folder: (name: string, count: number, bytes: number) =>
      `  ${name}/ · ${files(count)} · ${formatBytes(bytes)}`,
    text: (name: string, bytes: number) => `  ${name} (text) · ${formatBytes(bytes)}`,
    link: (name: string) => `  ${name} (link)`,
    stream: (name: string) => `  ${name} (stream of unknown size)`,
  },
  moreItems: (count: number) =>
    plural(count, { one: '  and 1 more item', other: `  and ${formatCount(count)} more items` }),
  leftOut: (name: string, count: number) =>
    plural(count, {
      one: `1 item left out by ${name}:`,
      other: `${formatCount(count)} items left out by ${name}:`,
    }),
  leftOutReason: (reason: string) => `  ${reason}`,
  leftOutPaths: (reason: string, paths: string) => `  ${reason}: ${paths}`,
  leftOutMore: (reason: string, paths: string) => `  ${reason}: ${paths}, ...`,
  askedAbout: (number: string) =>
    `Safety number: ${number}. The sender should see the same one. Compare it by voice.`,
  into: (folder: string) => `Receiving into ${folder}`,
  toOutput: 'Writing to standard output.',
  /** Most texts have only the default name. */
  text: (name: string) => (name === 'Text' ? 'Text:' : `Text "${name}":`),
  notWatched:
    'The sender does not watch these files, so --follow had no effect. It needs thru host --watch.',
  resumeHint: {
    kept: 'Unfinished files stay hidden as ".~thru-….part" until you resume.',
    resume: (number: number) => `Resume: thru resume ${number}`,
    resumeWithCode: (number: number) =>
      `Resume with a new code from the sender: thru resume ${number} NEWCODE`,
    delete: (number: number) => `Delete the partial files: thru resume --delete ${number}`,
  },
  summary: {
    /** `atMost` is true if some may have failed. */
    keptBoth: (count: number, atMost: boolean) => `kept both: ${summed(count, atMost)}`,
    replaced: (count: number, atMost: boolean) => `replaced: ${summed(count, atMost)}`,
    skipped: (count: number) => `skipped: ${formatCount(count)}`,
    resumed: (bytes: number) => `already received: ${formatBytes(bytes)}`,
    reused: (bytes: number) => `unchanged: ${formatBytes(bytes)}`,
    mapped: (count: number) => `names changed: ${formatCount(count)}`,
    leftOut: (count: number) => `left out by the sender: ${formatCount(count)}`,
    readBack: 'read back from the disk',
    transferred: (bytes: number) => `transferred: ${formatBytes(bytes)}`,
  },
  deletions: {
    moved: (files: number, folder: string) =>
      plural(files, {
        one: `1 file that the sender deleted is in ${folder} now.`,
        other: `${formatCount(files)} files that the sender deleted are in ${folder} now.`,
      }),
    changed: (path: string) => `Kept ${path}: the sender deleted it, but it was changed here.`,
    failed: (path: string) => `Kept ${path}: the sender deleted it, but it can't be moved.`,
    'item-gone': (path: string) =>
      `Kept everything in ${path}: all of it is gone at the sender, perhaps because a disk is missing.`,
    incomplete: () =>
      'Kept all files: the sender could not read everything, so nothing counts as deleted.',
    more: (files: number) =>
      plural(files, { one: 'Kept 1 more.', other: `Kept ${formatCount(files)} more.` }),
  },
  preflight: {
    caution: {
      home: 'Careful: this is your home folder, or one above it. A separate folder is safer.',
      'start-up': 'Careful: programs in this folder or its subfolders run when you log in.',
      programs: 'Careful: commands are run from this folder.',
      settings: 'Careful: programs keep their settings in this folder.',
      'hidden-names':
        'Careful: files whose names begin with a dot are hidden, and some programs read them as settings.',
    },
    identical: (count: number, bytes: number) =>
      plural(count, {
        one: `1 file is already here (${formatBytes(bytes)})`,
        other: `${formatCount(count)} files are already here (${formatBytes(bytes)})`,
      }),
    /** They have the same size and time, and their content is still to be compared. */
    comparable: (count: number, bytes: number) =>
      plural(count, {
        one: `1 file may already be here (${formatBytes(bytes)}); it is sent again only if its content differs`,
        other: `${formatCount(count)} files may already be here (${formatBytes(bytes)}); they are sent again only if their content differs`,
      }),
    /** `isCompared` is true if their content was read. */
    different: (count: number, isCompared: boolean) =>
      isCompared
        ? plural(count, {
            one: '1 file already exists with different content:',
            other: `${formatCount(count)} files already exist with different content:`,
          })
        : plural(count, {
            one: '1 file already exists with a different size or time (content not compared):',
            other: `${formatCount(count)} files already exist with a different size or time (content not compared):`,
          }),
    policy: {
      'update-unchanged':
        'Files that this sender sent before and that are unchanged will be updated. Otherwise both are kept; new files are saved as "name (2).ext" (--conflict).',
      'keep-both': 'Both are kept. New files are saved as "name (2).ext" (--conflict).',
      replace: 'Existing files will be replaced.',
      update: 'Existing files will be replaced. Only parts of them that changed are received.',
      'replace-older': 'Existing files that are older will be replaced.',
      skip: 'Existing files stay as they are; the new ones are skipped.',
    },
    updated: (count: number, bytes: number) =>
      plural(count, {
        one: `1 file will be updated (at most ${formatBytes(bytes)})`,
        other: `${formatCount(count)} files will be updated (at most ${formatBytes(bytes)})`,
      }),
    resumed: (bytes: number) => `${formatBytes(bytes)} already received`,
    room: (needed: number, free: number) =>
      `Needs ${formatBytes(needed)}, ${formatBytes(free)} free`,
    mapped: (count: number) =>
      plural(count, {
        one: '1 name will be changed:',
        other: `${formatCount(count)} names will be changed:`,
      }),
    mappedName: (path: string, writtenAs: string) => `  ${path} as ${writtenAs}`,
    tooLarge: (count: number) =>
      plural(count, {
        one: '1 file is too large for this file system:',
        other: `${formatCount(count)} files are too large for this file system:`,
      }),
  },
  interruptedShares: {
    entry: (entry: {
      readonly number: number
      readonly title: string
      readonly receivers: string
      readonly when: string
    }) => `${entry.number}  ${entry.title} · ${entry.receivers} · ${entry.when} UTC`,
    receivers: (count: number) =>
      plural(count, {
        one: '1 unfinished receiver',
        other: `${formatCount(count)} unfinished receivers`,
      }),
    textsGone: (count: number) =>
      plural(count, {
        one: "1 text of this share isn't offered again, because texts are never stored. Share it again if needed.",
        other: `${formatCount(count)} texts of this share aren't offered again, because texts are never stored. Share them again if needed.`,
      }),
    howTo: 'Resume one: thru host --resume NUMBER',
    hint: 'Resume it with the same code: thru host --resume',
  },
  unfinished: {
    none: 'No unfinished transfers.',
    entry: (entry: {
      readonly number: number
      readonly title: string
      readonly from: string
      readonly amount: string
      readonly folder: string
      readonly when: string
    }) =>
      `${entry.number}  ${entry.title} from ${entry.from} · ${entry.amount} · ${entry.folder} · ${entry.when} UTC`,
    howTo: 'Resume one: thru resume NUMBER. Delete its partial files: thru resume --delete NUMBER',
    needsCode: (number: string) =>
      `Ask the sender for a new code, then run: thru resume ${number} NEWCODE`,
    deleted: (count: number, bytes: number) =>
      plural(count, {
        one: `Deleted 1 partial file, ${formatBytes(bytes)}`,
        other: `Deleted ${formatCount(count)} partial files, ${formatBytes(bytes)}`,
      }),
  },
} as const

/** Sentences about signaling servers. */
export const serverText = {
  trying: (url: string) => `Trying to reach the signaling server at ${url}`,
  insecure:
    'The connection to the signaling server is not encrypted. Others on the network can see who ' +
    'connects to whom, and could interfere. Your files stay encrypted. ' +
    'Use a wss:// address if the server has one.',
  listening: (url: string) => `Signaling server at ${url}`,
  forFriends: (url: string) => `On other computers: --server-url ${url}`,
} as const

/** Reasons why others on the local network can't find a share, and other ways to reach it. */
export const localNetworkText = {
  page: (link: string) => `In a browser on this network: ${link}`,
  'no-network': () =>
    "This computer isn't connected to a local network. Connect it, or set a server with --server-url.",
  port: () =>
    "Other computers on your network can't find this share, because another program uses port 41480. " +
    'Close that program, or set a server with --server-url.',
  multicast: (urls: readonly string[], link: string | null) =>
    "Other computers on your network can't find this share by its code, because announcements are blocked. " +
    'Allow mDNS (UDP port 5353) in the firewall, or enter this on the other computer: ' +
    (link === null ? `--server-url ${urls[0] ?? ''}` : link),
} as const
