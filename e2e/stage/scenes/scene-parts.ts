/** Parts of scenes: items, people, and the events that lead to them. Figures add up, so that pictures do too. */
import type { AppEvent } from '#shared/events'
import type {
  ConflictSummary,
  Item,
  LeftOut,
  PeerId,
  ReceiveId,
  Route,
  ShareId,
  TransferId,
} from '#shared/state/app-state'
import type { Bottleneck, ConnectionStatistics } from '#shared/state/connection-statistics'
import type { Outcome } from '#shared/state/counters'
import { allNew } from '#shared/testing/figures'

export const GB = 1e9
export const MB = 1e6
export const minute = 60_000

export const kyoto: readonly Item[] = [
  { id: 1, name: 'Day 1, Arashiyama', kind: 'folder', files: 5_412, bytes: 29.2 * GB },
  { id: 2, name: 'Day 2, Fushimi', kind: 'folder', files: 6_150, bytes: 31.6 * GB },
  { id: 3, name: 'Drone', kind: 'folder', files: 214, bytes: 17.8 * GB },
  { id: 4, name: 'Sound', kind: 'folder', files: 1_126, bytes: 5.2 * GB },
  { id: 5, name: 'rough-cut-v3.mov', kind: 'file', files: 1, bytes: 412 * MB },
  { id: 6, name: 'shotlist.pdf', kind: 'file', files: 1, bytes: 2.1 * MB },
]

export const kyotoFolder: Item = {
  id: 1,
  name: 'Kyoto rushes',
  kind: 'folder',
  files: 12_904,
  bytes: 84.2 * GB,
}

export const kyotoTotals = { files: 12_904, folders: 38, bytes: 84.2 * GB, complete: true }

export const rushes: readonly Item[] = [
  { id: 0, name: 'Day 1, Arashiyama', kind: 'folder', files: 542, bytes: 29.2 * GB },
  { id: 0, name: 'Day 2, Fushimi', kind: 'folder', files: 613, bytes: 27.5 * GB },
  { id: 0, name: 'Sound', kind: 'folder', files: 126, bytes: 5.2 * GB },
  { id: 0, name: 'shotlist.pdf', kind: 'file', files: 1, bytes: 2.1 * MB },
]

export const rushesTotals = { files: 1_282, folders: 9, bytes: 61.9 * GB, complete: true }

export const local: Route = {
  kind: 'local',
  family: 4,
  transport: 'udp',
  remote: '192.168.1.23:51234',
  relay: '',
}
export const direct6: Route = { ...local, kind: 'direct', family: 6, remote: '[2001:db8::7]:40211' }
export const direct: Route = { ...local, kind: 'direct', remote: '203.0.113.9:40211' }
export const relayed: Route = { ...local, kind: 'relay', remote: '', relay: 'relay.example.org' }

export const connected = (atMs: number): AppEvent => ({
  atMs,
  type: 'server-changed',
  server: {
    phase: 'connected',
    url: 'wss://meet.example.org/v1',
    embedded: false,
    insecure: false,
  },
})

/** A bit more than the minute that a graph shows. */
const sampleCount = 252
const sampleMs = 250

/** A slow stretch of a few seconds. */
const dip = { from: 148, to: 162, depth: 0.62 } as const

/** Slow waves, a little noise, and a dip; always the same. */
const unsteady = (index: number, depth: number): number =>
  (index >= dip.from && index < dip.to ? 1 - dip.depth : 1) -
  depth * (0.5 + 0.5 * Math.sin(index / 5) + 0.3 * Math.sin(index * 1.7))

/** Increasing byte counts that end at `bytes`, at a speed of about `rate`. */
function climb(bytes: number, rate: number, depth: number): readonly number[] {
  const steps = Array.from({ length: sampleCount - 1 }, (_, index) => unsteady(index, depth))
  const scale = (rate * sampleMs) / 1000
  const counts = [bytes]
  for (const step of steps.reverse()) counts.unshift(Math.max(0, (counts[0] ?? 0) - step * scale))
  return counts
}

export type Run = {
  readonly bytes: number
  readonly rate: number
  readonly totalBytes: number
  readonly totalFiles: number
  readonly unwantedFiles?: number
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
      transferred: bytes,
      offeredFiles: run.totalFiles + (run.unwantedFiles ?? 0),
      unwantedFiles: run.unwantedFiles ?? 0,
      reusedBytes: 0,
    },
  }))
}

export const shareId = (id: string) => id as ShareId
export const receiveId = (id: string) => id as ReceiveId
export const peerId = (id: string) => id as PeerId

/** The same for the same word, because a receive keeps its id. */
export const transferId = (word: string) =>
  Buffer.from(word.padEnd(16, '.').slice(0, 16)).toString('hex') as TransferId

export const outcome = (files: number, bytes: number, more: Partial<Outcome> = {}): Outcome => ({
  files,
  bytes,
  problems: 0,
  renamed: 0,
  transferred: bytes,
  ...allNew,
  offeredFiles: files,
  readBack: false,
  ...more,
})

export const noConflicts: ConflictSummary = {
  identical: 0,
  identicalBytes: 0,
  different: 0,
  replaced: 0,
  keptBoth: 0,
  leftOut: 0,
}

export type Person = {
  readonly peer: string
  readonly name: string
  readonly route: Route
  readonly joinedAtMs: number
}

export function joined(
  share: ShareId,
  { peer, name, route, joinedAtMs: atMs }: Person,
): AppEvent[] {
  const who = { share, peer: peerId(peer), atMs }
  return [
    { ...who, type: 'receiver-joined', safety: '482913' },
    { ...who, type: 'receiver-connected', name, transfer: transferId(peer), route },
    { ...who, type: 'receiver-accepted' },
  ]
}

