import { describe, expect, it } from 'vitest'
import { jsonLine, JsonReporter } from '../json-reporter'
import { outcomeText, routeText } from '../event-text'
import { PlainReporter } from '../plain-reporter'
import { surveyLines } from '../survey-text'
import { survey } from './survey'
import { progressText } from '../progress-display'
import type { Reporter } from '../reporter'
import type { Terminal } from '../terminal'
import {
  type AppState,
  emptyState,
  type FlowState,
  type PeerId,
  type ReceiveId,
  type ShareId,
  type StallReason,
  type TransferId,
} from '#shared/app-state'
import type { Contact, ContactId } from '#shared/contacts'
import { appError } from '#shared/errors'
import { stallWords } from '#shared/phase-words'
import type { AppEvent } from '#shared/events'
import { reduce } from '#shared/reduce'
import { visibleText } from '#shared/visible-text'

const share = 's1' as ShareId
const receive = 'r1' as ReceiveId
const peer = 'p1' as PeerId
const transfer = '0123456789abcdef0123456789abcdef' as TransferId
const code = '4821-apple-river-stone'
const route = {
  kind: 'direct',
  family: 6,
  transport: 'udp',
  remote: '[2001:db8::7]:5000',
  relay: '',
} as const
const outcome = {
  ...{ files: 2, bytes: 61_900_000_000, problems: 0, renamed: 0 },
  ...{ transferred: 61_900_000_000, verified: false },
}

class Paper implements Terminal {
  readonly canAsk = false
  readonly canDraw = false
  readonly isAsking = false
  readonly printed: string[] = []
  readonly notes: string[] = []

  out(line: string): void {
    this.printed.push(line)
  }

  note(line: string): void {
    this.notes.push(line)
  }

  ask(): Promise<boolean> {
    return Promise.resolve(false)
  }

  choose(): Promise<null> {
    return Promise.resolve(null)
  }
}

function report(
  makeReporter: (terminal: Terminal) => Reporter,
  events: readonly AppEvent[],
): Paper {
  const paper = new Paper()
  const reporter = makeReporter(paper)
  let state = emptyState('/downloads')
  for (const event of events) {
    state = reduce(state, event)
    reporter.tell(event, state)
  }
  reporter.end()
  return paper
}

const inWords = (...events: readonly AppEvent[]): Paper =>
  report((terminal) => new PlainReporter(terminal), events)
const inJson = (...events: readonly AppEvent[]): unknown[] =>
  report((terminal) => new JsonReporter(terminal), events).printed.map((text): unknown =>
    JSON.parse(text),
  )

const opened: AppEvent = { atMs: 0, type: 'share-opened', share, title: 'a', maxReceivers: 10 }
const coded: AppEvent = { atMs: 1, type: 'share-coded', share, code }
const joined: AppEvent = { atMs: 2, type: 'receiver-joined', safety: '482913', share, peer }
const connected: AppEvent = {
  atMs: 3,
  type: 'receiver-connected',
  share,
  peer,
  name: 'Jonas',
  transfer,
  route,
}
const accepted: AppEvent = { atMs: 1000, type: 'receiver-accepted', share, peer }
const finished: AppEvent = { atMs: 549_000, type: 'receiver-finished', share, peer, outcome }
const progressed = (atMs: number, bytes: number): AppEvent => ({
  atMs,
  type: 'receiver-progressed',
  share,
  peer,
  counters: { files: 0, bytes, totalFiles: 2, totalBytes: 61_900_000_000, transferred: bytes },
})

describe('names in the terminal', () => {
  it('shows what would move the cursor or turn the text around', () => {
    expect(visibleText('a\u001b[2Jb\r\n\u0007c\u009bd\u202ee')).toBe(
      'a\\u{1b}[2Jb\\u{d}\\u{a}\\u{7}c\\u{9b}d\\u{202e}e',
    )
  })

  it('leaves names of all languages alone', () => {
    expect(visibleText('Übersicht 日本語 🏖 ‘x’')).toBe('Übersicht 日本語 🏖 ‘x’')
  })
})

