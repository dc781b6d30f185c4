import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import { limits } from '#shared/limits'
import {
  type AppState,
  emptyState,
  type PeerId,
  type ReceiveId,
  type ShareId,
  type TransferId,
} from '#shared/state/app-state'
import { reduce } from '#shared/state/reduce'
import { allFetched, allNew } from '#shared/testing/figures'
import { peer, receive, route, share, transfer } from '../ids'

const error = appError('E_PEER_GONE')
const totals = { files: 2, folders: 1, bytes: 100, complete: true }
const items = [{ id: 0, name: 'a', kind: 'folder', files: 2, bytes: 100 }] as const
const counters = {
  files: 1,
  bytes: 50,
  totalFiles: 2,
  totalBytes: 100,
  transferred: 50,
  ...allFetched,
}
const outcome = {
  ...{ files: 2, bytes: 100, problems: 0, renamed: 0 },
  ...{ transferred: 100, ...allNew, readBack: false },
}

const conflicts = {
  ...{ identical: 1, identicalBytes: 5, different: 0 },
  ...{ replaced: 0, keptBoth: 0, leftOut: 0 },
}

const start = emptyState('/downloads')
const after = (...events: readonly AppEvent[]): AppState => events.reduce(reduce, start)

const opened: AppEvent = { atMs: 1, type: 'share-opened', share, title: 'a', maxReceivers: 10 }
const coded: AppEvent = { atMs: 2, type: 'share-coded', share, code: '4821-apple-river-stone' }
const joined: AppEvent = { atMs: 3, type: 'receiver-joined', safety: '482913', share, peer }
const connected: AppEvent = {
  atMs: 4,
  type: 'receiver-connected',
  share,
  peer,
  name: 'Mina',
  transfer,
  route,
}
const accepted: AppEvent = { atMs: 5, type: 'receiver-accepted', share, peer }
const receiveOpened: AppEvent = {
  atMs: 1,
  type: 'receive-opened',
  receive,
  code: '4821-a-b-c',
  transfer,
}
const receiveConnected: AppEvent = {
  atMs: 3,
  type: 'receive-connected',
  receive,
  from: 'Mina',
  route,
}
const offered: AppEvent = { atMs: 4, type: 'receive-offered', receive, title: 'a', items, totals }
const receiveAccepted: AppEvent = { atMs: 5, type: 'receive-accepted', receive, directory: '/d' }

