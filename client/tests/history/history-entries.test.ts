import { describe, expect, it } from 'vitest'
import { entriesOf } from '#client/history/history-entries'
import { noConflicts } from '#client/testing/fake-engine'
import { appError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import type { ShareId, TransferId } from '#shared/state/app-state'
import { type AppState, emptyState, type PeerId, type ReceiveId } from '#shared/state/app-state'
import type { ContactId } from '#shared/state/contacts'
import type { NewHistoryEntry } from '#shared/state/history'
import { reduce } from '#shared/state/reduce'
import { allFetched, allNew, allNewInHistory } from '#shared/testing/figures'
import { directRoute } from '../rig'

type Untimed<E> = E extends unknown ? Omit<E, 'atMs'> : never

const route = directRoute
const share = 's1' as ShareId
const peer = 'p1' as PeerId
const receive = 'r1' as ReceiveId
const transfer = 'a'.repeat(32) as TransferId
const counters = {
  files: 1,
  bytes: 500,
  totalFiles: 2,
  totalBytes: 1000,
  transferred: 500,
  ...allFetched,
}
const outcome = {
  files: 2,
  bytes: 1000,
  problems: 0,
  renamed: 0,
  transferred: 1000,
  ...allNew,
  readBack: false,
}
const items = [
  { kind: 'path', path: '/home/mina/photos' },
  { kind: 'text', text: 'a secret', name: 'Note' },
] as const

/** Plays events, one second apart, and returns the resulting entries. */
function play(...events: readonly Untimed<AppEvent>[]): readonly NewHistoryEntry[] {
  let state: AppState = emptyState('/downloads')
  return events.flatMap((event, second) => {
    const timed = { ...event, atMs: second * 1000 } as AppEvent
    state = reduce(state, timed)
    return entriesOf(timed, state, () => items)
  })
}

const receiving = [
  { type: 'receive-opened', receive, code: '4821-apple-river-stone', transfer },
  { type: 'receive-paired', receive, safety: '1' },
  { type: 'receive-reached', receive },
  { type: 'receive-connected', receive, from: 'Mina', route },
  {
    type: 'receive-offered',
    ...{ receive, title: 'photos' },
    items: [{ id: 0, name: 'photos', kind: 'folder', files: 2, bytes: 1000 }],
    totals: { files: 2, folders: 1, bytes: 1000, complete: true },
  },
] as const
const accepted = { type: 'receive-accepted', receive, directory: '/in' } as const
const sharing = [
  { type: 'share-opened', share, title: '2 items', maxReceivers: 10 },
  { type: 'share-coded', share, code: '4821-apple-river-stone' },
  { type: 'receiver-joined', share, peer, safety: '1' },
  { type: 'receiver-connected', share, peer, name: 'Jonas', transfer, route },
] as const

describe('a contact in the history', () => {
  it('has its name in the contact list', () => {
    const id = 'c'.repeat(32) as ContactId
    const kept = { id, name: 'Bobby', server: '', autoAccept: null, addedMs: 0, lastSeenMs: 0 }
    const known = { type: 'contacts-changed', contacts: [kept] } as const
    const [opened, coded, joined, connected] = sharing
    const [entry] = play(
      ...[known, opened, coded, { ...joined, contact: id }, connected],
      ...[
        { type: 'receiver-accepted', share, peer } as const,
        { type: 'receiver-finished', share, peer, outcome } as const,
      ],
    )
    expect(entry).toMatchObject({ person: 'Bobby', contact: id })
  })
})

describe('the history gets', () => {
  it('a finished receive, with its figures and its place', () => {
    const entries = play(...receiving, accepted, { type: 'receive-finished', receive, outcome })
    expect(entries).toEqual([
      {
        ...{ direction: 'received', transfer, endedAtMs: 6000, title: 'photos', person: 'Mina' },
        ...{
          contact: null,
          files: 2,
          texts: 0,
          bytes: 1000,
          durationMs: 1000,
          rate: 1000,
          ...allNewInHistory,
        },
        ...{ route: 'direct', outcome: 'done', error: null, problemCount: 0, problems: [] },
        ...{ folder: '/in', target: '/in/photos', paths: [] },
      },
    ])
  })

  it('the name under which the only item was saved', () => {
    const named = (path: string) =>
      play(
        ...receiving,
        accepted,
        {
          ...{ type: 'receive-started', receive, resumedBytes: 0, conflicts: noConflicts },
          ...{ mappedCount: 1, mappedNames: [{ path, writtenAs: 'Norway' }] },
        },
        { type: 'receive-finished', receive, outcome },
      )
    expect(named('photos')).toMatchObject([{ title: 'Norway', target: '/in/Norway' }])
    expect(named('photos/a')).toMatchObject([{ title: 'photos', target: '/in/photos' }])
  })

  it('no folder for a receive to standard output', () => {
    const toOutput = { ...accepted, directory: null }
    const entries = play(...receiving, toOutput, { type: 'receive-finished', receive, outcome })
    expect(entries).toMatchObject([{ outcome: 'done', folder: null, target: null }])
  })

  it('an error, and the progress until then', () => {
    const problem = { path: 'photos/a', error: appError('E_PATH_UNREADABLE') }
    const entries = play(
      ...receiving,
      accepted,
      { type: 'receive-progressed', receive, counters },
      { type: 'receive-problem', receive, ...problem },
      { type: 'receive-failed', receive, error: appError('E_DISK_IO') },
    )
    expect(entries).toMatchObject([
      {
        ...{ outcome: 'failed', error: 'E_DISK_IO', bytes: 500, problemCount: 1 },
        problems: [{ path: 'photos/a', code: 'E_PATH_UNREADABLE' }],
      },
    ])
  })

  it('a canceled and an interrupted transfer', () => {
    const error = appError('E_CANCELLED')
    expect(play(...receiving, accepted, { type: 'receive-failed', receive, error })).toMatchObject([
      { outcome: 'cancelled' },
    ])
    const gone = appError('E_PEER_GONE')
    const interrupted = { type: 'receive-interrupted', receive, error: gone } as const
    expect(play(...receiving, accepted, interrupted)).toMatchObject([{ outcome: 'interrupted' }])
  })

  it('no transfer that was not accepted', () => {
    const error = appError('E_CODE_MISMATCH')
    expect(play(...receiving, { type: 'receive-failed', receive, error })).toEqual([])
    expect(play(...sharing, { type: 'receiver-failed', share, peer, error })).toEqual([])
  })

  it('an entry for each receiver of a share, with the items to send again', () => {
    const entries = play(
      ...sharing,
      { type: 'receiver-accepted', share, peer },
      { type: 'receiver-finished', share, peer, outcome },
    )
    expect(entries).toMatchObject([
      {
        ...{ direction: 'sent', person: 'Jonas', title: '2 items', outcome: 'done', folder: null },
        paths: ['/home/mina/photos'],
      },
    ])
  })

  it("a receiver's own name, without the number that tells it from another", () => {
    const [, , joined, connected] = sharing
    const other = 'p2' as PeerId
    const entries = play(
      ...sharing,
      { ...joined, peer: other },
      { ...connected, peer: other, transfer: 'b'.repeat(32) as TransferId },
      { type: 'receiver-accepted', share, peer: other },
      { type: 'receiver-finished', share, peer: other, outcome },
    )
    expect(entries).toMatchObject([{ person: 'Jonas' }])
  })

  it('the receivers that had begun when the share was stopped', () => {
    const entries = play(
      ...sharing,
      { type: 'receiver-accepted', share, peer },
      { type: 'receiver-progressed', share, peer, counters },
      { type: 'share-stopped', share },
    )
    expect(entries).toMatchObject([{ outcome: 'cancelled', bytes: 500, person: 'Jonas' }])
  })

  it('no text and no place of a received text', () => {
    const offer = receiving[4]
    const items = [{ id: 0, name: 'hunter2', kind: 'text', files: 1, bytes: 9 }] as const
    const entries = play(
      ...receiving.slice(0, 4),
      { ...offer, title: 'Text', items },
      accepted,
      { type: 'receive-text-arrived', receive, name: 'hunter2', text: 'hunter2 it is' },
      { type: 'receive-finished', receive, outcome },
    )
    expect(entries).toMatchObject([{ title: 'Text', folder: null, target: null }])
    expect(JSON.stringify(entries)).not.toContain('hunter2')
  })

  it('the number of texts among the files', () => {
    const [offer] = receiving.slice(-1)
    const mixed = [
      ...[{ id: 0, name: 'photos', kind: 'folder', files: 1, bytes: 999 } as const],
      ...[{ id: 0, name: 'note', kind: 'text', files: 1, bytes: 1 } as const],
    ]
    const received = play(
      ...receiving.slice(0, -1),
      { ...offer, items: mixed } as Untimed<AppEvent>,
      ...[accepted, { type: 'receive-finished', receive, outcome } as const],
    )
    const sent = play(
      ...sharing,
      { type: 'share-listed', share, title: '2 items', items: mixed },
      { type: 'receiver-accepted', share, peer },
      { type: 'receiver-finished', share, peer, outcome },
    )
    for (const [entry] of [received, sent]) expect(entry).toMatchObject({ files: 2, texts: 1 })
  })

  it('no code, no word and no text', () => {
    const entries = play(
      ...sharing,
      { type: 'receiver-accepted', share, peer },
      { type: 'receiver-finished', share, peer, outcome },
    )
    expect(JSON.stringify(entries)).not.toMatch(/apple|river|stone|4821|secret/)
  })
})
