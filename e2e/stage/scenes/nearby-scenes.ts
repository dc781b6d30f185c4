/** Screens about nearby computers: at home, in a share, and their questions. */
import type { AppEvent } from '#shared/events'
import type { ContactId } from '#shared/state/contacts'
import type { NearbyCall, NearbyComputer, NearbyId } from '#shared/state/nearby'
import { connected, kyotoFolder, kyotoTotals, minute, shareId } from './scene-parts'

const idOf = (name: string) =>
  Buffer.from(name.padEnd(8, '.').slice(0, 8)).toString('hex') as NearbyId

const mina = 'd'.repeat(32) as ContactId

const computers: readonly NearbyComputer[] = [
  { id: idOf('Mina Park'), name: 'Mina Park', contact: mina },
  { id: idOf('Kitchen'), name: 'Kitchen tablet' },
  { id: idOf('Noor'), name: 'Noor’s very long laptop name' },
]

const around = (atMs: number): AppEvent[] => [
  connected(atMs),
  {
    ...{ atMs, type: 'contacts-changed' },
    contacts: [
      {
        ...{ id: mina, name: 'Mina Park', server: 'wss://meet.example.org/v1', addedMs: atMs },
        ...{ lastSeenMs: atMs, autoAccept: null },
      },
      {
        ...{ id: 'e'.repeat(32) as ContactId, name: 'Aiko Tanaka', addedMs: atMs },
        ...{ server: 'wss://meet.example.org/v1', lastSeenMs: atMs, autoAccept: null },
      },
    ],
  },
  { atMs, type: 'nearby-changed', computers },
]

const calls: readonly NearbyCall[] = [
  { computer: idOf('Kitchen'), name: 'Kitchen tablet', phase: 'asked', safety: '482913' },
  { computer: idOf('Noor'), name: 'Noor’s very long laptop name', phase: 'declined', safety: null },
]

export const nearbyScenes = {
  nearby: around,
  'nearby-asked': (nowMs: number): AppEvent[] => {
    const share = shareId('s1')
    const atMs = nowMs - minute
    const about = { atMs, share }
    return [
      ...around(atMs),
      {
        ...{ ...about, type: 'share-opened', title: 'Kyoto rushes', maxReceivers: 10 },
        invitedOnly: true,
      },
      { ...about, type: 'share-counted', totals: kyotoTotals },
      { ...about, type: 'share-listed', title: 'Kyoto rushes', items: [kyotoFolder] },
      { ...about, type: 'share-reachable' },
      { ...about, type: 'share-called', calls },
    ]
  },
  'nearby-question': (nowMs: number): AppEvent[] =>
    (['asking', 'accepted'] as const).reduce<AppEvent[]>(
      (events, phase, index) => [
        ...events,
        {
          ...{ atMs: nowMs, type: 'nearby-asked' },
          question: {
            ...{ id: `n${index}`, name: 'Kitchen tablet', phase, arrivedMs: nowMs },
            ...{ summary: 'Kyoto rushes · 12,904 files · 84.2 GB', safety: '482913' },
          },
        },
      ],
      around(nowMs),
    ),
}