describe('a share', () => {
  it('goes from opening over open to stopped', () => {
    const phases = [opened, coded, { atMs: 9, type: 'share-stopped', share } as const].map(
      (_, index, all) => after(...all.slice(0, index + 1)).shares[0]?.phase,
    )
    expect(phases).toEqual(['opening', 'open', 'stopped'])
  })

  it('is reconnecting while its server is lost, and open again with the next code', () => {
    const lost = after(opened, coded, { atMs: 3, type: 'share-unreachable', share })
    expect(lost.shares[0]).toMatchObject({ phase: 'reconnecting', code: '4821-apple-river-stone' })
    const back = reduce(lost, { atMs: 4, type: 'share-coded', share, code: '77-x' })
    expect(back.shares[0]).toMatchObject({ phase: 'open', code: '77-x' })
  })

  it('stays opening when its server is lost before there is a code', () => {
    const lost = after(opened, { atMs: 2, type: 'share-unreachable', share })
    expect(lost.shares[0]?.phase).toBe('opening')
  })

  it('counts again when something is added', () => {
    const more = { ...totals, files: 3, complete: false }
    const state = after(
      opened,
      { atMs: 2, type: 'share-counted', share, totals },
      { atMs: 3, type: 'share-counted', share, totals: more },
    )
    expect(state.shares[0]?.totals).toEqual(more)
  })

  it('shows its pause for all receivers, and its capacity', () => {
    const state = after(
      opened,
      { atMs: 2, type: 'share-paused', share, paused: true },
      { atMs: 3, type: 'share-resized', share, maxReceivers: 0 },
    )
    expect(state.shares[0]).toMatchObject({ paused: true, maxReceivers: 0 })
  })

  it('numbers equal names, and keeps the one of a computer that joins again', () => {
    const join = (id: string, from: string): readonly AppEvent[] => [
      { ...joined, peer: id as PeerId },
      {
        ...{ ...connected, peer: id as PeerId, transfer: id.repeat(16) as TransferId },
        route: { ...route, remote: `${from}:5000` },
      },
    ]
    const end = (id: string): AppEvent => ({
      ...{ atMs: 6, type: 'receiver-failed', share, peer: id as PeerId },
      error: appError('E_DECLINED'),
    })
    const names = (...events: readonly AppEvent[]) =>
      (after(opened, coded, ...events).shares[0]?.receivers ?? []).map(({ name }) => name)
    const two = [...join('p1', '10.0.0.1'), ...join('p2', '10.0.0.1')]
    expect(names(...two)).toEqual(['Mina', 'Mina (2)'])
    expect(names(...two, end('p2'), ...join('p3', '10.0.0.1')).at(-1)).toBe('Mina (2)')
    expect(names(...two, end('p2'), ...join('p3', '10.0.0.3')).at(-1)).toBe('Mina (3)')
  })

  it('keeps a bounded number of problems', () => {
    let state = after(opened)
    for (let index = 0; index < limits.problemsShown + 5; index += 1) {
      state = reduce(state, { atMs: 2, type: 'share-problem', share, path: `${index}`, error })
    }
    expect(state.shares[0]?.problems).toHaveLength(limits.problemsShown)
  })

  it('ends its running receivers, and only those, when it fails', () => {
    const other = 'p2' as PeerId
    const state = after(
      opened,
      joined,
      { atMs: 4, type: 'receiver-finished', share, peer, outcome },
      { ...joined, peer: other },
      { atMs: 5, type: 'share-failed', share, error },
    )
    expect(state.shares[0]).toMatchObject({ phase: 'failed', error })
    expect(state.shares[0]?.receivers.map(({ phase }) => phase)).toEqual(['done', 'failed'])
  })

  it('stays unchanged once it has ended, and disappears when removed', () => {
    const stopped = after(opened, { atMs: 2, type: 'share-stopped', share })
    expect(reduce(stopped, coded)).toBe(stopped)
    expect(reduce(stopped, { atMs: 3, type: 'share-removed', share }).shares).toEqual([])
  })
})

describe('a receiver', () => {
  it('connects, decides, receives and is done', () => {
    const deciding = after(opened, coded, joined, connected)
    expect(deciding.shares[0]?.receivers[0]).toMatchObject({
      phase: 'deciding',
      name: 'Mina',
      route,
    })
    const done = [
      accepted,
      { atMs: 6, type: 'receiver-progressed', share, peer, counters } as const,
      { atMs: 9, type: 'receiver-finished', share, peer, outcome } as const,
    ].reduce(reduce, deciding)
    expect(done.shares[0]?.receivers[0]).toMatchObject({
      phase: 'done',
      progress: { ...counters, samples: [{ atMs: 6, bytes: 50 }] },
      outcome: { ...outcome, startedAtMs: 5, endedAtMs: 9 },
    })
  })

  it('stays done regardless of later events', () => {
    const done = after(opened, joined, { atMs: 4, type: 'receiver-finished', share, peer, outcome })
    expect(reduce(done, { atMs: 5, type: 'receiver-failed', share, peer, error })).toBe(done)
  })

  it('continues receiving when it connects again over another route', () => {
    const state = after(opened, joined, connected, accepted, connected)
    expect(state.shares[0]?.receivers[0]?.phase).toBe('receiving')
  })

  it('is dropped for a new one if it is the oldest that ended', () => {
    let state = after(opened, joined)
    for (let index = 0; index < limits.receiversShown + 3; index += 1) {
      const next = { share, peer: `n${index}` as PeerId, atMs: 4 }
      state = reduce(state, { ...next, type: 'receiver-joined', safety: '482913' })
      state = reduce(state, { ...next, type: 'receiver-failed', error })
    }
    const peers = state.shares[0]?.receivers.map((receiver) => receiver.peer)
    expect(peers).toHaveLength(limits.receiversShown)
    expect(peers?.[0]).toBe(peer)
    expect(peers?.at(-1)).toBe(`n${limits.receiversShown + 2}`)
  })
})