export function sending(share: ShareId, person: Person, run: Run, nowMs: number): AppEvent[] {
  const who = { share, peer: peerId(person.peer) }
  return [
    ...joined(share, person),
    ...counted(run, nowMs).map((figures) => ({
      ...who,
      ...figures,
      type: 'receiver-progressed' as const,
    })),
    {
      ...{ ...who, atMs: nowMs, type: 'receiver-measured' },
      statistics: measured(run, 'pacing', {
        ...{ pacing: 212_000, congestion: 61_000 },
        ...{ disk: 24_000, 'flow-control': 3_000 },
      }),
    },
  ]
}

/** Figures of the connection of such a run. */
const measured = (
  { bytes, rate }: Run,
  limitedBy: Bottleneck,
  limitedMs: ConnectionStatistics['limitedMs'],
): ConnectionStatistics => ({
  ...{ rttMs: 14.2, minRttMs: 12.8, latestRttMs: 13.9, handshakeMs: 31.4 },
  ...{ congestionControl: 'bbr', carefulResume: 'none', slowStartThreshold: null },
  congestionWindow: 5.2 * MB,
  ...{ pacingRate: rate * 1.04, packetsLate: 0 },
  ...{ bytesInFlight: 1.7 * MB, deliveryRate: rate, datagramBytes: 1452, compressionSaved: 0 },
  ...{ packetsSent: bytes / 1400, bytesSent: bytes * 1.03, packetsLost: bytes / 1400 / 420 },
  ...{ bytesLost: bytes / 420, packetsReceived: bytes / 14_000, bytesReceived: bytes / 300 },
  ...{ datagramsPerSend: 38.4, datagramsPerReceive: 1.2 },
  ...{ limitedBy, limitedMs },
})

export type Offer = {
  readonly id: string
  readonly from: string
  readonly title: string
  readonly route: Route
  readonly items: readonly Item[]
  readonly totals: typeof rushesTotals
  readonly leftOut?: readonly LeftOut[]
}

/** A person enters a code. */
export const code = (id: string, atMs: number, words = '4821-apple-river-stone'): AppEvent => ({
  atMs,
  type: 'receive-opened',
  receive: receiveId(id),
  code: words,
  transfer: transferId(id),
})

export function offer(what: Offer, atMs: number): AppEvent[] {
  const { id, from, title, route, items, totals, leftOut = [] } = what
  const receive = receiveId(id)
  return [
    code(id, atMs),
    { atMs, type: 'receive-found', receive },
    { atMs, type: 'receive-connected', receive, from, route },
    { atMs, type: 'receive-offered', receive, title, items, totals, leftOut },
  ]
}

export function receiving(what: Offer, directory: string, run: Run, nowMs: number): AppEvent[] {
  const receive = receiveId(what.id)
  const atMs = nowMs - 5 * minute
  return [
    ...offer(what, atMs),
    { atMs, type: 'receive-accepted', receive, directory },
    {
      atMs,
      type: 'receive-started',
      receive,
      resumedBytes: 0,
      conflicts: noConflicts,
      mappedCount: 0,
      mappedNames: [],
    },
    ...counted(run, nowMs).map((figures) => ({
      receive,
      ...figures,
      type: 'receive-progressed' as const,
    })),
    {
      ...{ atMs: nowMs, type: 'receive-measured', receive },
      statistics: measured(run, 'peer', { peer: 291_000, disk: 9_000 }),
    },
  ]
}

export const rushesOffer: Offer = {
  id: 'r1',
  from: 'Mina Park',
  title: '4 items',
  route: direct6,
  items: rushes,
  totals: rushesTotals,
}

/** The same number of files in one folder. */
export const folderOffer = (id: string, title: string, from: string): Offer => {
  const { files, bytes } = rushesTotals
  return {
    ...rushesOffer,
    id,
    title,
    from,
    items: [{ id: 0, name: title, kind: 'folder', files, bytes }],
  }
}

export const rushesRun: Run = {
  bytes: 38.4 * GB,
  rate: 117 * MB,
  totalBytes: rushesTotals.bytes,
  totalFiles: rushesTotals.files,
}

export const projects = '/home/sora/Projects/Kyoto'

export function opened(id: string, title: string, atMs: number): AppEvent[] {
  const share = shareId(id)
  return [
    { atMs, type: 'share-opened', share, title, maxReceivers: 10 },
    connected(atMs),
    {
      ...{ atMs, type: 'share-coded', share, code: '4821-apple-river-stone' },
      server: 'wss://meet.example.org/v1',
    },
  ]
}

const slides: readonly Item[] = [
  { id: 0, name: 'Lecture slides', kind: 'folder', files: 96, bytes: 4.1 * GB },
]

export function lectureSlides(nowMs: number): AppEvent[] {
  const share = shareId('s2')
  const atMs = nowMs - 8 * minute
  const totals = { files: 96, folders: 2, bytes: 4.1 * GB, complete: true }
  const run = { bytes: 0.98 * GB, rate: 20.6 * MB, totalBytes: totals.bytes, totalFiles: 96 }
  return [
    ...opened('s2', 'Lecture slides', atMs),
    { atMs, type: 'share-counted', share, totals },
    { atMs, type: 'share-listed', share, title: 'Lecture slides', items: slides },
    ...sending(share, { peer: 'p1', name: 'Noor', route: local, joinedAtMs: atMs }, run, nowMs),
    ...sending(share, { peer: 'p2', name: 'Ben Ito', route: direct, joinedAtMs: atMs }, run, nowMs),
  ]
}
