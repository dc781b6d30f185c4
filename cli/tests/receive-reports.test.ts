import { describe, expect, it } from 'vitest'
import { appError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import { stallLabel } from '#shared/labels'
import {
  type AppState,
  emptyState,
  type FlowState,
  type Item,
  type ItemKind,
  type PeerId,
  type StallReason,
} from '#shared/state/app-state'
import type { Contact, ContactId } from '#shared/state/contacts'
import { reduce } from '#shared/state/reduce'
import { statisticsExample } from '#shared/tests/statistics-example'
import { PlainReporter } from '../report/plain-reporter'
import { offerLines, preflightLines } from '../report/preflight-text'
import {
  accepted,
  code,
  connected,
  finished,
  inJson,
  inWords,
  joined,
  opened,
  outcome,
  Paper,
  receive,
  route,
  share,
  transfer,
} from './paper'
import { preflight } from './preflight'

describe('words about a receive', () => {
  const conflicts = {
    ...{ identical: 3, identicalBytes: 9, different: 3 },
    ...{ replaced: 1, keptBoth: 2, leftOut: 0 },
  }
  const begun: readonly AppEvent[] = [
    { atMs: 0, type: 'receive-opened', receive, code, transfer },
    { atMs: 1, type: 'receive-accepted', receive, directory: '/in' },
  ]
  const started: AppEvent = {
    ...{ atMs: 2, type: 'receive-started', receive },
    ...{ resumedBytes: 1_200_000_000, conflicts, mappedCount: 0, mappedNames: [] },
  }
  const flow = (state: FlowState): AppEvent => ({
    ...{ atMs: 3, type: 'receive-flow-changed', receive },
    flow: state,
  })

  it('report conflicts and transferred bytes after the result', () => {
    const finishedWith = (renamed: number): AppEvent => ({
      ...{ atMs: 549_000, type: 'receive-finished', receive },
      outcome: { ...outcome, renamed },
    })
    const finishedNow = finishedWith(2)
    /** The lines after the folder's. */
    const ended = (...events: readonly AppEvent[]) => inWords(...begun, ...events).notes.slice(1)
    expect(ended(started, finishedNow)).toEqual([
      expect.stringMatching(
        /^Verified. 2 files · 61.9 GB, 60.7 GB of it in 9 min 9 s · 113 MB.s · /,
      ),
      'Kept both: 2 · replaced: 1 · already received: 1.2 GB · transferred: 61.9 GB',
    ])
    expect(ended(finishedNow)).toHaveLength(1)
    expect(ended(started, finishedWith(1))[1]).toMatch(/^Kept both: 1 · /)
  })

  it("don't call files replaced or kept if none arrived", () => {
    const endedWith = (files: number): AppEvent => ({
      ...{ atMs: 549_000, type: 'receive-finished', receive },
      outcome: { ...outcome, files, problems: 1, renamed: 2 },
    })
    const summary = (files: number) => inWords(...begun, started, endedWith(files)).notes.at(-1)
    expect(summary(0)).toBe('Already received: 1.2 GB · transferred: 61.9 GB')
    expect(summary(1)).toMatch(/^Kept both: at most 1 · replaced: at most 1 · /)
  })

  it('report each change of the flow once, and its resumption only after a pause', () => {
    const { notes } = inWords(
      ...[...begun, started, flow({ kind: 'flowing' }), flow({ kind: 'paused-by-peer' })],
      ...[flow({ kind: 'disk-full', need: 5e9 }), flow({ kind: 'disk-full', need: 4e9 })],
      ...[flow({ kind: 'flowing' }), flow({ kind: 'finishing' }), flow({ kind: 'flowing' })],
    )
    expect(notes.slice(1)).toEqual([
      'Paused by the other side',
      'Waiting for 5.0 GB of disk space',
      'Receiving',
    ])
  })

  it('give the folder and rounded figures in JSON', () => {
    const statistics = { ...statisticsExample, rttMs: 40.123456789 }
    const measured: AppEvent = { atMs: 3, type: 'receive-measured', receive, statistics }
    const done: AppEvent = { atMs: 4, type: 'receive-finished', receive, outcome }
    expect(inJson(...begun, measured, done).slice(-2)).toMatchObject([
      { type: 'statistics', rttMs: 40.123 },
      { type: 'done', directory: '/in' },
    ])
  })

  it('list the keys of a share, or else say how to end it, and mention folders', () => {
    const paper = (canAsk: boolean) =>
      Object.defineProperty(new Paper(), 'canAsk', { value: canAsk })
    const notes = (canAsk: boolean, kind: ItemKind) => {
      const terminal = paper(canAsk)
      const reporter = new PlainReporter(terminal)
      const items: readonly Item[] = [{ id: 0, name: 'a', kind, files: 1, bytes: 1 }]
      const events: readonly AppEvent[] = [
        ...[opened, { atMs: 1, type: 'share-listed', share, title: 'a', items } as const],
        { atMs: 2, type: 'share-coded', share, code },
      ]
      events.reduce((before, event) => {
        const state = reduce(before, event)
        reporter.report(event, state)
        return state
      }, emptyState('/downloads'))
      return terminal.notes.slice(2)
    }
    expect(notes(false, 'file')).toEqual(['Ctrl-C ends the share.'])
    expect(notes(true, 'file')).toEqual([])
    expect(notes(true, 'folder')).toEqual([
      'Files that you put into a folder later are offered only with --watch.',
    ])
  })

  it('report a lost connection, each attempt, and how to resume', () => {
    const error = appError('E_PEER_GONE')
    const lost = (attempt: number): AppEvent => ({
      ...{ atMs: 4, type: 'receive-lost', receive },
      ...{ attempt, error },
    })
    const interrupted: AppEvent = { atMs: 5, type: 'receive-interrupted', receive, error }
    const { notes } = inWords(...begun, started, lost(1), lost(2), interrupted)
    expect(notes.slice(1)).toEqual([
      'The sender stopped responding.',
      'Reconnecting (attempt 1)',
      'Reconnecting (attempt 2)',
      expect.stringMatching(/^thru: The sender stopped responding\. .*\.$/),
    ])
  })

  it('report a stall and its reason', () => {
    const stalled = (reason: StallReason): AppEvent => ({
      ...{ atMs: 4, type: 'receive-stalled', receive },
      reason,
    })
    const { notes } = inWords(...begun, started, stalled('network'), stalled('none'))
    expect(notes.slice(1)).toEqual([`No data is moving: ${stallLabel('network') ?? ''}.`])
  })

  it('report that the other side is silent, and that another connection is tried', () => {
    const stalled = (reason: StallReason): AppEvent => ({
      ...{ atMs: 4, type: 'receive-stalled', receive },
      reason,
    })
    const { notes } = inWords(begun[0] as AppEvent, stalled('no-route'), stalled('peer'))
    expect(notes.slice(-2)).toEqual([
      "Couldn't connect yet. Trying once more.",
      `No data is moving: ${stallLabel('peer') ?? ''}.`,
    ])
  })

  it('print a text line by line, and alone on standard output', () => {
    const text: AppEvent = {
      ...{ atMs: 3, type: 'receive-text-arrived', receive },
      ...{ name: 'Note', text: 'one\r\ntwo\n\nthree' },
    }
    const { printed, notes } = inWords(...begun, text, {
      ...{ atMs: 4, type: 'receive-finished', receive },
      outcome,
    })
    expect(printed).toEqual(['one', 'two', '', 'three'])
    expect(notes.slice(-2)).toEqual(['Text "Note":', expect.stringMatching(/^Verified\. /)])
  })

  it("don't mention free space in an unusable folder", () => {
    const error = appError('E_TARGET_NOT_WRITABLE', 'EROFS')
    expect(preflightLines({ ...preflight, error }, null, false)).toEqual([])
  })

  it("use the contact's local name", () => {
    const paper = new Paper()
    const reporter = new PlainReporter(paper)
    const bea: Contact = {
      ...{ id: 'b'.repeat(32) as ContactId, name: 'Bea', server: 'wss://example.org/v1' },
      ...{ addedMs: 1, lastSeenMs: null, autoAccept: null },
    }
    const invited: AppEvent = { ...joined, contact: bea.id }
    const events: readonly AppEvent[] = [
      opened,
      invited,
      { ...connected, name: 'vm' },
      accepted,
      finished,
    ]
    const before: AppState = { ...emptyState('/downloads'), contacts: [bea] }
    events.reduce((last, event) => {
      const state = reduce(last, event)
      reporter.report(event, state)
      return state
    }, before)
    expect(paper.notes).toEqual([
      'Bea is connected directly (IPv6).',
      'Bea is reviewing your files.',
      'Bea is receiving.',
      'Bea: Verified. 2 files · 61.9 GB in 9 min 8 s · 113 MB/s · direct',
    ])
  })

  it('report a preflight: how much an update receives at most', () => {
    const updating = { ...preflight, updatedFiles: 3, updatedBytes: 61e9 }
    expect(preflightLines(updating, 'update', false)).toContain(
      '3 files will be updated (at most 61.0 GB)',
    )
    expect(preflightLines(preflight, 'update', false).join()).not.toContain('updated')
    expect(preflightLines(updating, null, false).join()).not.toContain('updated')
  })

  it('report a preflight: conflicts, space, and names', () => {
    expect(
      preflightLines(
        {
          ...{ ...preflight, conflicts, resumedBytes: 2000, tooLarge: ['big.img'] },
          mappedCount: 1,
          mappedNames: [{ path: 'a:b', writtenAs: 'a_b' }],
        },
        'keep-both',
        false,
      ),
    ).toEqual([
      '3 files are already here (9 B)',
      '3 files already exist with a different size or time (content not compared):',
      '  a',
      '  and 2 more',
      'Both are kept. New files are saved as "name (2).ext" (--conflict).',
      '2.0 kB already received',
      'Needs 10 B, 7 B free',
      '1 name will be changed:',
      '  a:b as a_b',
      '1 file is too large for this file system:',
      '  big.img',
    ])
  })

  it('report different content only where it was compared', () => {
    const [, heading] = preflightLines({ ...preflight, conflicts }, 'skip', true)
    expect(heading).toBe('3 files already exist with different content:')
  })

  const named = (...paths: readonly string[]) =>
    paths.map((path) => ({ path, writtenAs: `${path}_` }))

  it('report how many names a preflight does not list', () => {
    const mappedNames = named('a', 'b', 'c', 'd', 'e', 'f', 'g')
    expect(
      preflightLines({ ...preflight, mappedCount: 1234, mappedNames }, null, false).slice(-7),
    ).toEqual([
      '1,234 names will be changed:',
      ...['  a as a_', '  b as b_', '  c as c_', '  d as d_', '  e as e_'],
      '  and 1,229 more',
    ])
  })

  it('list names in natural order', () => {
    const item = (name: string, kind: ItemKind): Item => ({ id: 0, name, kind, files: 1, bytes: 1 })
    const state = reduce(emptyState('/in'), {
      ...{ atMs: 0, type: 'receive-opened', receive, code, transfer },
    })
    const [opened] = Object.values(state.receives)
    const files = ['file10', 'File2', 'beta', 'file1'].map((name) => item(name, 'file'))
    const items = [...files, item('d10', 'folder'), item('d2', 'folder')]
    const lines = offerLines({ ...opened!, items, totals: null }, preflight, 'Ann')
    expect(lines.slice(1).map((line) => /\w+/.exec(line)?.[0])).toEqual([
      ...['d2', 'd10', 'beta', 'file1', 'File2', 'file10'],
    ])
    const paths = ['a/file10', 'top', 'a/b/z', 'a/file9', 'A', 'a/b10/a', 'a/b9/a']
    const ordered = ['a/b/z', 'a/b9/a', 'a/b10/a', 'a/file9', 'a/file10', 'A', 'top']
    const conflictPaths = paths.map((path) => ({ ...preflight.conflictPaths[0]!, path }))
    const sorted = preflightLines(
      {
        ...{ ...preflight, conflictPaths, conflicts: { ...conflicts, identical: 0, different: 7 } },
        ...{ neededBytes: 0, mappedCount: 7, mappedNames: named(...paths), tooLarge: paths },
      },
      null,
      false,
    )
    const first = ordered.slice(0, 5)
    expect(sorted.filter((line) => line.startsWith('  ') && !line.includes(' more'))).toEqual([
      ...first.map((path) => `  ${path}`),
      ...first.map((path) => `  ${path} as ${path}_`),
      ...first.map((path) => `  ${path}`),
    ])
  })

  it('report changed names as they arrive, each only once', () => {
    const startedWith = (mappedCount: number, ...paths: readonly string[]): AppEvent => ({
      ...started,
      ...{ mappedCount, mappedNames: named(...paths) },
    })
    const added = (mappedCount: number, ...paths: readonly string[]): AppEvent => ({
      ...{ atMs: 3, type: 'receive-names-mapped', receive },
      ...{ mappedCount, mappedNames: named(...paths) },
    })
    const finishedNow: AppEvent = { atMs: 549_000, type: 'receive-finished', receive, outcome }
    const paper = new Paper()
    const reporter = new PlainReporter(paper)
    const offer = begun.reduce(reduce, emptyState('/downloads')).receives[0]!
    reporter.preflight(
      offer,
      { ...preflight, mappedCount: 1, mappedNames: named('a') },
      null,
      false,
    )
    paper.notes.length = 0
    const events = [
      ...[...begun, startedWith(1, 'a'), added(3, 'b', 'c'), startedWith(3, 'a', 'b', 'c')],
      ...[added(4, 'd'), added(1234), finishedNow],
    ]
    events.reduce((before, event) => {
      const state = reduce(before, event)
      reporter.report(event, state)
      return state
    }, emptyState('/downloads'))
    expect(paper.notes.slice(1, -2)).toEqual([
      ...['2 names will be changed:', '  b as b_', '  c as c_'],
      ...['1 name will be changed:', '  d as d_'],
    ])
    expect(paper.notes.at(-1)).toContain('names changed: 1,234')
    // Changes that no preflight showed are reported at the start.
    expect(inWords(...begun, startedWith(1, 'a')).notes.slice(1)).toEqual([
      ...['1 name will be changed:', '  a as a_'],
    ])
    expect(inJson(...begun, startedWith(1, 'a'), added(1234, 'b'), finishedNow)).toMatchObject([
      { type: 'accepted' },
      { type: 'started', mappedCount: 1, mappedNames: named('a') },
      { type: 'names', mappedCount: 1234, mappedNames: named('b') },
      { type: 'done', mappedCount: 1234 },
    ])
  })

  it('have each event in JSON', () => {
    const error = appError('E_PEER_GONE')
    const text = { name: 'Note', text: 'x' }
    const lines = inJson(
      ...[...begun, started, flow({ kind: 'disk-full', need: 5 })],
      { atMs: 3, type: 'receive-text-arrived', receive, ...text },
      { atMs: 4, type: 'receive-stalled', receive, reason: 'own-disk' },
      { atMs: 4, type: 'receive-lost', receive, attempt: 2, error },
      { atMs: 4, type: 'receive-interrupted', receive, error },
    )
    expect(lines).toMatchObject([
      { type: 'accepted', directory: '/in' },
      { type: 'started', resumedBytes: 1_200_000_000, conflicts, mappedCount: 0, mappedNames: [] },
      { type: 'flow', kind: 'disk-full', need: 5 },
      { type: 'text', ...text },
      { type: 'stalled', reason: 'own-disk' },
      { type: 'reconnecting', attempt: 2, code: 'E_PEER_GONE' },
      { type: 'interrupted', code: 'E_PEER_GONE' },
    ])
  })

  it('report that a receiver is in a browser', () => {
    const { notes } = inWords(opened, joined, { ...connected, browser: true })
    expect(notes).toContain('Jonas (in a browser) is connected directly (IPv6).')
  })

  it('report who has reconnected', () => {
    const other = { share, peer: 'p2' as PeerId, atMs: 6 }
    const { notes } = inWords(
      ...[opened, joined, connected, accepted],
      { ...other, type: 'receiver-joined', safety: '482913' },
      { ...other, type: 'receiver-connected', name: 'Jonas', transfer, route },
    )
    expect(notes.slice(-2)).toEqual([
      'Jonas has reconnected.',
      'Jonas is connected directly (IPv6).',
    ])
  })
})