describe('words', () => {
  it('name the route', () => {
    expect(routeText('Jonas', route)).toBe('Jonas is connected directly (IPv6).')
    expect(routeText('Jonas', { ...route, kind: 'local' })).toBe(
      'Jonas is connected on the local network.',
    )
    const relay = { kind: 'relay', relay: '203.0.113.9:443', transport: 'tcp' } as const
    expect(routeText('Jonas', { ...route, ...relay })).toBe(
      "Jonas is connected through the relay 203.0.113.9:443 (TCP), which can't read your files.",
    )
  })

  it('say how it ended', () => {
    const ended = { ...outcome, startedAtMs: 0, endedAtMs: 548_000 }
    expect(outcomeText(ended)).toBe('Verified. 61.9 GB in 9 min 8 s')
    expect(outcomeText({ ...ended, files: 1279, problems: 3 })).toBe(
      'Done with 3 problems · 1,279 files verified · 61.9 GB in 9 min 8 s',
    )
    expect(outcomeText({ ...ended, renamed: 1 })).toContain('1 file was renamed')
    expect(outcomeText({ ...ended, renamed: 2 })).toContain('2 files were renamed')
  })

  it('say how far it is', () => {
    const samples = Array.from({ length: 40 }, (_, index) => ({
      atMs: index * 250,
      bytes: index * 25_000_000,
    }))
    const progress = {
      files: 0,
      totalFiles: 2,
      bytes: 975e6,
      totalBytes: 19_975e6,
      transferred: 0,
      samples,
    }
    expect(progressText(progress, 9750)).toBe('4 % · 100 MB/s · 1.0 of 20.0 GB · 3 min 10 s left')
    expect(progressText({ ...progress, samples: [] }, 0)).toBe('4 % · 1.0 of 20.0 GB')
  })

  it('print the code alone on standard output, and how to use it beside', () => {
    const server = {
      phase: 'connected',
      url: 'wss://example.org/v1',
      embedded: false,
      insecure: false,
    } as const
    const { printed, notes } = inWords(opened, { atMs: 0, type: 'server-changed', server }, coded)
    expect(printed).toEqual([`Code: ${code}`])
    expect(notes).toEqual([
      `To receive: thru join ${code} --server-url wss://example.org`,
      'Ctrl-C ends the share. Files that you add to a folder later are not offered.',
    ])
  })

  it('say once and beside that the way to the server is not encrypted', () => {
    const url = 'ws://example.org/v1'
    const server = { phase: 'connected', url, embedded: false, insecure: true } as const
    const reached = { atMs: 0, type: 'server-changed', server } as const
    const { printed, notes } = inWords(opened, reached, reached)
    expect(printed).toEqual([])
    expect(notes).toEqual([expect.stringContaining('is not encrypted')])
    expect(jsonLine(reached, emptyState('/downloads'))).toEqual({ type: 'server', ...server })
  })

  it('print a code again only when it has changed', () => {
    const other = '5000-apple-river-stone'
    const { printed } = inWords(opened, coded, coded, { ...coded, code: other })
    expect(printed).toEqual([`Code: ${code}`, `Code: ${other}`])
  })

  it('tell a receiver from beginning to end', () => {
    const { notes } = inWords(
      ...[opened, joined, connected, accepted],
      ...[
        progressed(1000, 0),
        progressed(2000, 1e9),
        progressed(3000, 2e9),
        progressed(13_000, 31_000_000_000),
      ],
      finished,
    )
    expect(notes).toEqual([
      'Jonas is connected directly (IPv6).',
      'Jonas is reviewing your files.',
      'Jonas is receiving.',
      expect.stringMatching(/^Jonas 3 ?% · /),
      expect.stringMatching(/^Jonas 50 % · .* GB\/s · 31\.0 of 61\.9 GB · \d+ s left$/),
      'Jonas: Verified. 61.9 GB in 9 min 8 s',
    ])
  })

  it('do not speak of strangers, except that they had a wrong code', () => {
    const failed = (error: string): AppEvent => ({
      ...{ atMs: 3, type: 'receiver-failed', share, peer },
      error: appError(error as 'E_PEER_GONE'),
    })
    expect(inWords(opened, failed('E_PEER_GONE')).notes).toEqual([])
    expect(inWords(opened, failed('E_CODE_MISMATCH')).notes).toEqual([
      'Someone entered a wrong code.',
    ])
    expect(inWords(opened, joined, failed('E_PEER_GONE')).notes).toEqual([
      expect.stringMatching(/^A receiver stopped responding.*\[E_PEER_GONE\]$/),
    ])
  })
})

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

  it('tell what was met and what travelled, after the result', () => {
    const finishedNow: AppEvent = { atMs: 549_000, type: 'receive-finished', receive, outcome }
    expect(inWords(...begun, started, finishedNow).printed).toEqual([
      'Verified. 61.9 GB in 9 min 9 s',
      'Skipped identical: 3 · kept both: 2 · replaced: 1 · already received: 1.2 GB · transferred: 61.9 GB',
    ])
    expect(inWords(...begun, finishedNow).printed).toHaveLength(1)
  })

  it('tell each change of the flow once, and that it flows only after it did not', () => {
    const { notes } = inWords(
      ...[...begun, started, flow({ kind: 'flowing' }), flow({ kind: 'paused-by-peer' })],
      ...[flow({ kind: 'disk-full', need: 5e9 }), flow({ kind: 'disk-full', need: 4e9 })],
      flow({ kind: 'flowing' }),
    )
    expect(notes.slice(1)).toEqual([
      'Paused by them',
      'Waiting for disk space (5.0 GB)',
      'Receiving',
    ])
  })

  it('tell a lost connection, each attempt, and how to go on', () => {
    const error = appError('E_PEER_GONE')
    const lost = (attempt: number): AppEvent => ({
      ...{ atMs: 4, type: 'receive-lost', receive },
      ...{ attempt, error },
    })
    const interrupted: AppEvent = { atMs: 5, type: 'receive-interrupted', receive, error }
    const { notes } = inWords(...begun, started, lost(1), lost(2), interrupted)
    expect(notes.slice(1)).toEqual([
      expect.stringContaining('[E_PEER_GONE]'),
      'Reconnecting (try 1)',
      'Reconnecting (try 2)',
      expect.stringMatching(/^thru: .*\[E_PEER_GONE\]$/),
    ])
  })

  it('tell a stall and its reason', () => {
    const stalled = (reason: StallReason): AppEvent => ({
      ...{ atMs: 4, type: 'receive-stalled', receive },
      reason,
    })
    const { notes } = inWords(...begun, started, stalled('network'), stalled('none'))
    expect(notes.slice(1)).toEqual([`Nothing is moving: ${stallWords('network') ?? ''}.`])
  })

  it('tell that the other side is silent, and that a way through is looked for once more', () => {
    const stalled = (reason: StallReason): AppEvent => ({
      ...{ atMs: 4, type: 'receive-stalled', receive },
      reason,
    })
    const { notes } = inWords(begun[0] as AppEvent, stalled('no-route'), stalled('peer'))
    expect(notes.slice(-2)).toEqual([
      "Couldn't connect yet. Trying once more.",
      `Nothing is moving: ${stallWords('peer') ?? ''}.`,
    ])
  })

  it('print a text line by line', () => {
    const text: AppEvent = {
      ...{ atMs: 3, type: 'receive-text-arrived', receive },
      ...{ name: 'Note', text: 'one\r\ntwo\n\nthree' },
    }
    const { printed, notes } = inWords(...begun, text)
    expect(printed).toEqual(['one', 'two', '', 'three'])
    expect(notes.at(-1)).toBe('Text "Note":')
  })

  it('say nothing of room in a folder that can not be used', () => {
    const error = appError('E_TARGET_NOT_WRITABLE', 'EROFS')
    expect(surveyLines({ ...survey, error }, null)).toEqual([])
  })

  it('call a contact by the name that it has here', () => {
    const paper = new Paper()
    const reporter = new PlainReporter(paper)
    const bea: Contact = {
      ...{ id: 'b'.repeat(32) as ContactId, name: 'Bea', server: 'wss://example.org/v1' },
      ...{ addedMs: 1, lastUsedMs: null, autoAccept: null },
    }
    const ringing: AppEvent = { ...joined, contact: bea.id }
    const events: readonly AppEvent[] = [
      opened,
      ringing,
      { ...connected, name: 'vm' },
      accepted,
      finished,
    ]
    const before: AppState = { ...emptyState('/downloads'), contacts: [bea] }
    events.reduce((last, event) => {
      const state = reduce(last, event)
      reporter.tell(event, state)
      return state
    }, before)
    expect(paper.notes).toEqual([
      'Bea is connected directly (IPv6).',
      'Bea is reviewing your files.',
      'Bea is receiving.',
      'Bea: Verified. 61.9 GB in 9 min 8 s',
    ])
  })

  it('tell a survey: what is met, the room, and names', () => {
    expect(
      surveyLines(
        {
          ...{ ...survey, conflicts, resumedBytes: 2000, tooLarge: ['big.img'] },
          mappedCount: 1,
          mappedNames: [{ path: 'a:b', writtenAs: 'a_b' }],
        },
        'keep-both',
      ),
    ).toEqual([
      "3 files are already here (9 B) and won't be sent again",
      '3 files already exist with different content:',
      '  a',
      '  and 2 more',
      'Both versions are kept: the new ones become "name (2).ext" (--conflict).',
      '2.0 kB already received',
      'Needs 10 B, 7 B free',
      '1 file will be renamed, because its name is not possible here:',
      '  a:b as a_b',
      '1 file is too large for this file system:',
      '  big.img',
    ])
  })

  const named = (...paths: readonly string[]) =>
    paths.map((path) => ({ path, writtenAs: `${path}_` }))

  it('tell how many names a survey does not list', () => {
    const mappedNames = named('a', 'b', 'c', 'd', 'e', 'f', 'g')
    expect(surveyLines({ ...survey, mappedCount: 1234, mappedNames }, null).slice(-7)).toEqual([
      '1,234 files will be renamed, because their names are not possible here:',
      ...['  a as a_', '  b as b_', '  c as c_', '  d as d_', '  e as e_'],
      '  and 1,229 more',
    ])
  })

  it('tell names that are written differently when they come, but not twice', () => {
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
    reporter.survey(offer, { ...survey, mappedCount: 1, mappedNames: named('a') }, null)
    paper.notes.length = 0
    const events = [
      ...[...begun, startedWith(1, 'a'), added(3, 'b', 'c'), startedWith(3, 'a', 'b', 'c')],
      ...[added(4, 'd'), added(1234), finishedNow],
    ]
    events.reduce((before, event) => {
      const state = reduce(before, event)
      reporter.tell(event, state)
      return state
    }, emptyState('/downloads'))
    expect(paper.notes.slice(1)).toEqual([
      ...[
        '2 files will be renamed, because their names are not possible here:',
        '  b as b_',
        '  c as c_',
      ],
      ...['1 file will be renamed, because its name is not possible here:', '  d as d_'],
    ])
    expect(paper.printed[1]).toContain('renamed for this system: 1,234')
    // What nobody looked at before is told at the start.
    expect(inWords(...begun, startedWith(1, 'a')).notes.slice(1)).toEqual([
      ...['1 file will be renamed, because its name is not possible here:', '  a as a_'],
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

  it('tell who has reconnected', () => {
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

describe('JSON', () => {
  it('has one object for each step', () => {
    expect(
      inJson(
        ...[opened, coded, joined, connected, accepted, progressed(1000, 0)],
        ...[progressed(2000, 1000), finished, { atMs: 9, type: 'share-stopped', share } as const],
      ),
    ).toEqual([
      { type: 'code', code },
      { type: 'connected', peer, name: 'Jonas', route },
      { type: 'accepted', peer },
      expect.objectContaining({ type: 'progress', peer, bytes: 0, bytesPerSecond: null }),
      expect.objectContaining({ type: 'progress', peer, bytes: 1000, bytesPerSecond: 1000 }),
      { type: 'done', peer, ...outcome, durationMs: 548_000 },
      { type: 'stopped' },
    ])
  })

  it('has progress at most four times a second for each receiver', () => {
    const events = Array.from({ length: 100 }, (_, index) => progressed(index * 100, index))
    const lines = inJson(opened, joined, connected, accepted, ...events)
    expect(lines.filter((line) => (line as { type: string }).type === 'progress').length).toBe(34)
  })

  it('tells an offer and an error with stable names', () => {
    const items = [{ id: 0, name: 'a', kind: 'file', files: 1, bytes: 5 }] as const
    const totals = { files: 1, folders: 0, bytes: 5, complete: true }
    const error = appError('E_DISK_FULL', 'ENOSPC')
    expect(
      inJson(
        { atMs: 0, type: 'receive-opened', receive, code, transfer },
        { atMs: 1, type: 'receive-connected', receive, from: 'Mina', route },
        { atMs: 2, type: 'receive-offered', receive, title: 'a', items, totals },
        { atMs: 3, type: 'receive-failed', receive, error },
      ).slice(1),
    ).toEqual([
      {
        type: 'offer',
        from: 'Mina',
        title: 'a',
        items,
        files: 1,
        folders: 0,
        bytes: 5,
        leftOut: [],
      },
      {
        type: 'error',
        code: 'E_DISK_FULL',
        detail: 'ENOSPC',
        what: expect.any(String) as string,
        remedy: expect.any(String) as string,
      },
    ])
  })

  it('is safe to print and still says the same', () => {
    const name = 'a\u001b[2J\u009b\u202eb'
    const paper = report(
      (terminal) => new JsonReporter(terminal),
      [opened, joined, { ...connected, name }],
    )
    const [text = ''] = paper.printed
    expect(visibleText(text)).toBe(text)
    expect(JSON.parse(text)).toMatchObject({ name })
  })
})
