/** Small states for tests of what is said about them. */
import type { Progress, Receive, ReceiveId, Receiver, Share, ShareId } from '#shared/app-state'
import type { PeerId, Route, TransferOutcome } from '#shared/app-state'

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
  return { files: 1, bytes, totalFiles: 10, totalBytes: 1000, samples }
}

export const outcome = (problems = 0): TransferOutcome => ({
  files: 10 - problems,
  bytes: 1000,
  problems,
  renamed: 0,
  startedAtMs: now - 10_000,
  endedAtMs: now,
})

export const share = (changes: Partial<Share> = {}): Share => ({
  id: 's1' as ShareId,
  title: 'Kyoto',
  phase: 'open',
  code: '4821-apple-river-stone',
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
  name: 'Mina Park',
  phase: 'receiving',
  route,
  progress: progress(505),
  outcome: null,
  error: null,
  joinedAtMs: now,
  ...changes,
})

export const receive = (changes: Partial<Receive> = {}): Receive => ({
  id: 'r1' as ReceiveId,
  code: '4821-apple-river-stone',
  phase: 'receiving',
  from: 'Mina Park',
  title: 'Kyoto',
  totals: { files: 10, folders: 1, bytes: 1000, complete: true },
  items: [],
  problems: [],
  route,
  directory: '/home/sora/Downloads',
  progress: progress(505),
  outcome: null,
  error: null,
  startedAtMs: now,
  ...changes,
})
