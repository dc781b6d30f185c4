/** Every sentence of the window. Short main clauses, present tense; errors are in describe-error. */
import { formatBytes, formatCount, formatCounted } from '#shared/format'
import { codeFieldText, joinLinkText } from './codes'

/** "Mina Park", or a word for somebody whose name is not known yet. */
const person = (name: string): string => (name === '' ? 'Someone' : isolated(name))

/** What runs to the left takes what stands beside it along, unless it is isolated. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
const isolated = (name: string): string => (rightToLeft.test(name) ? `\u2068${name}\u2069` : name)

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
  leftOut: (count: number) => `${formatCount(count)} left out by the sender`,

  home: {
    title: 'Drop files anywhere',
    promise:
      'A join code appears at once. Whoever enters it gets the files straight from this computer.',
    send: 'Send',
    receive: 'Receive',
    chooseFiles: 'Choose files',
    chooseFolder: 'Choose folder',
    sendText: 'Send text',
  },

  codeField: codeFieldText,
  joinLink: joinLinkText,

  keys: {
    open: (mod: string) => `${mod} O`,
    copy: (mod: string) => `${mod} C`,
    codeField: (mod: string) => `${mod} L`,
    enter: 'Enter',
    modEnter: (mod: string) => `${mod} Enter`,
    escape: 'Esc',
  },

  drop: {
    title: 'Let go to share',
    items: (count: number) => `${formatCounted(count, 'item')}. A join code follows at once.`,
    unknown: 'A join code follows at once.',
    orAdd: 'Hold them over an open share to add them to it.',
    addTo: (title: string) => `Let go to add to ${title}`,
  },

  pause: { pause: 'Pause', pauseAll: 'Pause all', goOn: 'Continue' },

  textSheet: {
    title: 'Send text',
    about: 'It is shown at the receiver, and saved only if they want it.',
    name: 'Text',
    placeholder: 'Type or paste it',
    tooLong: (bytes: number, most: number) =>
      `${formatBytes(bytes)} is too much: share a file above ${formatBytes(most)}.`,
    cancel: 'Cancel',
    share: 'Share',
    unnamed: 'Text',
  },

  texts: {
    title: (count: number) => (count === 1 ? 'Text' : `${formatCount(count)} texts`),
    copy: 'Copy',
    save: 'Save',
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
    add: 'Add',
    addFiles: 'Files',
    addFolder: 'Folder',
    addText: 'Text',
    remove: (name: string) => `Remove ${name}`,
    more: 'More',
    mostReceivers: 'Receivers at the same time',
    acceptNew: 'Accept new receivers',
    acceptNewWhy: 'Whoever is there already stays either way.',
    closed: 'no new receivers',
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
    haveEverything: (done: number, all: number) =>
      done === all
        ? `${people(all)} ${all === 1 ? 'has' : 'have'} everything`
        : `${formatCount(done)} of ${people(all)} have everything`,
    nobodyJoined: 'nobody had joined',
    reconnecting: 'Reconnecting to the server',
    presentGoOn: 'transfers that run go on, new people wait',
  },

  receiver: {
    tryingDirect: 'trying a direct path',
    deciding: 'looking at the offer',
    mayComeBack: 'goes on when the same person comes back',
    goesOnWithRoom: 'continues by itself when there is room',
    goesOnWithThem: 'continues when they do',
    left: (duration: string) => `${duration} left`,
    via: (relay: string) => `via ${relay}`,
    amountIn: (bytes: number, took: string) => `${formatBytes(bytes)} in ${took}`,
    percent: (percent: number) => `${percent.toString()} percent`,
  },

  receive: {
    from: (name: string) => `from ${person(name)}`,
    fromTo: (name: string, directory: string) => `From ${person(name)} to ${directory}`,
    lookingUp: 'looking for the share',
    lookingThroughFolder: 'looking through the folder',
    nothingLost: 'nothing is lost',
    readingList: 'reading the list of files',
    soFar: (files: number) => `${formatCounted(files, 'file')} so far`,
    offered: 'for your decision',
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
    contents: 'Choose what to receive',
    wantedOf: (wanted: number, all: number) =>
      `${formatCount(wanted)} of ${formatCounted(all, 'file')}`,
    open: (name: string) => `Open ${name}`,
    moreEntries: (count: number) => `Show ${formatCount(count)} more`,
    differs: 'differs here',
    asBefore: 'The choice from before is kept.',
    chooseAgain: 'Choose again',
    tooManyChoices: 'These choices are too many to keep apart: choose whole folders.',
    saveTo: 'Save to',
    change: 'Change',
    looking: 'Looking at the folder',
    forThis: (bytes: number) => `${formatBytes(bytes)} for this`,
    stayFree: (bytes: number) => `${formatBytes(bytes)} stay free`,
    tooLittle: (bytes: number) => `${formatBytes(bytes)} too little`,
    thereFromBefore: (bytes: number) => `${formatBytes(bytes)} are there from before`,
    hereAlready: (files: number) =>
      `${formatCounted(files, 'file')} ${files === 1 ? 'is' : 'are'} here already`,
    identical: (count: number, bytes: number) =>
      `${formatCount(count)} ${count === 1 ? 'looks' : 'look'} the same, ${formatBytes(bytes)}`,
    skipped: 'Skipped',
    cautions: {
      home: 'This is your home folder, or above it. A folder of its own is safer.',
      'start-up': 'What is in this folder is run when you log in.',
      settings: 'Programs read their settings in this folder.',
      'hidden-names': 'Some names begin with a dot: they are hidden, and some programs obey them.',
    },
    differ: (count: number) => `${formatCount(count)} ${count === 1 ? 'differs' : 'differ'}`,
    policyName: 'What happens to files that differ',
    policies: {
      'keep-both': 'Keep both',
      replace: 'Replace',
      'replace-older': 'Replace older',
      skip: 'Skip',
    },
    mapped: (count: number) => `${formatCounted(count, 'name')} will be written differently`,
    tooLarge: (count: number) => `${formatCounted(count, 'file')} too large for this disk`,
    more: 'More',
    options: {
      verify: 'Read everything back from the disk',
      compareContent: 'Compare content, not only size and time',
      keepTimes: "Keep the files' times",
      makeEmptyFolders: 'Make empty folders',
      portableNames: 'Only names that every system can hold',
    },
    nothingYet: 'Nothing is written until you accept.',
    decline: 'Decline',
    receive: (bytes: number) => `Receive ${formatBytes(bytes)}`,
    goOn: 'Continue',
  },

  interrupted: {
    title: 'Interrupted',
    about: 'What arrived is kept.',
    hint: 'Enter the code again to continue',
    goOn: 'Enter code',
    forget: 'Delete partial files',
    sure: (bytes: number) => `Delete up to ${formatBytes(bytes)}? Finished files stay.`,
    deleteNow: 'Delete',
    keep: 'Keep',
  },

  speed: {
    name: 'Speed limits',
    upload: 'Upload',
    download: 'Download',
    none: 'No limit',
    custom: 'Custom',
    customName: (name: string) => `${name} in MB/s`,
    unit: 'MB/s',
    about: 'For all transfers together.',
  },

  result: {
    done: (words: string, bytes: number, took: string) =>
      `${words}. ${formatBytes(bytes)} in ${took}`,
    readBack: (title: string, name: string) =>
      `${title} from ${person(name)}. Every file was checked and read back from the disk.`,
    checked: (title: string, name: string) =>
      `${title} from ${person(name)}. Every file was checked against the sender's.`,
    partly: (files: number, all: number) =>
      `${formatCount(files)} of ${formatCounted(all, 'file')} are here and verified.`,
    mapped: (count: number) => `${formatCounted(count, 'name')} written differently`,
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
    insecure: (host: string) => `Ready via ${host}, not encrypted`,
    insecureWhy: (host: string) =>
      `The way to ${host} is not encrypted: on it, others see who connects to whom, and whoever changes what passes can use its relays or get in the way. Files stay protected. Use an address with wss:// where there is one.`,
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
