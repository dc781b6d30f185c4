/** Events that lead to each screen of a share. */
import { appError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import type { Route } from '#shared/state/app-state'
import type { Outcome } from '#shared/state/counters'
import {
  direct,
  direct6,
  GB,
  joined,
  kyoto,
  kyotoFolder,
  kyotoTotals,
  local,
  MB,
  minute,
  type Offer,
  opened,
  outcome,
  peerId,
  type Person,
  receiveId,
  receiving,
  relayed,
  sending,
  shareId,
  transferId,
} from './scene-parts'

const otherCode = '7350-maple-cedar-wolf'

export const shareScenes = {
  'sharing-started': (nowMs: number): AppEvent[] => [
    ...opened('s1', 'Kyoto rushes', nowMs),
    {
      atMs: nowMs,
      type: 'share-counted',
      share: shareId('s1'),
      totals: { ...kyotoTotals, files: 12_480, complete: false },
    },
  ],

  /** A request for files that no one has answered. */
  requesting: (nowMs: number): AppEvent[] =>
    opened('s1', 'Request for files', nowMs).map((event) =>
      event.type === 'share-opened' ? { ...event, requests: true as const } : event,
    ),

  /** A share that answers a request, before the other side has accepted it. */
  answering: (nowMs: number): AppEvent[] => [
    ...opened('s1', 'Kyoto rushes', nowMs).flatMap((event): AppEvent[] => {
      if (event.type === 'share-coded') return []
      return event.type === 'share-opened' ? [{ ...event, answers: otherCode }] : [event]
    }),
    { atMs: nowMs, type: 'share-reachable', share: shareId('s1') },
    { atMs: nowMs, type: 'share-counted', share: shareId('s1'), totals: kyotoTotals },
  ],

  /** The configured server refuses: the share can only be reached from this network. */
  'sharing-nearby': (nowMs: number): AppEvent[] => {
    const share = shareId('s1')
    const url = 'wss://meet.example.org/v1'
    const error = appError('E_SERVER_PASSWORD', 'the password is wrong', 'meet.example.org')
    const [first, ...rest] = opened('s1', 'Kyoto rushes', nowMs)
    return [
      ...(first === undefined ? [] : [first]),
      ...rest.map((event) =>
        event.type === 'share-coded' ? { ...event, server: url, serverAway: true as const } : event,
      ),
      { atMs: nowMs, type: 'share-counted', share, totals: kyotoTotals },
      {
        ...{
          atMs: nowMs,
          type: 'share-listed',
          share,
          title: 'Kyoto rushes',
          items: [kyotoFolder],
        },
        followed: {
          count: 2,
          links: [
            { path: 'Kyoto rushes/Fonts', target: '/home/sora/Fonts' },
            { path: 'Kyoto rushes/Sound/library', target: '/media/nas/Sound library' },
          ],
        },
      },
      { atMs: nowMs, type: 'server-changed', server: { phase: 'unreachable', url, error } },
    ]
  },

  'sharing-receivers': (nowMs: number): AppEvent[] => {
    const share = shareId('s1')
    const atMs = nowMs - 14 * minute
    const whole = { totalBytes: kyotoTotals.bytes, totalFiles: kyotoTotals.files }
    const person = (peer: string, name: string, route: Route): Person => ({
      peer,
      name,
      route,
      joinedAtMs: atMs,
    })
    const album: Offer = {
      id: 'r1',
      from: 'Sora Lee',
      title: 'Album masters',
      route: direct,
      items: [{ id: 0, name: 'Album masters', kind: 'folder', files: 24, bytes: 9.6 * GB }],
      totals: { files: 24, folders: 1, bytes: 9.6 * GB, complete: true },
    }
    const albumRun = { bytes: 7.1 * GB, rate: 17.9 * MB, totalBytes: 9.6 * GB, totalFiles: 24 }
    return [
      ...receiving(album, '/home/sora/Music', albumRun, nowMs).map((event) => ({
        ...event,
        atMs: event.atMs === nowMs - 5 * minute ? nowMs - 20 * minute : event.atMs,
      })),
      ...opened('s1', '6 items', atMs),
      { atMs, type: 'share-counted', share, totals: kyotoTotals },
      { atMs, type: 'share-listed', share, title: '6 items', items: kyoto },
      ...sending(
        share,
        person('p1', 'Mina Park', local),
        { ...whole, bytes: 52.2 * GB, rate: 178 * MB, depth: 0.2 },
        nowMs,
      ),
      ...sending(
        share,
        person('p2', 'Jonas Weber', direct6),
        { ...whole, bytes: 34.5 * GB, rate: 94.2 * MB, depth: 0.15 },
        nowMs,
      ),
      ...sending(
        share,
        person('p3', 'Aiko Tanaka', relayed),
        { ...whole, bytes: 6.8 * GB, rate: 18.6 * MB, depth: 0.4 },
        nowMs,
      ),
    ]
  },

  /** A share with a single receiver, whose connection it shows. */
  'sharing-one': (nowMs: number): AppEvent[] => {
    const share = shareId('s1')
    const atMs = nowMs - 5 * minute
    const person: Person = { peer: 'p1', name: 'Mina Park', route: direct6, joinedAtMs: atMs }
    const whole = { totalBytes: kyotoTotals.bytes, totalFiles: kyotoTotals.files }
    return [
      ...opened('s1', 'Kyoto rushes', atMs),
      { atMs, type: 'share-counted', share, totals: kyotoTotals },
      { atMs, type: 'share-listed', share, title: 'Kyoto rushes', items: [kyotoFolder] },
      ...sending(share, person, { ...whole, bytes: 34.5 * GB, rate: 94.2 * MB }, nowMs),
    ]
  },

  /** One has everything, one chose a part, one had it all before, and one is receiving a part. */
  'sharing-finished': (nowMs: number): AppEvent[] => {
    const share = shareId('s1')
    const atMs = nowMs - 5 * minute
    const { files, bytes } = kyotoTotals
    const whole = { totalBytes: bytes, totalFiles: files }
    const person = (peer: string, name: string): Person => ({
      ...{ peer, name, route: direct6, joinedAtMs: atMs },
    })
    const ended = (who: Person, more: Partial<Outcome>): AppEvent[] => [
      ...sending(share, who, { ...whole, bytes, rate: 94.2 * MB }, nowMs - minute),
      {
        ...{ atMs: nowMs - minute, type: 'receiver-finished', share, peer: peerId(who.peer) },
        outcome: outcome(files, bytes, more),
      },
    ]
    const part = { totalBytes: bytes / 2, totalFiles: files - 100, unwantedFiles: 100 }
    return [
      ...opened('s1', 'Kyoto rushes', atMs),
      { atMs, type: 'share-counted', share, totals: kyotoTotals },
      { atMs, type: 'share-listed', share, title: 'Kyoto rushes', items: [kyotoFolder] },
      ...ended(person('p1', 'Mina Park'), {}),
      ...ended(person('p2', 'Jonas Weber'), {
        ...{ files: files - 100, bytes: bytes / 2, offeredFiles: files, unwantedFiles: 100 },
      }),
      ...ended(person('p3', 'Aiko Tanaka'), {
        ...{ identical: files, identicalBytes: bytes, uncompared: files, transferred: 0 },
      }),
      ...sending(share, person('p4', 'Ben Ito'), { ...part, bytes: 6 * GB, rate: 18 * MB }, nowMs),
    ]
  },

  /** One receives, two ask to be let in, and a receive waits for its sender. */
  approval: (nowMs: number): AppEvent[] => {
    const share = shareId('s1')
    const atMs = nowMs - 4 * minute
    const whole = { totalBytes: kyotoTotals.bytes, totalFiles: kyotoTotals.files }
    const asks = (peer: string, name: string): AppEvent[] => [
      ...joined(share, { peer, name, route: direct, joinedAtMs: nowMs }).filter(
        ({ type }) => type !== 'receiver-accepted',
      ),
      { atMs: nowMs, type: 'receiver-approval-requested', share, peer: peerId(peer) },
    ]
    const receive = receiveId('r1')
    return [
      { atMs, type: 'receive-opened', receive, transfer: transferId('r1'), code: otherCode },
      { atMs, type: 'receive-found', receive },
      { atMs, type: 'receive-paired', receive, safety: '571046' },
      { atMs, type: 'receive-connected', receive, from: 'Ben Ito', route: local },
      { atMs, type: 'receive-approval-requested', receive },
      ...opened('s1', 'Kyoto rushes', atMs),
      { atMs, type: 'share-counted', share, totals: kyotoTotals },
      { atMs, type: 'share-listed', share, title: 'Kyoto rushes', items: [kyotoFolder] },
      {
        ...{ atMs, type: 'share-code-changed', share },
        ...{ oneReceiver: false, approve: true, endsAtMs: nowMs + 24 * 60 * minute },
      },
      ...sending(
        share,
        { peer: 'p1', name: 'Mina Park', route: local, joinedAtMs: atMs },
        { ...whole, bytes: 52.2 * GB, rate: 178 * MB, depth: 0.2 },
        nowMs,
      ),
      ...asks('p2', 'Jonas Weber'),
      ...asks('p3', 'Aiko Tanaka'),
    ]
  },

  'code-guessed': (nowMs: number): AppEvent[] => {
    const share = shareId('s1')
    return [
      ...opened('s1', 'Kyoto rushes', nowMs - minute),
      { atMs: nowMs, type: 'share-listed', share, title: 'Kyoto rushes', items: [kyotoFolder] },
      {
        atMs: nowMs,
        type: 'share-guessed',
        share,
        guesses: { wrong: 7, locked: false, spent: false },
      },
    ]
  },

  'code-locked': (nowMs: number): AppEvent[] => {
    const share = shareId('s1')
    const atMs = nowMs - 9 * minute
    const person = { peer: 'p1', name: 'Mina Park', route: local, joinedAtMs: atMs }
    return [
      ...opened('s1', 'Kyoto rushes', atMs),
      { atMs, type: 'share-counted', share, totals: kyotoTotals },
      { atMs, type: 'share-listed', share, title: 'Kyoto rushes', items: [kyotoFolder] },
      ...joined(share, person),
      {
        atMs: nowMs,
        type: 'share-guessed',
        share,
        guesses: { wrong: 50, locked: true, spent: false },
      },
    ]
  },

  'sharing-ends': (nowMs: number): AppEvent[] => {
    const share = shareId('s1')
    const atMs = nowMs - 9 * minute
    const everybody = [
      ['p1', 'Mina Park', local],
      ['p2', 'Jonas Weber', direct],
      ['p3', 'Aiko Tanaka', relayed],
    ] as const
    return [
      ...opened('s1', 'Kyoto rushes', atMs),
      { atMs, type: 'share-counted', share, totals: kyotoTotals },
      { atMs, type: 'share-listed', share, title: 'Kyoto rushes', items: [kyotoFolder] },
      ...everybody.flatMap(([peer, name, route]) =>
        joined(share, { peer, name, route, joinedAtMs: atMs }),
      ),
      {
        atMs: nowMs - minute,
        type: 'receiver-finished',
        share,
        peer: peerId('p1'),
        outcome: outcome(kyotoTotals.files, kyotoTotals.bytes),
      },
      {
        atMs: nowMs,
        type: 'receiver-failed',
        share,
        peer: peerId('p2'),
        error: appError('E_DECLINED'),
      },
      {
        atMs: nowMs,
        type: 'receiver-failed',
        share,
        peer: peerId('p3'),
        error: appError('E_PEER_GONE'),
      },
      { atMs: nowMs, type: 'receiver-joined', safety: '482913', share, peer: peerId('p4') },
      { atMs: nowMs, type: 'receiver-joined', safety: '482913', share, peer: peerId('p5') },
      {
        atMs: nowMs,
        type: 'receiver-connected',
        share,
        peer: peerId('p5'),
        name: 'build-host',
        transfer: transferId('p5'),
        route: local,
      },
    ]
  },

  'sharing-held-up': (nowMs: number): AppEvent[] => {
    const share = shareId('s1')
    const atMs = nowMs - 9 * minute
    const run = { totalBytes: kyotoTotals.bytes, totalFiles: kyotoTotals.files, rate: 90 * MB }
    const everybody = [
      ['p1', 'Mina Park', local, 52.2, { kind: 'paused' }],
      ['p2', 'Jonas Weber', direct, 34.5, { kind: 'paused-by-peer' }],
      ['p3', 'Aiko Tanaka', relayed, 6.8, { kind: 'peer-disk-full', need: 3.4 * GB }],
      ['p4', 'Noor', direct6, 84.2, { kind: 'finishing' }],
      ['p5', 'Ben Ito', direct, 20.1, { kind: 'flowing' }],
    ] as const
    return [
      ...opened('s1', '6 items', atMs),
      { atMs, type: 'share-counted', share, totals: kyotoTotals },
      { atMs, type: 'share-listed', share, title: '6 items', items: kyoto },
      { atMs, type: 'share-resized', share, maxReceivers: 0 },
      ...everybody.flatMap(([peer, name, route, bytes, flow]): AppEvent[] => [
        ...sending(
          share,
          { peer, name, route, joinedAtMs: atMs },
          { ...run, bytes: bytes * GB },
          nowMs,
        ),
        { atMs: nowMs, type: 'receiver-flow-changed', share, peer: peerId(peer), flow },
      ]),
      {
        atMs: nowMs,
        type: 'receiver-stalled',
        share,
        peer: peerId('p5'),
        reason: 'peer-disk',
      },
    ]
  },
} as const
