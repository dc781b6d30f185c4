/** Small states for tests of their texts. */
import type {
  Progress,
  Receive,
  ReceiveId,
  Receiver,
  Share,
  ShareId,
} from '#shared/state/app-state'
import type { PeerId, Route, TransferId, TransferOutcome } from '#shared/state/app-state'
import { allFetched, allNew } from '#shared/testing/figures'

export const now = 1_000_000_000

export const route: Route = {
  kind: 'direct',
  family: 4,
  transport: 'udp',
  remote: '203.0.113.9:4000',
  relay: '',
}

/** `bytes` of 1,000, at 10 bytes a second until `silentMs` ago. */
export function progress(bytes: number, silentMs = 0): Progress {
  const samples = [4, 3, 2, 1, 0].map((age) => ({
    atMs: now - silentMs - age * 1000,
    bytes: bytes - age * 10,
  }))
  return {
    files: 1,
    bytes,
    totalFiles: 10,
    totalBytes: 1000,
    transferred: bytes,
    ...allFetched,
    samples,
  }
}

export const outcome = (problems = 0): TransferOutcome => ({
  files: 10 - problems,
  bytes: 1000,
  problems,
  renamed: 0,
  transferred: 1000,
  ...allNew,
  readBack: false,
  startedAtMs: now - 10_000,
  endedAtMs: now,
})

export const share = (changes: Partial<Share> = {}): Share => ({
  id: 's1' as ShareId,
  title: 'Kyoto',
  phase: 'open',
  code: '4821-apple-river-stone',
  server: null,
  codeEndsAtMs: null,
  codeEnd: null,
  guesses: { wrong: 0, locked: false, spent: false },
  highLoad: false,
  moved: false,
  paused: false,
  oneReceiver: false,
  approve: false,
  maxReceivers: 10,
  totals: { files: 10, folders: 1, bytes: 1000, complete: true },
  items: [],
  problems: [],
  receivers: [],
  error: null,
  startedAtMs: now,
  ...changes,
})

export const receiver = (changes: Partial<Receiver> = {}): Receiver => ({
  peer: 'p1' as PeerId,
  transfer: 'a'.repeat(32) as TransferId,
  name: 'Mina Park',
  ownName: 'Mina Park',
  phase: 'receiving',
  flow: { kind: 'flowing' },
  stall: 'none',
  reconnections: 0,
  before: { transferred: 0, reusedBytes: 0 },
  route,
  progress: progress(505),
  outcome: null,
  error: null,
  safety: '482913',
  joinedAtMs: now,
  ...changes,
})

export const receive = (changes: Partial<Receive> = {}): Receive => ({
  id: 'r1' as ReceiveId,
  transfer: 'b'.repeat(32) as TransferId,
  code: '4821-apple-river-stone',
  phase: 'receiving',
  flow: { kind: 'flowing' },
  stall: 'none',
  attempt: 0,
  from: 'Mina Park',
  title: 'Kyoto',
  totals: { files: 10, folders: 1, bytes: 1000, complete: true },
  items: [],
  problems: [],
  leftOut: [],
  texts: [],
  route,
  directory: '/home/sora/Downloads',
  resumedBytes: 0,
  conflicts: null,
  mappedCount: 0,
  mappedNames: [],
  before: { transferred: 0, reusedBytes: 0 },
  progress: progress(505),
  outcome: null,
  error: null,
  retryFromMs: 0,
  safety: '482913',
  startedAtMs: now,
  ...changes,
})

/** An `outcome()` in which 4 files already existed and were not compared. */
export const someBefore = { identical: 4, identicalBytes: 400, uncompared: 4 } as const

/** An `outcome()` in which all files already existed. */
export const allBefore = { identical: 10, identicalBytes: 1000, uncompared: 0 } as const