describe('a receive', () => {
  it('looks up, connects, lists, is offered, receives and is done', () => {
    const events: readonly AppEvent[] = [
      receiveOpened,
      { atMs: 2, type: 'receive-found', receive },
      receiveConnected,
      offered,
      receiveAccepted,
      {
        atMs: 6,
        type: 'receive-started',
        receive,
        resumedBytes: 7,
        conflicts,
        mappedCount: 0,
        mappedNames: [],
      },
      { atMs: 8, type: 'receive-finished', receive, outcome },
    ]
    const phases = events.map((_, index) => after(...events.slice(0, index + 1)).receives[0]?.phase)
    const before = ['looking-up', 'connecting', 'listing', 'offered', 'preparing']
    expect(phases).toEqual([...before, 'receiving', 'done'])
    expect(after(...events).receives[0]).toMatchObject({
      from: 'Mina',
      title: 'a',
      items,
      totals,
      directory: '/d',
      resumedBytes: 7,
      conflicts,
      outcome: { ...outcome, startedAtMs: 5, endedAtMs: 8 },
    })
  })

  it('counts all names that are written differently and lists the first', () => {
    const named = (...paths: readonly string[]) =>
      paths.map((path) => ({ path, writtenAs: `${path}_` }))
    const started: AppEvent = {
      ...{ atMs: 6, type: 'receive-started', receive, resumedBytes: 0, conflicts },
      ...{ mappedCount: 2, mappedNames: named('a', 'b') },
    }
    const added = (mappedCount: number, ...paths: readonly string[]): AppEvent => ({
      ...{ atMs: 7, type: 'receive-names-mapped', receive },
      ...{ mappedCount, mappedNames: named(...paths) },
    })
    const begun = after(receiveOpened, receiveConnected, offered, receiveAccepted, started)
    const grown = reduce(begun, added(4, 'c', 'd'))
    expect(grown.receives[0]).toMatchObject({
      ...{ mappedCount: 4, mappedNames: named('a', 'b', 'c', 'd') },
    })
    const many = Array.from({ length: limits.entriesShown }, (_, index) => `${index}`)
    const full = [added(1004, ...many), added(1234)].reduce(reduce, grown)
    expect(full.receives[0]?.mappedCount).toBe(1234)
    expect(full.receives[0]?.mappedNames).toHaveLength(limits.entriesShown)
    // Another connection maps all names again.
    expect(reduce(full, started).receives[0]?.mappedCount).toBe(2)
  })

  it('keeps what arrived when it fails', () => {
    const failed = after(
      receiveOpened,
      receiveConnected,
      offered,
      receiveAccepted,
      { atMs: 6, type: 'receive-progressed', receive, counters },
      { atMs: 7, type: 'receive-failed', receive, error },
    )
    expect(failed.receives[0]).toMatchObject({ phase: 'failed', error, progress: counters })
  })
})

