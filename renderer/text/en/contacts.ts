/** Texts about contacts: the list, sending to them, and their requests. */
import { formatBytes, formatCount } from '#shared/format/format'
import { plural } from '#shared/format/plural'
import { person } from './person'

type Folder = { readonly directory: string; readonly maxBytes: number }

export const contactsText = {
  title: 'Contacts',
  about: 'You can send to each other without a code.',
  empty: 'Add someone during a transfer. Then you can send to each other without a code.',
  reachable: 'They can send to you while Thruflux is open.',
  retrying: "They can't reach you right now. Retrying.",
  asks: 'Asks before receiving',
  savesTo: ({ directory, maxBytes }: Folder) =>
    `Saves up to ${formatBytes(maxBytes)} automatically to ${directory}`,
  seenToday: 'Last seen today',
  seenYesterday: 'Last seen yesterday',
  seenDays: (days: number) =>
    plural(days, {
      one: `Last seen ${formatCount(days)} day ago`,
      other: `Last seen ${formatCount(days)} days ago`,
    }),
  neverSeen: 'Never seen online',

  people: 'Send to someone',
  sendFiles: 'Send files',
  sendFilesTo: (name: string) => `Send files to ${person(name)}`,
  dropTo: (name: string) => `Drop to send to ${person(name)}`,

  edit: (name: string) => `Edit ${name}`,
  name: 'Name',
  groups: 'Groups',
  groupsAbout: 'Separate several with commas. You can send to a whole group at once.',
  members: (count: number) =>
    plural(count, {
      one: `${formatCount(count)} contact`,
      other: `${formatCount(count)} contacts`,
    }),
  auto: 'Receive without asking',
  autoAbout: 'Files from this contact go to one folder. Existing files are never replaced.',
  folder: 'Folder',
  remove: 'Remove contact',
  removeQuestion: (name: string) =>
    `Remove ${person(name)}? You'll need a code to exchange files again.`,
  removeNow: 'Remove',

  send: 'Send to a contact',
  sendTitle: (title: string) => `Send ${title} to contacts`,
  search: 'Search contacts',
  noneFound: 'No contacts found.',
  noCode: "They won't need a code.",
  otherServer: (host: string) => `Uses another server, ${host}`,
  sendTo: (count: number) =>
    plural(count, {
      one: `Send to ${formatCount(count)} contact`,
      other: `Send to ${formatCount(count)} contacts`,
    }),
  sendToNone: 'Send',

  sentTo: 'Sent to',
  invited: {
    notifying: 'Notifying',
    away: 'Offline',
    notified: 'Notified',
    joined: 'Connected',
    elsewhere: 'Uses another server',
    removed: 'This contact removed you',
  },
  needsCode: 'needs a code now',
  notifiedLater: 'will be notified when online',
  noAnswer: 'no answer yet',

  invites: (name: string) => `${person(name)} wants to send you files`,
  view: 'View',
  notNow: 'Not now',
  unnamedOffer: 'From a contact',

  add: 'Add to contacts',
  addName: (name: string) => `Add ${person(name)} to contacts`,
  requests: (name: string) => `${person(name)} wants to add you as a contact`,
  requestAbout:
    'You can then send to each other without a code. Either of you can remove the other at any time.',
  accept: 'Add',
  decline: 'Decline',
  requestSent: 'Request sent',
  isContact: 'Contact',
} as const
