/** Events that lead to each screen. Their figures add up, so that pictures of them do too. */
import type { Item, PeerId, ReceiveId, Route, ShareId } from '#shared/app-state'
import { appError } from '#shared/errors'
import type { AppEvent } from '#shared/events'

const GB = 1e9
const MB = 1e6
const minute = 60_000

const kyoto: readonly Item[] = [
  { name: 'Day 1, Arashiyama', kind: 'folder', files: 5_412, bytes: 29.2 * GB },
  { name: 'Day 2, Fushimi', kind: 'folder', files: 6_150, bytes: 31.6 * GB },
  { name: 'Drone', kind: 'folder', files: 214, bytes: 17.8 * GB },
  { name: 'Sound', kind: 'folder', files: 1_126, bytes: 5.2 * GB },
  { name: 'rough-cut-v3.mov', kind: 'file', files: 1, bytes: 412 * MB },
  { name: 'shotlist.pdf', kind: 'file', files: 1, bytes: 2.1 * MB },
]

const kyotoFolder: Item = {
  name: 'Kyoto rushes',
  kind: 'folder',
  files: 12_904,
  bytes: 84.2 * GB,
}

const kyotoTotals = { files: 12_904, folders: 38, bytes: 84.2 * GB, complete: true }

const rushes: readonly Item[] = [
  { name: 'Day 1, Arashiyama', kind: 'folder', files: 542, bytes: 29.2 * GB },
  { name: 'Day 2, Fushimi', kind: 'folder', files: 613, bytes: 27.5 * GB },
  { name: 'Sound', kind: 'folder', files: 126, bytes: 5.2 * GB },
  { name: 'shotlist.pdf', kind: 'file', files: 1, bytes: 2.1 * MB },
]

const rushesTotals = { files: 1_282, folders: 9, bytes: 61.9 * GB, complete: true }

const local: Route = {
  kind: 'local',
  family: 4,
  transport: 'udp',
  remote: '192.168.1.23:51234',
  relay: '',
}
const direct6: Route = { ...local, kind: 'direct', family: 6, remote: '[2001:db8::7]:40211' }
const direct: Route = { ...local, kind: 'direct', remote: '203.0.113.9:40211' }
const relayed: Route = { ...local, kind: 'relay', remote: '', relay: 'relay.example.org' }

const connected = (atMs: number): AppEvent => ({
  atMs,
  type: 'server-changed',
  server: { phase: 'connected', url: 'wss://meet.example.org/v1', embedded: false },
})

/** A minute of figures is not needed: speed is made from the last 15 seconds. */
const sampleCount = 60
const sampleMs = 250

/** Slow waves and a little noise, the same each time. */
const unsteady = (index: number, depth: number): number =>
  1 - depth * (0.5 + 0.5 * Math.sin(index / 5) + 0.3 * Math.sin(index * 1.7))

/** Byte counts that end at `bytes` after going up at about `rate`. */
function climb(bytes: number, rate: number, depth: number): readonly number[] {
  const steps = Array.from({ length: sampleCount - 1 }, (_, index) => unsteady(index, depth))
  const scale = (rate * sampleMs) / 1000
  const counts = [bytes]
  for (const step of steps.reverse()) counts.unshift((counts[0] ?? 0) - step * scale)
  return counts
}

type Run = {
  readonly bytes: number
  readonly rate: number
  readonly totalBytes: number
  readonly totalFiles: number
  readonly depth?: number
}

function counted(run: Run, nowMs: number) {
  return climb(run.bytes, run.rate, run.depth ?? 0.06).map((bytes, index) => ({
    atMs: nowMs - (sampleCount - 1 - index) * sampleMs,
    counters: {
      files: Math.floor((bytes / run.totalBytes) * run.totalFiles),
      bytes,
      totalFiles: run.totalFiles,
      totalBytes: run.totalBytes,
    },
  }))
}

const shareId = (id: string) => id as ShareId
const receiveId = (id: string) => id as ReceiveId
const peerId = (id: string) => id as PeerId

type Person = {
  readonly peer: string
  readonly name: string
  readonly route: Route
  readonly joinedAtMs: number
}

function joined(share: ShareId, { peer, name, route, joinedAtMs: atMs }: Person): AppEvent[] {
  const who = { share, peer: peerId(peer), atMs }
  return [
    { ...who, type: 'receiver-joined' },
    { ...who, type: 'receiver-connected', name, route },
    { ...who, type: 'receiver-accepted' },
  ]
}

function sending(share: ShareId, person: Person, run: Run, nowMs: number): AppEvent[] {
  const who = { share, peer: peerId(person.peer) }
  return [
    ...joined(share, person),
    ...counted(run, nowMs).map((figures) => ({
      ...who,
      ...figures,
      type: 'receiver-progressed' as const,
    })),
  ]
}

