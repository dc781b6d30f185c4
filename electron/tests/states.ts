/** States for tests, reduced to the relevant parts. */
import {
  type AppState,
  emptyState,
  type Progress,
  type Receive,
  type ReceiveId,
  type Receiver,
  type Share,
  type ShareId,
} from '#shared/state/app-state'
import { allFetched } from '#shared/testing/figures'

/** Half of `totalBytes` received, at `rate` bytes per second over the last 10 s before `nowMs`. */
export const progress = (totalBytes: number, rate = 0, nowMs = 10_000): Progress => ({
  files: 0,
  totalFiles: 1,
  bytes: totalBytes / 2,
  totalBytes,
  transferred: totalBytes / 2,
  ...allFetched,
  samples: Array.from({ length: 11 }, (_, second) => ({
    atMs: nowMs - 10_000 + second * 1000,
    bytes: second * rate,
  })),
})

export const receiver = (changes: Partial<Receiver>): Receiver =>
  ({ name: 'Jonas Weber', phase: 'receiving', progress: null, ...changes }) as Receiver

export const share = (changes: Partial<Share>): Share =>
  ({
    id: 's1' as ShareId,
    title: 'Kyoto rushes',
    phase: 'open',
    paused: false,
    receivers: [],
    ...changes,
  }) as Share

export const receive = (changes: Partial<Receive>): Receive =>
  ({
    id: 'r1' as ReceiveId,
    title: 'Kyoto rushes',
    from: 'Mina Park',
    phase: 'receiving',
    progress: null,
    ...changes,
  }) as Receive

export const stateWith = (changes: Partial<AppState>): AppState => ({
  ...emptyState('/home/sora/Downloads'),
  ...changes,
})
