/** Screens about contacts: the list, invitations, and questions. */
import type { AppEvent } from '#shared/events'
import type { Contact, ContactId, Invited } from '#shared/state/contacts'
import {
  connected,
  direct,
  GB,
  kyotoFolder,
  kyotoTotals,
  local,
  minute,
  opened,
  outcome,
  peerId,
  receiveId,
  receiving,
  rushesOffer,
  rushesRun,
  rushesTotals,
  sending,
  shareId,
} from './scene-parts'

const day = 24 * 60 * minute
const server = 'wss://meet.example.org/v1'

const idOf = (name: string) =>
  Buffer.from(name.padEnd(16, '.').slice(0, 16)).toString('hex') as ContactId

const contact = (name: string, nowMs: number, more: Partial<Contact> = {}): Contact => ({
  id: idOf(name),
  name,
  server,
  addedMs: nowMs - 40 * day,
  lastSeenMs: nowMs,
  autoAccept: null,
  ...more,
})

const everybody = (nowMs: number): AppEvent => ({
  atMs: nowMs,
  type: 'contacts-changed',
  contacts: [
    contact('Aiko Tanaka', nowMs, { lastSeenMs: nowMs - 9 * day }),
    contact('Jonas Weber', nowMs),
    contact('Mina Park', nowMs, { lastSeenMs: nowMs - day }),
    contact('Sora Lee', nowMs, { server: 'wss://codes.example.net/v1' }),
    contact('Noor', nowMs, { lastSeenMs: nowMs - 3 * day, removedYou: true }),
    contact('Studio NAS', nowMs, { autoAccept: { directory: '/media/sora/Studio' } }),
  ],
})

const reachable = (atMs: number): AppEvent => ({
  atMs,
  type: 'reachability-changed',
  reachability: { phase: 'on' },
})

const kyotoShare = (nowMs: number, invited: readonly Invited[]): AppEvent[] => {
  const share = shareId('s1')
  const atMs = nowMs - 2 * minute
  return [
    everybody(nowMs),
    ...opened('s1', 'Kyoto rushes', atMs),
    { atMs, type: 'share-counted', share, totals: kyotoTotals },
    { atMs, type: 'share-listed', share, title: 'Kyoto rushes', items: [kyotoFolder] },
    ...(invited.length === 0 ? [] : [{ atMs, type: 'share-invited' as const, share, invited }]),
  ]
}

/** A share without a code. */
const openedTo = (nowMs: number, invited: readonly Invited[]): AppEvent[] => {
  const share = shareId('s1')
  const atMs = nowMs - 2 * minute
  return [
    {
      atMs,
      type: 'share-opened',
      share,
      title: 'Kyoto rushes',
      maxReceivers: 10,
      invitedOnly: true,
    },
    { atMs, type: 'share-counted', share, totals: kyotoTotals },
    { atMs, type: 'share-listed', share, title: 'Kyoto rushes', items: [kyotoFolder] },
    { atMs, type: 'share-reachable', share },
    { atMs, type: 'share-invited', share, invited },
  ]
}

const invitation = (name: string, nameplate: string, summary: string, atMs: number): AppEvent => ({
  atMs,
  type: 'invitation-arrived',
  invitation: { contact: idOf(name), nameplate, summary, arrivedMs: atMs },
})

const sentTo: readonly Invited[] = [
  { contact: idOf('Mina Park'), phase: 'notified' },
  { contact: idOf('Aiko Tanaka'), phase: 'away' },
]

const jonas = { peer: 'p1', name: 'Jonas Weber', route: local }
const noor = { peer: 'p2', name: 'Noor', route: direct }

/** The same with two of them in a group. */
const grouped = (nowMs: number): AppEvent => {
  const event = everybody(nowMs)
  if (event.type !== 'contacts-changed') return event
  const contacts = event.contacts.map((one, index) =>
    index < 2 ? { ...one, groups: ['Family'] } : one,
  )
  return { ...event, contacts }
}

export const contactScenes = {
  'contacts-grouped': (nowMs: number): AppEvent[] => [connected(nowMs), grouped(nowMs)],
  'contacts-home': (nowMs: number): AppEvent[] => [connected(nowMs), everybody(nowMs)],
  'contacts-only': (nowMs: number): AppEvent[] => [
    everybody(nowMs),
    ...openedTo(nowMs, [
      { contact: idOf('Mina Park'), phase: 'notified' },
      { contact: idOf('Noor'), phase: 'removed' },
    ]),
  ],
  contacts: (nowMs: number): AppEvent[] => [connected(nowMs), everybody(nowMs), reachable(nowMs)],
  'contacts-send': (nowMs: number): AppEvent[] => kyotoShare(nowMs, []),
  'contacts-sent': (nowMs: number): AppEvent[] => kyotoShare(nowMs, sentTo),
  'contacts-joined': (nowMs: number): AppEvent[] => {
    const run = { bytes: 38.4 * GB, rate: 112e6, totalBytes: 84.2 * GB, totalFiles: 12_904 }
    const share = shareId('s1')
    const joinedAtMs = nowMs - minute
    return [
      ...kyotoShare(nowMs, sentTo),
      ...sending(share, { ...jonas, joinedAtMs }, run, nowMs),
      ...sending(share, { ...noor, joinedAtMs }, { ...run, rate: 21e6 }, nowMs),
      {
        atMs: nowMs,
        type: 'receiver-contact-request-changed',
        share,
        peer: peerId('p1'),
        contactRequest: 'sent',
      },
      {
        atMs: nowMs,
        type: 'receiver-contact-request-changed',
        share,
        peer: peerId('p2'),
        contactRequest: 'possible',
      },
    ]
  },
  'contacts-ask': (nowMs: number): AppEvent[] => [
    connected(nowMs),
    everybody(nowMs),
    invitation('Mina Park', '4821', 'Kyoto rushes · 12,904 files · 84.2 GB', nowMs),
    invitation('Jonas Weber', '5932', 'Lecture slides · 96 files · 4.1 GB', nowMs),
  ],
  'contacts-request': (nowMs: number): AppEvent[] => {
    const receive = receiveId('r1')
    return [
      connected(nowMs),
      ...receiving(rushesOffer, '/home/sora/Downloads', rushesRun, nowMs),
      {
        atMs: nowMs,
        type: 'receive-finished',
        receive,
        outcome: outcome(rushesTotals.files, rushesTotals.bytes),
      },
      { atMs: nowMs, type: 'receive-contact-request-changed', receive, contactRequest: 'possible' },
    ]
  },
  'contacts-wanted': (nowMs: number): AppEvent[] => [
    connected(nowMs),
    ...receiving(rushesOffer, '/home/sora/Downloads', rushesRun, nowMs),
    {
      atMs: nowMs,
      type: 'receive-contact-request-changed',
      receive: receiveId('r1'),
      contactRequest: 'received',
    },
  ],
}