type Offer = {
  readonly id: string
  readonly from: string
  readonly title: string
  readonly route: Route
  readonly items: readonly Item[]
  readonly totals: typeof rushesTotals
}

function offer({ id, from, title, route, items, totals }: Offer, atMs: number): AppEvent[] {
  const receive = receiveId(id)
  return [
    { atMs, type: 'receive-opened', receive, code: '4821-apple-river-stone' },
    { atMs, type: 'receive-found', receive },
    { atMs, type: 'receive-connected', receive, from, route },
    { atMs, type: 'receive-offered', receive, title, items, totals },
  ]
}

function receiving(what: Offer, directory: string, run: Run, nowMs: number): AppEvent[] {
  const receive = receiveId(what.id)
  const atMs = nowMs - 5 * minute
  return [
    ...offer(what, atMs),
    { atMs, type: 'receive-accepted', receive, directory },
    ...counted(run, nowMs).map((figures) => ({
      receive,
      ...figures,
      type: 'receive-progressed' as const,
    })),
  ]
}

const rushesOffer: Offer = {
  id: 'r1',
  from: 'Mina Park',
  title: '4 items',
  route: direct6,
  items: rushes,
  totals: rushesTotals,
}

const rushesRun: Run = {
  bytes: 38.4 * GB,
  rate: 117 * MB,
  totalBytes: rushesTotals.bytes,
  totalFiles: rushesTotals.files,
}

const projects = '/home/sora/Projects/Kyoto'

function opened(id: string, title: string, atMs: number): AppEvent[] {
  const share = shareId(id)
  return [
    { atMs, type: 'share-opened', share, title },
    connected(atMs),
    { atMs, type: 'share-coded', share, code: '4821-apple-river-stone' },
  ]
}

const slides: readonly Item[] = [
  { name: 'Lecture slides', kind: 'folder', files: 96, bytes: 4.1 * GB },
]

function lectureSlides(nowMs: number): AppEvent[] {
  const share = shareId('s2')
  const atMs = nowMs - 8 * minute
  const totals = { files: 96, folders: 2, bytes: 4.1 * GB, complete: true }
  const run = { bytes: 0.98 * GB, rate: 20.6 * MB, totalBytes: totals.bytes, totalFiles: 96 }
  return [
    ...opened('s2', 'Lecture slides', atMs),
    { atMs, type: 'share-counted', share, totals },
    { atMs, type: 'share-listed', share, items: slides },
    ...sending(share, { peer: 'p1', name: 'Noor', route: local, joinedAtMs: atMs }, run, nowMs),
    ...sending(share, { peer: 'p2', name: 'Ben Ito', route: direct, joinedAtMs: atMs }, run, nowMs),
  ]
}

