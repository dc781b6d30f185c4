/** Sentences about contacts. */

import { plural } from '#shared/format/plural'

export const contactText = {
  unnamed: 'A contact',
  asks: (name: string, server: string) => `${name} · asks before receiving · uses ${server}`,
  savesTo: (name: string, most: string, folder: string, server: string) =>
    `${name} · saves up to ${most} automatically to ${folder} · uses ${server}`,
  seen: (line: string, days: number) => {
    const ago = plural(days, { one: '1 day ago', other: `${String(days)} days ago` })
    return `${line} · last seen ${days === 0 ? 'today' : ago}`
  },
  inGroups: (line: string, groups: string) => `${line} · in ${groups}`,
  former: (name: string) => `${name} · removed you`,
  removedYou: (name: string) =>
    `${name} removed you from their contacts. To send to ${name}, use a code.`,
  none: 'No contacts yet. Use --keep with host or join to add one.',
  away: (name: string) => `${name} is offline and will be notified when online.`,
  notified: (name: string) => `${name} was notified.`,
  elsewhere: (name: string, server: string) =>
    `${name} uses another server. To reach ${name}, use --server-url ${server}`,
  requestSent: (name: string) => `Contact request sent to ${name}.`,
  requestReceived: (name: string) =>
    `${name} wants to add you as a contact. Run the command with --keep to agree.`,
  added: (name: string) =>
    `${name} is in your contacts now. You can send to each other without a code.`,
  invitation: (name: string, summary: string) => `${name} offers ${summary}.`,
  listening: 'Ready. Your contacts can send to this computer while this command runs.',
} as const