describe('reduce', () => {
  it('keeps the newest first and drops the oldest ended one', () => {
    let state = after(opened)
    for (let index = 0; index < limits.transfersShown + 3; index += 1) {
      const next = { share: `n${index}` as ShareId, atMs: 2 }
      state = reduce(state, { ...next, type: 'share-opened', title: '', maxReceivers: 10 })
      state = reduce(state, { ...next, type: 'share-stopped' })
    }
    expect(state.shares).toHaveLength(limits.transfersShown)
    expect(state.shares[0]?.id).toBe(`n${limits.transfersShown + 2}`)
    expect(state.shares.at(-1)?.id).toBe(share)
  })

  it('never throws, never changes its input and ignores what it does not know', () => {
    const atMs = fc.integer({ min: 0, max: 1e9 })
    const ofShare = fc.record({ atMs, share: fc.constantFrom(share, 'unknown' as ShareId) })
    const ofPeer = fc.record({ peer: fc.constantFrom(peer, 'unknown' as PeerId) })
    const ofReceive = fc.record({ atMs, receive: fc.constantFrom(receive, 'unknown' as ReceiveId) })
    const counted = fc.integer({ min: 0, max: 100 }).map((bytes) => ({ ...counters, bytes }))
    const event = fc.oneof(
      ofShare.chain((ids) =>
        fc.constantFrom<AppEvent>(
          { ...ids, type: 'share-opened', title: '', maxReceivers: 10 },
          { ...ids, type: 'share-counted', totals },
          { ...ids, type: 'share-listed', title: '', items },
          { ...ids, type: 'share-paused', paused: true },
          { ...ids, type: 'share-resized', maxReceivers: 0 },
          { ...ids, type: 'share-coded', code: '' },
          { ...ids, type: 'share-unreachable' },
          { ...ids, type: 'share-problem', path: '', error },
          { ...ids, type: 'share-stopped' },
          { ...ids, type: 'share-failed', error },
          { ...ids, type: 'share-removed' },
        ),
      ),
      fc
        .tuple(ofShare, ofPeer, counted)
        .chain(([about, by, progress]) =>
          fc.constantFrom<AppEvent>(
            { ...about, ...by, type: 'receiver-joined', safety: '482913' },
            { ...about, ...by, type: 'receiver-connected', name: '', transfer, route },
            { ...about, ...by, type: 'receiver-accepted' },
            { ...about, ...by, type: 'receiver-progressed', counters: progress },
            { ...about, ...by, type: 'receiver-flow-changed', flow: { kind: 'finishing' } },
            { ...about, ...by, type: 'receiver-stalled', reason: 'network' },
            { ...about, ...by, type: 'receiver-finished', outcome },
            { ...about, ...by, type: 'receiver-failed', error },
          ),
        ),
      fc.tuple(ofReceive, counted).chain(([ids, progress]) =>
        fc.constantFrom<AppEvent>(
          { ...ids, type: 'receive-opened', code: '', transfer },
          { ...ids, type: 'receive-found' },
          { ...ids, type: 'receive-connected', from: '', route },
          { ...ids, type: 'receive-counted', totals },
          { ...ids, type: 'receive-offered', title: '', items, totals },
          { ...ids, type: 'receive-accepted', directory: '' },
          {
            ...ids,
            type: 'receive-started',
            resumedBytes: 1,
            conflicts,
            mappedCount: 0,
            mappedNames: [],
          },
          { ...ids, type: 'receive-names-mapped', mappedCount: 1, mappedNames: [] },
          { ...ids, type: 'receive-progressed', counters: progress },
          { ...ids, type: 'receive-flow-changed', flow: { kind: 'paused' } },
          { ...ids, type: 'receive-stalled', reason: 'source' },
          { ...ids, type: 'receive-text-arrived', name: '', text: 'x' },
          { ...ids, type: 'receive-lost', attempt: 1, error },
          { ...ids, type: 'receive-interrupted', error },
          { ...ids, type: 'receive-problem', path: '', error },
          { ...ids, type: 'receive-finished', outcome },
          { ...ids, type: 'receive-failed', error },
          { ...ids, type: 'receive-removed' },
        ),
      ),
      fc.constantFrom<AppEvent>(
        { atMs: 0, type: 'server-changed', server: { phase: 'idle' } },
        { atMs: 0, type: 'limits-changed', speedLimits: { upload: 1, download: 2 } },
        { atMs: 0, type: 'resumable-removed', transfer },
      ),
    )
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        const frozen = deepFreeze(after(...events))
        expect(frozen.shares.length + frozen.receives.length).toBeLessThanOrEqual(4)
        for (const next of events) reduce(frozen, next)
      }),
    )
  })
})

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null)
    Object.values(Object.freeze(value)).forEach(deepFreeze)
  return value
}