/** Where a window stands and how it got there, by the name of its picture. */
export const scenes = {
  home: () => [],

  'code-on-its-way': (nowMs: number): AppEvent[] => [
    connected(nowMs),
    {
      atMs: nowMs,
      type: 'receive-opened',
      receive: receiveId('r1'),
      code: '4821-apple-river-stone',
    },
    { atMs: nowMs, type: 'receive-found', receive: receiveId('r1') },
  ],

  'code-unknown': (nowMs: number): AppEvent[] => [
    connected(nowMs),
    {
      atMs: nowMs,
      type: 'receive-opened',
      receive: receiveId('r1'),
      code: '4821-apple-river-stone',
    },
    {
      atMs: nowMs,
      type: 'receive-failed',
      receive: receiveId('r1'),
      error: appError('E_NO_SUCH_CODE'),
    },
  ],

  'sharing-started': (nowMs: number): AppEvent[] => [
    ...opened('s1', 'Kyoto rushes', nowMs),
    {
      atMs: nowMs,
      type: 'share-counted',
      share: shareId('s1'),
      totals: { ...kyotoTotals, files: 12_480, complete: false },
    },
  ],

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
      items: [{ name: 'Album masters', kind: 'folder', files: 24, bytes: 9.6 * GB }],
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
      { atMs, type: 'share-listed', share, items: kyoto },
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
      { atMs, type: 'share-listed', share, items: [kyotoFolder] },
      ...everybody.flatMap(([peer, name, route]) =>
        joined(share, { peer, name, route, joinedAtMs: atMs }),
      ),
      {
        atMs: nowMs - minute,
        type: 'receiver-finished',
        share,
        peer: peerId('p1'),
        outcome: { files: kyotoTotals.files, bytes: kyotoTotals.bytes, problems: 0, renamed: 0 },
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
      { atMs: nowMs, type: 'receiver-joined', share, peer: peerId('p4') },
      { atMs: nowMs, type: 'receiver-joined', share, peer: peerId('p5') },
      {
        atMs: nowMs,
        type: 'receiver-connected',
        share,
        peer: peerId('p5'),
        name: 'build-host',
        route: local,
      },
    ]
  },

  preview: (nowMs: number): AppEvent[] => [connected(nowMs), ...offer(rushesOffer, nowMs)],

  receiving: (nowMs: number): AppEvent[] => [
    ...lectureSlides(nowMs),
    ...receiving(rushesOffer, projects, rushesRun, nowMs),
  ],

  states: (nowMs: number): AppEvent[] => {
    const silent = receiving(
      { ...rushesOffer, id: 'r2', title: 'Thesis data set', from: 'lab-server-2' },
      projects,
      rushesRun,
      nowMs - 12_000,
    )
    const verified = receiving(
      { ...rushesOffer, id: 'r3', title: 'Photo archive 2019-2024', from: 'Studio NAS' },
      projects,
      rushesRun,
      nowMs,
    )
    const cancelled = receiving(
      { ...rushesOffer, id: 'r4', title: 'Interview B-roll', from: 'Jonas Weber' },
      projects,
      rushesRun,
      nowMs,
    )
    return [
      ...lectureSlides(nowMs),
      ...silent,
      ...verified,
      {
        atMs: nowMs,
        type: 'receive-finished',
        receive: receiveId('r3'),
        outcome: { files: 1_282, bytes: rushesTotals.bytes, problems: 0, renamed: 0 },
      },
      ...cancelled,
      {
        atMs: nowMs,
        type: 'receive-failed',
        receive: receiveId('r4'),
        error: appError('E_CANCELLED'),
      },
      ...opened('s5', 'Kitchen plans', nowMs - 2 * minute),
      { atMs: nowMs, type: 'share-unreachable', share: shareId('s5') },
      ...opened('s6', 'release-2.4.0.tar', nowMs - 3 * minute),
      { atMs: nowMs, type: 'share-stopped', share: shareId('s6') },
      {
        atMs: nowMs,
        type: 'receive-opened',
        receive: receiveId('r7'),
        code: '7350-maple-cedar-wolf',
      },
      { atMs: nowMs, type: 'receive-found', receive: receiveId('r7') },
      {
        atMs: nowMs,
        type: 'server-changed',
        server: {
          phase: 'unreachable',
          url: 'wss://meet.example.org/v1',
          error: appError('E_SERVER_UNREACHABLE', 'ECONNREFUSED', 'meet.example.org'),
        },
      },
    ]
  },

  done: (nowMs: number): AppEvent[] => [
    ...lectureSlides(nowMs),
    ...receiving(rushesOffer, projects, rushesRun, nowMs),
    {
      atMs: nowMs - 5 * minute + 548_000,
      type: 'receive-finished',
      receive: receiveId('r1'),
      outcome: { files: 1_282, bytes: rushesTotals.bytes, problems: 0, renamed: 4 },
    },
  ],

  'done-problems': (nowMs: number): AppEvent[] => {
    const receive = receiveId('r1')
    const atMs = nowMs - 5 * minute + 546_000
    const problems = [
      ['Day 2, Fushimi/edit-notes.docx', appError('E_SOURCE_CHANGED')],
      ['Sound/mix-session.ptx', appError('E_PATH_UNREADABLE')],
      ['Day 1, Arashiyama/night: gate.mov', appError('E_NAME_NOT_ALLOWED')],
    ] as const
    return [
      connected(nowMs),
      ...receiving(rushesOffer, projects, rushesRun, nowMs),
      ...problems.map(([path, error]) => ({
        atMs,
        type: 'receive-problem' as const,
        receive,
        path,
        error: { ...error, subject: path },
      })),
      {
        atMs,
        type: 'receive-finished',
        receive,
        outcome: { files: 1_279, bytes: 61.7 * GB, problems: 3, renamed: 0 },
      },
    ]
  },

  error: (nowMs: number): AppEvent[] => [
    connected(nowMs),
    {
      atMs: nowMs,
      type: 'receive-opened',
      receive: receiveId('r1'),
      code: '4821-apple-river-stone',
    },
    { atMs: nowMs, type: 'receive-found', receive: receiveId('r1') },
    {
      atMs: nowMs,
      type: 'receive-failed',
      receive: receiveId('r1'),
      error: appError('E_NO_ROUTE', '5 host, 2 server reflexive, 0 relayed candidates in 9.8 s'),
    },
  ],
} as const

export type SceneName = keyof typeof scenes
