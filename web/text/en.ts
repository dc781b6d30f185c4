/** The page's texts in English; the other languages have the same keys. */
import { formatCount } from '#shared/format/format'
import { plural } from '#shared/format/plural'

export const english = {
  title: 'Thruflux',
  heading: 'Someone gave you a code',
  lead: 'You see what it is about before anything is saved or sent.',
  codeLabel: 'Code',
  codeHint: 'The number and three words that you got',
  receive: 'Continue in this browser',
  openApp: 'Open in Thruflux',
  connecting: 'Connecting to the other side…',
  connectingHint: 'This takes a few seconds.',
  second:
    'Another tab of this browser uses this code, too. This tab transfers everything by itself.',
  awaitingApproval: 'The sender has to let you in. Compare this number with theirs:',
  from: (sender: string) => `From ${sender}`,
  fromUnnamed: 'From the sender',
  safety: 'Safety number',
  files: (count: number) =>
    plural(count, { one: `${formatCount(count)} file`, other: `${formatCount(count)} files` }),
  folders: (count: number) =>
    plural(count, {
      one: `${formatCount(count)} folder`,
      other: `${formatCount(count)} folders`,
    }),
  contents: 'Contents',
  more: (count: number) =>
    plural(count, { one: 'and 1 more', other: `and ${formatCount(count)} more` }),
  accept: 'Receive',
  receiving: 'Receiving',
  left: (time: string) => `${time} left`,
  pause: 'Pause',
  resume: 'Resume',
  cancel: 'Cancel',
  peerPaused: 'The sender has paused.',
  paused: 'Paused. The connection stays open.',
  reconnecting: 'The connection was lost. Looking for the sender…',
  routeLocal: 'local network',
  routeServer: 'through the server',
  routeDirect: 'directly',
  saving: 'Saving the files',
  toFolder: (name: string) => `Files go to the folder ${name}.`,
  savedIn: (name: string) => `Each file was checked and is in the folder ${name}.`,
  unfinished: 'Interrupted',
  resumeReceive: 'Resume receiving',
  delete: 'Delete',
  held: (amount: string) => `${amount} is already here.`,
  leftOut: (reason: string) => `Left out: ${reason}.`,
  intoFolder: 'Receive into a folder…',
  chatApp:
    'This browser is part of a chat app and may not save files. Open this page in your own browser.',
  done: 'Everything has arrived',
  doneInPart: 'Received, except for some files',
  onlyFolders: 'Only folders have arrived.',
  verified: 'Each file was checked. Save what you need before you close this page.',
  foldersArrived: (count: number) =>
    plural(count, {
      one: 'One folder without files has arrived. Save it as a ZIP file if you need it.',
      other: `${formatCount(count)} folders without files have arrived. Save them as a ZIP file if you need them.`,
    }),
  foldersIn: (count: number, name: string) =>
    plural(count, {
      one: `One folder without files is in the folder ${name}.`,
      other: `${formatCount(count)} folders without files are in the folder ${name}.`,
    }),
  save: 'Save',
  saveAs: (name: string) => `Save ${name}`,
  saveAll: 'Save all as one ZIP file',
  packing: (percent: string) => `Packing… ${percent}`,
  packFailed: 'The ZIP file could not be made. Save the files one by one.',
  saveFailed: 'This browser no longer has the whole file. Receive it again.',
  problems: (count: number) =>
    plural(count, {
      one: 'One file could not be received.',
      other: `${formatCount(count)} files could not be received.`,
    }),
  again: 'Try again',
  /** Other errors have the app's. */
  remedies: {
    E_SERVER_UNREACHABLE: "Check this device's network, then try again.",
    E_NO_ROUTE: "Try again, or use another network. The app may connect where a browser can't.",
    E_DISK_FULL: 'Make room on the disk, or choose fewer files.',
  },
  connectingRequest: 'Connecting to the computer that wants files…',
  request: (name: string) => `${name} wants files from you`,
  requestUnnamed: 'Someone wants files from you',
  chooseFiles: 'Choose files…',
  chooseFolder: 'Choose a folder…',
  dropHint: 'You can also drop files and folders on this page.',
  remove: 'Remove',
  removeItem: (name: string) => `Remove ${name}`,
  refused: (count: number) =>
    plural(count, {
      one: 'One item can’t be sent: it can’t be read, its name is too long, or there are too many files.',
      other: `${formatCount(count)} items can’t be sent: they can’t be read, their names are too long, or there are too many files.`,
    }),
  send: 'Send',
  sending: 'Sending',
  waiting: 'Waiting for the other person',
  waitingHint:
    'They see what you offer and have to accept it. This number is the same on both sides:',
  requesterPaused: 'The other person has paused.',
  reconnectingRequest: 'The connection was lost. Looking for the other computer…',
  sent: 'Everything has been sent',
  sentInPart: 'Sent, except for some files',
  sentFiles: (count: number) =>
    plural(count, {
      one: 'The other person has one file. It was checked.',
      other: `The other person has ${formatCount(count)} files. Each was checked.`,
    }),
  sentFolders: 'The other person has the folders that they accepted. These have no files.',
  notSent: (count: number) =>
    plural(count, {
      one: 'One file could not be sent.',
      other: `${formatCount(count)} files could not be sent.`,
    }),
  inBrowser: 'The browser keeps the files until you save them.',
  inBrowserWithRoom: (room: string) =>
    `The browser keeps the files until you save them. It has room for ${room}.`,
  inMemory: (most: string) =>
    `This browser keeps the files in memory, so it can receive ${most} at most.`,
  tooLarge: (room: string) => `This browser has room for ${room}. Choose less, or use the app.`,
  oldBrowser: 'This browser is too old to receive files. Use another one, or the app.',
  password: 'Password of this server',
  passwordHint: (host: string) => `${host} is only for people who have its password.`,
  passwordWrong: "The server doesn't accept this password.",
  passwordRemedy: 'Check it, or ask whoever runs the server.',
  throughServer: (rate: string, time: string) =>
    `The server passes this on at ${rate} at most, which takes at least ${time}. The app is usually faster.`,
  beyondServer: (most: string) =>
    `The server passes on at most ${most} to a browser. Choose less, or use the app.`,
  trustServer: (host: string) =>
    `${host} passes on your files but can’t read them: they are encrypted and checked on the way. It also gave you this page, and whoever runs it could change the page. The app can’t be changed this way.`,
  trust:
    'This page came from the sender’s computer. Files are encrypted and checked on the way, but someone who controls this network could change the page itself. The app can’t be changed this way.',
} as const
