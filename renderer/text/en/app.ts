/** Texts that belong to no single screen: actions, keys, the top bar, routes, announcements. */
import { formatBytesOf, formatCount } from '#shared/format/format'
import { plural } from '#shared/format/plural'
import { spelledCode } from '../names'
import { person } from './person'

export const appText = {
  person,

  /** Separates facts on one line. */
  separator: ' · ',

  actions: {
    cancel: 'Cancel',
    change: 'Change',
    close: 'Close',
    collapse: 'Collapse',
    copied: 'Copied',
    copy: 'Copy',
    copyFailed: "Couldn't copy. Select the text and copy it yourself.",
    delete: 'Delete',
    done: 'Done',
    expand: 'Expand',
    open: 'Open',
    pause: 'Pause',
    pauseAll: 'Pause all',
    resume: 'Resume',
    save: 'Save',
    showFile: 'Show file',
    showFolder: 'Show in folder',
    tryAgain: 'Try again',
    undo: 'Undo',
  },

  /** Buttons for the remedies of errors. */
  remedies: {
    'network-settings': 'Network settings',
    'enter-code': 'Enter a code',
    'choose-files': 'Choose files',
    'choose-folder': 'Change',
    'try-again': 'Try again',
    restart: 'Restart Thruflux',
    'copy-report': 'Copy report',
  },

  keys: {
    open: (mod: string) => `${mod} O`,
    copy: (mod: string) => `${mod} C`,
    codeField: (mod: string) => `${mod} L`,
    enter: 'Enter',
    modEnter: (mod: string) => `${mod} Enter`,
    escape: 'Esc',
  },

  lists: {
    files: (count: number) =>
      plural(count, {
        one: `${formatCount(count)} file`,
        other: `${formatCount(count)} files`,
      }),
    more: (count: number) => `and ${formatCount(count)} more`,
    leftOutBySender: (count: number) =>
      plural(count, {
        one: `${formatCount(count)} item left out by the sender`,
        other: `${formatCount(count)} items left out by the sender`,
      }),
  },

  progress: {
    filesOf: ({ files, totalFiles }: { readonly files: number; readonly totalFiles: number }) =>
      `${formatCount(files)} of ${formatCount(totalFiles)} files`,
    /** Read by screen readers. */
    percent: (percent: number) => `${percent.toString()} percent`,
    timeLeft: (duration: string) => `${duration} left`,
    received: ({ bytes, totalBytes }: { readonly bytes: number; readonly totalBytes: number }) =>
      `${formatBytesOf(bytes, totalBytes)} received`,
    underASecond: 'less than a second',
    tryingDirect: 'trying a direct connection',
    resumesWithSpace: 'resumes automatically',
    resumesWithThem: 'resumes when they do',
    notFinished: 'not finished',
  },

  error: {
    details: 'Details',
    rows: { error: 'error', about: 'about', detail: 'detail' },
  },

  safety: {
    title: 'Safety number',
    about: 'Compare it by voice. If it differs, someone is intercepting the connection.',
  },

  speed: {
    title: 'Speed limits',
    upload: 'Upload',
    download: 'Download',
    none: 'No limit',
    custom: 'Custom',
    customUpload: 'Upload in MB/s',
    customDownload: 'Download in MB/s',
    unit: 'MB/s',
    about: 'Applies to all transfers combined.',
  },

  route: {
    local: 'Local network',
    direct: 'Direct',
    directIpv6: 'Direct, IPv6',
    directTcp: 'Direct, TCP',
    relayed: 'Relayed',
    relayedTcp: 'Relayed, TCP',
    serverRelay: 'Via the server',
    localWhy: 'Connected over your local network.',
    directWhy: (remote: string) => `Connected directly to ${remote}.`,
    directTcpWhy: (remote: string) =>
      `Connected directly to ${remote} over TCP, because UDP doesn't get through.`,
    relayWhy: (relay: string) =>
      `A direct connection wasn't possible. ${relay} relays encrypted data it can't read.`,
    relayOf: (relay: string) => `${relay} relays encrypted data it can't read.`,
    serverRelayOf: (server: string) =>
      `Nothing else gets through, so ${server}, where the two computers found each other, relays encrypted data it can't read. This is slow.`,
  },

  server: {
    idle: 'Ready',
    embedded: 'Ready on this computer',
    network: 'Ready on this network',
    networkBlocked: "Can't be found on this network",
    connected: (host: string) => `Ready via ${host}`,
    insecure: (host: string) => `Ready via ${host}, not encrypted`,
    unreachable: (host: string) => `${host} isn't responding`,
    untrusted: (host: string) => `${host} isn't trusted`,
    closed: (host: string) => `${host} requires a password`,
    idleWhy: 'Thruflux connects when you share or enter a code.',
    embeddedWhy:
      'No server is configured. Codes work only on this computer. Add one in Settings > Network.',
    networkWhy:
      'Computers on your network can find your shares by their codes. No server is needed.',
    noNetworkWhy: "This computer isn't connected to a local network. Connect it, or use a server.",
    portWhy:
      'Another program uses the port that Thruflux needs on this network. Close that program, or use a server.',
    multicastWhy: (url: string) =>
      `Announcements are blocked, perhaps by a firewall. Allow Thruflux there, or pass on the join link instead of the code: it has this computer's address, ${url}.`,
    connectedWhy: (host: string) =>
      `${host} helps the two computers find each other. It never sees your files or their names.`,
    insecureWhy: (host: string) =>
      `The connection to ${host} isn't encrypted. Others on the network can see who connects to whom, use its relays, or interfere. Your files stay protected. Use an address that starts with wss:// if there is one.`,
  },

  /** Announcements for screen readers. */
  announcement: {
    codeReady: (code: string) => `The join code is ${spelledCode(code)}.`,
    codeEntered: 'Someone entered the code.',
    connected: (name: string) => `${person(name)} is connected.`,
    receiverFinished: (name: string) => `${person(name)} has received everything.`,
    offered: 'Someone wants to send you files. Choose whether to receive them.',
    offeredText: 'Someone wants to send you text. Choose whether to show it.',
    /** The state of a transfer or a person. */
    about: (name: string, words: string) => `${name}: ${words}`,
    received: ({ title, percent }: { readonly title: string; readonly percent: number }) =>
      `${title}: ${percent.toString()} percent received`,
    sent: ({ name, percent }: { readonly name: string; readonly percent: number }) =>
      `${person(name)}: ${percent.toString()} percent sent`,
    codeEnds: ({ title, duration }: { readonly title: string; readonly duration: string }) =>
      `The code for ${title} expires in ${duration}.`,
    invited: 'Someone wants to send you files.',
    contactRequested: 'Someone wants to add you as a contact.',
  },
} as const
