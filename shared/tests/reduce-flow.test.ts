import { describe, expect, it } from 'vitest'
import { appError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import { limits } from '#shared/limits'
import { defaultReceiveOptions, selectAll } from '#shared/settings/receive-options'
import {
  type AppState,
  emptyState,
  type PeerId,
  resumable,
  type ResumableReceive,
  type TransferId,
} from '#shared/state/app-state'
import type { Counters } from '#shared/state/counters'
import { reduce } from '#shared/state/reduce'
import { allFetched, allNew } from '#shared/testing/figures'
import { peer, receive, route, share, transfer } from './ids'

const gone = appError('E_PEER_GONE')
const conflicts = {
  ...{ identical: 0, identicalBytes: 0, different: 0 },
  ...{ replaced: 0, keptBoth: 0, leftOut: 0 },
}
const counters = (bytes: number, transferred: number): Counters => ({
  ...{ files: 0, totalFiles: 2, totalBytes: 100 },
  ...allFetched,
  ...{ bytes, transferred },
})

const start = emptyState('/downloads')
const after = (...events: readonly AppEvent[]): AppState => events.reduce(reduce, start)

const accepted: readonly AppEvent[] = [
  { atMs: 1, type: 'receive-opened', receive, code: '4821-a-b-c', transfer },
  { atMs: 2, type: 'receive-found', receive },
  { atMs: 3, type: 'receive-connected', receive, from: 'Mina', route },
  {
    ...{ atMs: 4, type: 'receive-offered', receive, title: 'a', items: [] },
    totals: { files: 2, folders: 0, bytes: 100, complete: true },
  } as const,
  { atMs: 5, type: 'receive-accepted', receive, directory: '/d' },
]
const started: AppEvent = {
  ...{ atMs: 6, type: 'receive-started', receive },
  ...{ resumedBytes: 0, conflicts, mappedCount: 0, mappedNames: [] },
}
const paused: AppEvent = {
  ...{ atMs: 7, type: 'receive-flow-changed', receive },
  flow: { kind: 'paused' },
}
const lost: AppEvent = { atMs: 8, type: 'receive-lost', receive, attempt: 1, error: gone }

const joined = (who: PeerId, atMs: number): readonly AppEvent[] => [
  { atMs, type: 'receiver-joined', safety: '482913', share, peer: who },
  { atMs, type: 'receiver-connected', share, peer: who, name: 'Jonas', transfer, route },
]
const shared: readonly AppEvent[] = [
  { atMs: 0, type: 'share-opened', share, title: 'a', maxReceivers: 10 },
  ...joined(peer, 1),
  { atMs: 2, type: 'receiver-accepted', share, peer },
]

describe('the flow of a receive', () => {
  const phase = (...events: readonly AppEvent[]) => after(...accepted, ...events).receives[0]?.phase
  const flow = (event: Extract<AppEvent, { readonly flow: unknown }>['flow']): AppEvent => ({
    ...{ atMs: 9, type: 'receive-flow-changed', receive },
    flow: event,
  })

  it('is its phase while it runs', () => {
    expect(phase(started)).toBe('receiving')
    expect(phase(started, flow({ kind: 'finishing' }))).toBe('finishing')
    expect(phase(started, flow({ kind: 'paused-by-peer' }))).toBe('paused-by-peer')
    expect(phase(started, flow({ kind: 'disk-full', need: 5 }))).toBe('disk-full')
    expect(phase(started, paused, flow({ kind: 'flowing' }))).toBe('receiving')
  })

  it('reported before the start applies from the start', () => {
    expect(phase(paused)).toBe('preparing')
    expect(phase(paused, started)).toBe('paused')
  })

  it('clears the reason of a stall', () => {
    const stalled: AppEvent = { atMs: 7, type: 'receive-stalled', receive, reason: 'network' }
    expect(after(...accepted, started, stalled).receives[0]?.stall).toBe('network')
    expect(after(...accepted, started, stalled, paused).receives[0]?.stall).toBe('none')
    expect(after(...accepted, started, stalled, lost).receives[0]?.stall).toBe('none')
  })
})

describe('a receive that loses its sender', () => {
  const again: readonly AppEvent[] = [
    { atMs: 9, type: 'receive-found', receive },
    { atMs: 10, type: 'receive-connected', receive, from: 'Mina', route },
    accepted[3] as AppEvent,
  ]

  it('is reconnecting until it has accepted again', () => {
    const events = [...accepted, started, lost, ...again]
    expect(after(...events).receives[0]).toMatchObject({
      ...{ phase: 'reconnecting', attempt: 1, error: gone, directory: '/d' },
    })
    const back = after(...events, { ...accepted[4], atMs: 20 } as AppEvent)
    expect(back.receives[0]).toMatchObject({
      ...{ phase: 'preparing', attempt: 0, error: null, acceptedAtMs: 5 },
    })
  })

  it('is offered again if nothing was accepted', () => {
    const offered = accepted.slice(0, -1)
    expect(after(...offered, lost, ...again).receives[0]).toMatchObject({
      ...{ phase: 'offered', attempt: 0, error: null },
    })
    // Its sender came back before it had offered anything.
    expect(after(...offered.slice(0, -1), lost, ...again).receives[0]).toMatchObject({
      phase: 'offered',
    })
  })

  it('counts data sent or taken from older versions over all its connections', () => {
    const first = { ...counters(60, 60), reusedBytes: 30 }
    const last = { ...counters(100, 45), problems: 0, renamed: 0, ...allNew, readBack: false }
    const state = after(
      ...[...accepted, started],
      { atMs: 7, type: 'receive-progressed', receive, counters: first },
      ...[lost, ...again, accepted[4] as AppEvent, started],
      { atMs: 22, type: 'receive-progressed', receive, counters: counters(75, 20) },
      { atMs: 23, type: 'receive-finished', receive, outcome: { ...last, reusedBytes: 7 } },
    )
    expect(state.receives[0]?.progress).toMatchObject({ bytes: 75, transferred: 80 })
    expect(state.receives[0]?.outcome).toMatchObject({
      ...{ transferred: 105, reusedBytes: 37, startedAtMs: 5 },
    })
  })

  it('counts as resumed only data from before its first connection', () => {
    const resumed = (resumedBytes: number): AppEvent => ({ ...started, resumedBytes })
    const moved: AppEvent = {
      ...{ atMs: 7, type: 'receive-progressed', receive, counters: counters(60, 20) },
    }
    const states = [[moved], []].map((between) =>
      after(...accepted, resumed(40), ...between, lost, ...again, resumed(60)),
    )
    expect(states.map(({ receives }) => receives[0]?.resumedBytes)).toEqual([40, 40])
  })

  it('stays paused only if a person here paused it', () => {
    expect(after(...accepted, started, paused, lost, started).receives[0]?.phase).toBe('paused')
    const byPeer: AppEvent = { ...paused, flow: { kind: 'paused-by-peer' } }
    expect(after(...accepted, started, byPeer, lost, started).receives[0]?.phase).toBe('receiving')
  })

  it('forgets problems that the next connection may not have', () => {
    const problem: AppEvent = { atMs: 7, type: 'receive-problem', receive, path: 'a', error: gone }
    const state = after(...accepted, started, problem, lost)
    expect(state.receives[0]?.problems).toHaveLength(1)
    expect(reduce(state, started).receives[0]?.problems).toEqual([])
  })

  it('ends interrupted, with the reason, when it is not found again', () => {
    const error = appError('E_SERVER_UNREACHABLE')
    const state = after(...accepted, started, lost, {
      ...{ atMs: 9, type: 'receive-interrupted', receive },
      error,
    })
    expect(state.receives[0]).toMatchObject({ phase: 'interrupted', attempt: 0, error })
    expect(reduce(state, started)).toBe(state)
  })
})

describe('texts of a receive', () => {
  const text = (name: string, content: string): AppEvent => ({
    ...{ atMs: 7, type: 'receive-text-arrived', receive },
    ...{ name, text: content },
  })

  it('are kept, each once', () => {
    const state = after(...accepted, text('a', 'x'), text('a', 'x'), text('b', 'x'))
    expect(state.receives[0]?.texts).toEqual([
      { name: 'a', text: 'x' },
      { name: 'b', text: 'x' },
    ])
  })

  it('are bounded in number and length', () => {
    const many = Array.from({ length: limits.textsKept + 1 }, (_, index) => text('', `${index}`))
    expect(after(...accepted, ...many).receives[0]?.texts).toHaveLength(limits.textsKept)
    const long = 'x'.repeat(limits.textCharactersKept)
    const state = after(...accepted, text('a', 'y'), text('b', long))
    expect(state.receives[0]?.texts).toHaveLength(1)
  })
})

describe('a receiver that loses its connection', () => {
  const failed = (error = gone): AppEvent => ({
    ...{ atMs: 4, type: 'receiver-failed', share, peer },
    error,
  })
  const other = 'p2' as PeerId

  it('is interrupted when it may return, else failed', () => {
    expect(after(...shared, failed()).shares[0]?.receivers[0]?.phase).toBe('interrupted')
    const declined = failed(appError('E_DECLINED'))
    expect(after(...shared, declined).shares[0]?.receivers[0]?.phase).toBe('failed')
    const undecided = after(...shared.slice(0, -1), failed())
    expect(undecided.shares[0]?.receivers[0]?.phase).toBe('failed')
  })

  it('returns to its old row, with what it had', () => {
    const state = after(
      ...shared,
      { atMs: 3, type: 'receiver-progressed', share, peer, counters: counters(40, 40) },
      failed(),
      ...joined('p3' as PeerId, 5).slice(0, 1),
      ...joined(other, 6),
      { atMs: 7, type: 'receiver-accepted', share, peer: other },
      { atMs: 8, type: 'receiver-progressed', share, peer: other, counters: counters(50, 10) },
    )
    expect(state.shares[0]?.receivers.map((one) => one.peer)).toEqual([other, 'p3'])
    expect(state.shares[0]?.receivers[0]).toMatchObject({
      ...{ phase: 'receiving', reconnections: 1, error: null, joinedAtMs: 1, acceptedAtMs: 2 },
      progress: { bytes: 50, transferred: 50 },
    })
  })

  it('returns even before its end was noticed', () => {
    const state = after(...shared, ...joined(other, 6))
    expect(state.shares[0]?.receivers).toMatchObject([{ peer: other, reconnections: 1 }])
  })

  it('gets a new row if it had everything', () => {
    const outcome = { ...counters(100, 100), problems: 0, renamed: 0, ...allNew, readBack: false }
    const state = after(
      ...shared,
      { atMs: 3, type: 'receiver-finished', share, peer, outcome },
      ...joined(other, 6),
    )
    expect(state.shares[0]?.receivers.map(({ reconnections }) => reconnections)).toEqual([0, 0])
  })
})

describe('unfinished receives', () => {
  const entry = (id: string, lastSeenMs = 1): ResumableReceive => ({
    ...{ transfer: id.repeat(32) as TransferId, title: 'a', from: 'Mina', directory: '/d' },
    ...{ options: defaultReceiveOptions, selection: selectAll, changes: [] },
    ...{ bytes: 1, totalBytes: 2, lastSeenMs, hasResumeKey: false },
  })
  const noted = (one: ResumableReceive): AppEvent => ({
    atMs: 1,
    type: 'resumable-recorded',
    entry: one,
  })

  it('are listed newest first, each once, and can be removed', () => {
    const state = after(
      { atMs: 0, type: 'resumable-listed', resumableReceives: [entry('a'), entry('b')] },
      noted(entry('c')),
      noted(entry('b', 9)),
    )
    expect(state.resumableReceives).toEqual([entry('b', 9), entry('c'), entry('a')])
    const event: AppEvent = { atMs: 2, type: 'resumable-removed', transfer: entry('c').transfer }
    expect(reduce(state, event).resumableReceives).toEqual([entry('b', 9), entry('a')])
    expect(reduce(reduce(state, event), event)).toEqual(reduce(state, event))
  })

  it('can be resumed unless a receive is resuming them', () => {
    const own = { ...entry('a'), transfer }
    const running = after(...accepted, noted(entry('b')), noted(own))
    expect(resumable(running)).toEqual([entry('b')])
    const failed: AppEvent = { atMs: 9, type: 'receive-failed', receive, error: gone }
    expect(resumable(reduce(running, failed))).toEqual([own, entry('b')])
  })
})
