/** Every English text of the main process: the system's dialogs, menus, tray and notifications. */
import { formatCount, formatRate } from '#shared/format/format'
import { plural } from '#shared/format/plural'

type Rates = { readonly upload: number; readonly download: number }

/** `↑ 118 MB/s ↓ 2.1 MB/s`; a direction without data is omitted. */
const rates = ({ upload, download }: Rates): string =>
  [
    ...(upload > 0 ? [`↑ ${formatRate(upload)}`] : []),
    ...(download > 0 ? [`↓ ${formatRate(download)}`] : []),
  ].join(' ')

const transfers = (count: number): string =>
  plural(count, {
    one: `${formatCount(count)} transfer`,
    other: `${formatCount(count)} transfers`,
  })

export const english = {
  window: { title: 'Thruflux' },
  dialogs: {
    share: 'Share',
    saveHere: 'Save here',
    /** The file name of a received text without a name. */
    unnamedText: 'Text',
    /** The file name of a pasted image. */
    pastedImage: ({ date, time }: { readonly date: string; readonly time: string }) =>
      `Pasted image ${date} at ${time}`,
  },
  tray: {
    idle: 'No transfers',
    moving: ({ count, ...speed }: Rates & { readonly count: number }) =>
      [transfers(count), rates(speed)].filter((part) => part !== '').join(' · '),
    still: (count: number) => `${transfers(count)} · paused`,
    tooltip: (status: string) => `Thruflux · ${status}`,
    open: 'Open Thruflux',
    shareFiles: 'Share files…',
    pauseAll: 'Pause all',
    resumeAll: 'Resume all',
    quit: 'Quit Thruflux',
  },
  menu: {
    file: 'File',
    edit: 'Edit',
    view: 'View',
    window: 'Window',
    help: 'Help',
    shareFolder: 'Share a folder…',
    enterCode: 'Enter a code',
    closeWindow: 'Close window',
    shortcuts: 'Keyboard shortcuts',
    copyReport: 'Copy problem report',
    licenses: 'Licenses',
    about: 'About Thruflux',
  },
  notices: {
    someone: 'Someone',
    /** Separates facts. */
    separator: ' · ',
    joined: (name: string) => `${name} joined your share`,
    manyJoined: (count: number) =>
      plural(count, {
        one: `${formatCount(count)} person joined your share`,
        other: `${formatCount(count)} people joined your share`,
      }),
    asks: (name: string) => `${name} asks to be let in`,
    manyAsk: (count: number) =>
      plural(count, {
        one: `${formatCount(count)} person asks to be let in`,
        other: `${formatCount(count)} people ask to be let in`,
      }),
    theyHaveAll: (name: string) => `${name} has received everything`,
    theyFinished: (name: string) => `${name} has finished receiving`,
    manyFinished: (count: number) =>
      plural(count, {
        one: `${formatCount(count)} person has finished receiving`,
        other: `${formatCount(count)} people have finished receiving`,
      }),
    received: (title: string) => `Received: ${title}`,
    nothingNew: (title: string) => `Nothing new: ${title}`,
    receivedAbout: ({ from, amount }: { readonly from: string; readonly amount: string }) =>
      `${amount} from ${from}`,
    manyReceived: (count: number) => `${transfers(count)} finished`,
    offered: (name: string) => `${name} wants to send you files`,
    offeredText: (name: string) => `${name} wants to send you text`,
    manyOffered: (count: number) =>
      plural(count, {
        one: `${formatCount(count)} offer is waiting for you`,
        other: `${formatCount(count)} offers are waiting for you`,
      }),
    theyFailed: (name: string) => `The transfer to ${name} ended early`,
    shareFailed: 'A share has ended',
    failed: 'A transfer has failed',
    interrupted: 'A transfer was interrupted',
    failedAbout: ({ title, what }: { readonly title: string; readonly what: string }) =>
      `${title} · ${what}`,
    manyFailed: (count: number) => `${transfers(count)} ended early`,
  },
  closing: {
    staysInTray: 'Thruflux keeps running in the tray',
    staysInTrayAbout:
      'People can still join your shares, and transfers continue. Click the tray icon to open the window again. You can change this in the settings.',
    keepRunning: 'Keep running',
    noTray: 'There is no tray to close Thruflux to',
    noTrayAbout:
      'Minimize the window to keep your shares and transfers going. Quitting ends your shares; interrupted receives can be resumed later.',
    minimize: 'Minimize',
    running: (count: number) =>
      plural(count, {
        one: `${formatCount(count)} transfer is running`,
        other: `${formatCount(count)} transfers are running`,
      }),
    interrupted: 'Receives can be resumed later. Your shares end for everyone who is connected.',
    suspended:
      'Receives can be resumed later. Your shares reopen at the next start, and their receivers reconnect.',
    quit: 'Quit',
    cancel: 'Cancel',
  },
} as const
