/** Every sentence about contacts. */
import { formatBytes, formatCounted } from '#shared/format'

export const contactsText = {
  open: 'Contacts',
  title: 'Contacts',
  about: 'Both of you wanted to keep each other. Transfers between you need no code.',
  reachable: 'They can send to this computer while the app runs.',
  trying: 'They can not reach this computer now. It is tried again by itself.',
  asks: 'You are asked before anything is received',
  into: (directory: string, mostBytes: number) =>
    `Received without asking up to ${formatBytes(mostBytes)}, into ${directory}`,
  lastToday: 'Last transfer today',
  lastYesterday: 'Last transfer yesterday',
  lastDays: (days: number) => `Last transfer ${formatCounted(days, 'day')} ago`,
  never: 'No transfer yet',
  edit: (name: string) => `Change ${name}`,
  name: 'Name',
  auto: 'Receive without asking',
  autoWhy: 'Everything from this contact goes into one folder. Nothing in it is ever replaced.',
  folder: 'Folder',
  change: 'Change',
  remove: 'Remove contact',
  sure: (name: string) => `Remove ${name}? The keys are deleted. A code works as before.`,
  removeNow: 'Remove',
  keepIt: 'Keep',
  done: 'Done',

  send: 'Send to a contact',
  sendTitle: (title: string) => `Send ${title} to`,
  search: 'Name',
  nobodyFound: 'No contact has this name.',
  noCode: 'They need no code.',
  elsewhere: (host: string) => `Is reached over ${host}`,
  cancel: 'Cancel',
  sendTo: (count: number) => (count === 0 ? 'Send' : `Send to ${count.toString()}`),

  sentTo: 'Sent to',
  invited: {
    ringing: 'Being asked',
    away: 'Not there now',
    told: 'Asked',
    joined: 'Here',
    elsewhere: 'Listens at another signaling server',
  },

  later: 'offered as soon as that changes',
  noAnswer: 'no answer yet',

  would: 'would like to send you',
  look: 'Look',
  notNow: 'Not now',
  aboutOffer: (title: string, bytes: number) =>
    `${title} · ${formatBytes(bytes)} · from a contact of yours, checked by its key`,
  unnamed: 'From a contact',

  keep: 'Keep as contact',
  keepName: (name: string) => `Keep ${name} as a contact`,
  wanted: 'would like to keep you as a contact',
  wantedWhy: 'Later transfers between you need no code. You can remove each other at any time.',
  agree: 'Keep',
  refuse: 'No',
  asked: 'asked to keep you, too',
  kept: 'contact',

  said: {
    invited: 'A contact would like to send you something.',
    wanted: 'Somebody would like to keep you as a contact.',
  },
} as const
