/** Every sentence of the window. Short main clauses, present tense; errors are in describe-error. */
import { formatBytes, formatCount, formatCounted } from '#shared/format'

/** "Mina Park", or a word for somebody whose name is not known yet. */
const person = (name: string): string => (name === '' ? 'Someone' : name)

const people = (count: number): string => formatCounted(count, 'person', 'people')

/** A digit is read alone, a word as a word: "4 8 2 1, apple, river, stone". */
const spelt = (code: string): string =>
  code
    .split('-')
    .map((part) => (/^\d+$/.test(part) ? [...part].join(' ') : part))
    .join(', ')

export const text = {
  person,
  people,
  separator: ' · ',

  home: {
    title: 'Drop files anywhere',
    promise:
      'A join code appears at once. Whoever enters it gets the files straight from this computer.',
    send: 'Send',
    receive: 'Receive',
    chooseFiles: 'Choose files',
    chooseFolder: 'Choose folder',
  },

  codeField: {
    label: 'Have a code? Type or paste it.',
    name: 'Join code',
    placeholder: 'Enter a code',
    example: '4821-apple-river-stone',
    join: 'Join',
  },

  keys: {
    open: (mod: string) => `${mod} O`,
    copy: (mod: string) => `${mod} C`,
    codeField: (mod: string) => `${mod} L`,
    enter: 'Enter',
    escape: 'Esc',
  },

  drop: {
    title: 'Let go to share',
    items: (count: number) => `${formatCounted(count, 'item')}. A join code follows at once.`,
    unknown: 'A join code follows at once.',
  },

  share: {
    stop: 'Stop sharing',
    codeHint: 'Join code. Read it aloud, or click to copy.',
    codeLabel: 'Join code',
    codeName: (code: string) => `Join code ${spelt(code)}. Copy`,
    copyCode: 'Copy code',
    copied: 'Copied',
    notCopied: 'Could not copy. Select it',
    opening: 'Getting a code',
    preparing: 'Preparing',
    codeFollows: 'The code follows as soon as the server answers.',
    counting: 'Counting files',
    stillCounting: 'still counting',
    sharedAgo: (duration: string) => `shared ${duration} ago`,
    sharedNow: 'shared just now',
    waiting: 'Waiting for someone to enter the code',
    later: 'More people can join later with the same code.',
    receivers: 'Receivers',
    receiverCount: (count: number) => formatCounted(count, 'receiver'),
    together: (rate: string) => `${rate} together`,
    contents: 'In this share',
    showContents: 'Contents',
    drop: (name: string) => `Drop ${person(name)}`,
    moreItems: (count: number) => `and ${formatCount(count)} more`,
    leftOut: (count: number) => `${formatCounted(count, 'item')} can't be sent`,
    sendingTo: (count: number) => `Sending to ${people(count)}`,
    haveEverything: (done: number, all: number) =>
      done === all
        ? `${people(all)} ${all === 1 ? 'has' : 'have'} everything`
        : `${formatCount(done)} of ${people(all)} have everything`,
    stopped: 'Stopped',
    nobodyJoined: 'nobody had joined',
    reconnecting: 'Reconnecting to the server',
    presentGoOn: 'transfers that run go on, new people wait',
  },

  receiver: {
    connecting: 'Connecting',
    tryingDirect: 'trying a direct path',
    deciding: 'Looking at the offer',
    starting: 'Starting',
    finishing: 'Finishing',
    noData: (duration: string) => `No data for ${duration}`,
    left: (duration: string) => `${duration} left`,
    via: (relay: string) => `via ${relay}`,
    verified: 'Verified',
    verifiedIn: (bytes: number, took: string) => `${formatBytes(bytes)} in ${took}`,
    withProblems: (count: number) => `Done with ${formatCounted(count, 'problem')}`,
    declined: 'Declined',
    dropped: 'Dropped by you',
    percent: (percent: number) => `${percent.toString()} percent`,
  },

  receive: {
    from: (name: string) => `from ${person(name)}`,
    fromTo: (name: string, directory: string) => `From ${person(name)} to ${directory}`,
    lookingUp: 'Looking for the share',
    connected: 'Connected',
    readingList: 'reading the list of files',
    soFar: (files: number) => `${formatCounted(files, 'file')} so far`,
    offered: 'Waiting for your decision',
    cancel: 'Cancel',
    received: 'received',
    now: 'now',
    safe: 'safe on disk',
    left: 'left',
    unknown: '–',
    contents: 'In this transfer',
  },

  preview: {
    title: (name: string, files: number) =>
      `${person(name)} wants to send you ${formatCounted(files, 'file')}`,
    about: (title: string, bytes: number) =>
      `${title} · ${formatBytes(bytes)} · the code matched, so nobody else can send here`,
    contents: 'What you receive',
    saveTo: 'Save to',
    change: 'Change',
    keepsExisting: 'Files that are there already stay: what has the same name gets a new one.',
    nothingYet: 'Nothing is written until you accept.',
    decline: 'Decline',
    receive: (bytes: number) => `Receive ${formatBytes(bytes)}`,
  },

  result: {
    verified: (bytes: number, took: string) => `Verified. ${formatBytes(bytes)} in ${took}`,
    withProblems: (count: number) => `Done with ${formatCounted(count, 'problem')}`,
    checked: (title: string, name: string) =>
      `${title} from ${person(name)}. Every file was checked against the sender's.`,
    partly: (files: number, all: number) =>
      `${formatCount(files)} of ${formatCounted(all, 'file')} are here and verified.`,
    showFolder: 'Show in folder',
    close: 'Close',
    average: 'Average',
    files: 'Files',
    fileCount: (files: number, renamed: number) =>
      renamed === 0
        ? formatCount(files)
        : `${formatCount(files)}, ${formatCount(renamed)} under a new name`,
    received: 'Received',
    time: 'Time',
    route: 'Route',
    savedTo: 'Saved to',
    underASecond: 'less than a second',
    moreProblems: (count: number) => `and ${formatCounted(count, 'more problem')}`,
  },

  failure: {
    tryAgain: 'Try again',
    details: 'Details',
    copy: 'Copy',
    nothingWritten: 'nothing was written',
    safe: (figures: string) => `${figures} safe on disk`,
    cancelled: 'Cancelled by you',
    notFinished: 'Not finished',
    rowDetails: { error: 'error', about: 'about', detail: 'detail' },
  },

  route: {
    local: 'Local network',
    direct: 'Direct',
    directIpv6: 'Direct IPv6',
    relayed: 'Relayed',
    relayedTcp: 'Relayed, TCP',
    localWhy: 'The bytes stay in the local network.',
    directWhy: (remote: string) => `The bytes go straight to ${remote}.`,
    relayWhy: (relay: string) =>
      `No direct path exists. The relay ${relay} passes on encrypted bytes that it can't read.`,
  },

  server: {
    idle: 'Ready',
    embedded: 'Ready on this computer',
    connected: (host: string) => `Ready via ${host}`,
    unreachable: (host: string) => `${host} does not answer`,
    idleWhy: 'A connection is made when you share or enter a code.',
    embeddedWhy: 'No server is set, so codes work between windows and terminals of this computer.',
    connectedWhy: (host: string) =>
      `${host} brings people together. It sees no files and no names.`,
  },

  transfers: 'Transfers',
  more: { drop: 'Drop more files anywhere, or' },
  row: { open: 'Open', fold: 'Close' },

  said: {
    joined: 'Someone entered the code.',
    connected: (name: string) => `${person(name)} is connected.`,
    codeReady: (code: string) => `The join code is ${spelt(code)}.`,
    offered: 'An offer is here. Choose whether to receive it.',
    finished: 'Received and verified.',
    receiverFinished: 'A receiver has everything.',
  },
} as const
