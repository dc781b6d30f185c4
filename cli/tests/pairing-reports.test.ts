import { describe, expect, it } from 'vitest'
import { appError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import {
  emptyState,
  type PeerId,
  type ReceiveId,
  type Route,
  type ShareId,
  type TransferId,
} from '#shared/state/app-state'
import { reduce } from '#shared/state/reduce'
import { allFetched } from '#shared/testing/figures'
import { ConnectionTiming } from '../report/connection-timing'
import { JsonReporter } from '../report/json-reporter'
import { PlainReporter } from '../report/plain-reporter'
import type { Reporter } from '../report/reporter'
import type { Terminal } from '../terminal/terminal'
import { opened, Paper } from './paper'

const share = 's1' as ShareId
const receive = 'r1' as ReceiveId
const peer = 'p1' as PeerId
const transfer = 'a'.repeat(32) as TransferId
const code = '4821-apple-river-stone'
const route: Route = {
  kind: 'direct',
  family: 4,
  transport: 'udp',
  remote: '203.0.113.7:5000',
  relay: '',
}

/** A reporter's lines, with results and notes together. */
function reported(make: (terminal: Terminal) => Reporter, report: (reporter: Reporter) => void) {
  const lines: string[] = []
  const line = (text: string): void => {
    lines.push(text)
  }
  const terminal = {
    ...{ out: line, note: line, isInteractive: false, canAsk: false },
  } as unknown as Terminal
  report(make(terminal))
  return lines
}

const reportAll =
  (...events: readonly AppEvent[]) =>
  (reporter: Reporter): void => {
    for (const event of events) reporter.report(event, emptyState('/'))
  }

const inWords = (...events: readonly AppEvent[]) =>
  reported((terminal) => new PlainReporter(terminal), reportAll(...events))
const inJson = (...events: readonly AppEvent[]) =>
  reported((terminal) => new JsonReporter(terminal), reportAll(...events)).map((text): unknown =>
    JSON.parse(text),
  )

/** A reporter's lines for events, each of which is first applied to the state. */
const ofState = (make: (terminal: Terminal) => Reporter, events: readonly AppEvent[]) =>
  reported(make, (reporter) => {
    let state = emptyState('/')
    for (const event of events) {
      state = reduce(state, event)
      reporter.report(event, state)
    }
  })

const guessed = (wrong: number, locked = false): AppEvent => ({
  atMs: 1,
  type: 'share-guessed',
  share,
  guesses: { wrong, locked, spent: false },
})
const ended: AppEvent = { atMs: 1, type: 'share-code-ended', share, why: 'expired' }
const error: AppEvent = {
  ...{ atMs: 1, type: 'storage-failed' },
  storageError: { file: '/state/transfers.json', kind: 'newer', detail: 'version 9' },
}
const paired: AppEvent = { atMs: 1, type: 'receive-paired', receive, safety: '482913' }
const joined: AppEvent = { atMs: 1, type: 'receiver-joined', share, peer, safety: '482913' }

describe('wrong words', () => {
  it('are reported when they become many, and when they reach the limit', () => {
    const lines = inWords(guessed(1), guessed(4), guessed(5), guessed(6), guessed(50, true))
    const one = 'Someone entered a wrong code.'
    expect(lines).toEqual([
      ...[one, one, expect.stringContaining('5 wrong attempts') as string, one],
      expect.stringContaining('Create a new code'),
    ])
  })

  it('are reported in JSON, like the end of a code', () => {
    expect(inJson(guessed(5), ended, error)).toEqual([
      { type: 'guesses', wrong: 5, locked: false, spent: false },
      { type: 'code-ended', why: 'expired' },
      { type: 'storage', file: '/state/transfers.json', kind: 'newer', detail: 'version 9' },
    ])
  })

  it('are reported when even a new code would not help', () => {
    const spent: AppEvent = {
      ...{ atMs: 1, type: 'share-guessed', share },
      guesses: { wrong: 50, locked: true, spent: true },
    }
    expect(inWords(guessed(50, true), spent).at(-1)).toContain('Create a new share')
  })

  it('are reported with strangers that try to join, whose end has a line in JSON', () => {
    const load = (isHigh: boolean): AppEvent => ({
      ...{ atMs: 1, type: 'share-unauthenticated-load', share },
      high: isHigh,
    })
    expect(inWords(load(true), load(false))).toHaveLength(1)
    expect(inWords(load(true)).join()).toContain('Many strangers are trying to join')
    expect(inJson(load(true), load(false))).toEqual([
      { type: 'unauthenticated-load', high: true },
      { type: 'unauthenticated-load', high: false },
    ])
  })

  it('of another version are reported, because it is no typing error', () => {
    const error = { code: 'E_PEER_VERSION', detail: '' } as const
    const lines = inWords({ atMs: 1, type: 'receiver-failed', share, peer, error })
    expect(lines.join()).toContain('Install the newest version of Thruflux')
  })
})

it('CFG-04 trouble with a file is reported once, with its name', () => {
  expect(inWords(error).join()).toContain('/state/transfers.json')
})

describe('the safety number', () => {
  it('is reported only with --safety-number', () => {
    expect(inWords(paired)).toEqual([])
    expect(inJson(paired, joined)).toEqual([])
    const asked = { safetyNumber: true }
    const words = reported((terminal) => new PlainReporter(terminal, asked), reportAll(paired))
    expect(words.join()).toContain('482 913')
    const json = reported(
      (terminal) => new JsonReporter(terminal, asked),
      reportAll(paired, joined),
    )
    expect(json.map((text): unknown => JSON.parse(text))).toEqual([
      { type: 'safety-number', receive: 'r1', number: '482913' },
      { type: 'safety-number', peer: 'p1', number: '482913' },
    ])
  })
})

it('a receiver that waits for approval sees the number that the sender compares', () => {
  const from = { atMs: 1, type: 'receive-connected', receive, from: 'Mina', route } as const
  const by = { atMs: 0, type: 'receive-opened', receive, code, transfer } as const
  const asked: AppEvent[] = [
    by,
    paired,
    from,
    { atMs: 2, type: 'receive-approval-requested', receive },
  ]
  expect(ofState((terminal) => new PlainReporter(terminal), asked).slice(-2)).toEqual([
    'Waiting for Mina to let you in',
    'Safety number: 482 913. The sender should see the same one. Compare it by voice.',
  ])
  const json = ofState((terminal) => new JsonReporter(terminal), asked).at(-1) ?? ''
  expect(JSON.parse(json)).toEqual({ type: 'approval-requested', receive: 'r1', number: '482913' })
})

describe('the timing of a connection', () => {
  const counters = { files: 0, bytes: 0, totalFiles: 1, totalBytes: 1, ...allFetched }
  const server = { phase: 'connected', url: 'ws://x/v1', embedded: false, insecure: false } as const
  const totals = { files: 1, folders: 0, bytes: 1, complete: true }
  const all: readonly AppEvent[] = [
    { atMs: 100, type: 'receive-opened', receive, code, transfer },
    { atMs: 112, type: 'server-changed', server },
    { atMs: 120, type: 'receive-found', receive },
    { atMs: 150, type: 'receive-paired', receive, safety: '482913' },
    { atMs: 250, type: 'receive-reached', receive },
    { atMs: 251, type: 'receive-connected', receive, from: 'Mina', route },
    { atMs: 260, type: 'receive-offered', receive, title: 'a', items: [], totals },
    { atMs: 1260, type: 'receive-accepted', receive, directory: '/d' },
    { atMs: 1261, type: 'receive-progressed', receive, counters: { ...counters, transferred: 0 } },
    { atMs: 1300, type: 'receive-progressed', receive, counters: { ...counters, transferred: 1 } },
    { atMs: 9000, type: 'receive-reached', receive },
  ]

  const timed = (events: readonly AppEvent[]) => {
    const timing = new ConnectionTiming()
    for (const event of events) timing.record(event)
    return timing.steps()
  }

  it('measures each step of the first connection from the one before', () => {
    expect(timed(all)).toEqual([
      { step: 'server', ms: 12 },
      { step: 'code', ms: 8 },
      { step: 'pairing', ms: 30 },
      { step: 'path', ms: 100 },
      { step: 'offer', ms: 10 },
      { step: 'accepted', ms: 1000 },
      { step: 'first-byte', ms: 40 },
    ])
  })

  it('ends where the connection did', () => {
    expect(timed(all.slice(0, 3)).map(({ step }) => step)).toEqual(['server', 'code'])
    expect(timed([])).toEqual([])
  })

  it('is reported in words and in JSON', () => {
    const steps = timed(all.slice(0, 3))
    const words = reported(
      (terminal) => new PlainReporter(terminal),
      (one) => one.timing(steps),
    )
    expect(words).toEqual(['server reached 12 ms', 'code found     8 ms', 'total          20 ms'])
    const json = reported(
      (terminal) => new JsonReporter(terminal),
      (one) => one.timing(steps),
    )
    expect(json).toEqual(['{"type":"timing","ms":{"server":12,"code":8}}'])
  })
})

describe('a server that fails', () => {
  it('is reported once if a share ends with that error', () => {
    const error = appError('E_SERVER_PASSWORD', 'the password is wrong', 'example.org')
    const server = { phase: 'unreachable', url: 'wss://example.org/v1', error } as const
    const failed = { atMs: 0, type: 'server-changed', server } as const
    const notesWith = (...events: readonly AppEvent[]) => {
      const paper = new Paper()
      const reporter = new PlainReporter(paper)
      let state = emptyState('/in')
      for (const event of events) {
        state = reduce(state, event)
        reporter.report(event, state)
      }
      reporter.fail(error)
      return paper.notes.filter((line) => line.includes("doesn't accept your password"))
    }
    expect(notesWith(opened, failed)).toHaveLength(1)
    expect(notesWith(failed)).toHaveLength(1)
    expect(notesWith()).toHaveLength(1)
  })

  it('is reported by a receive only before its search ends', () => {
    const error = appError('E_SERVER_PASSWORD', 'the password is wrong', 'example.org')
    const server = { phase: 'unreachable', url: 'wss://example.org/v1', error } as const
    const paper = new Paper()
    const reporter = new PlainReporter(paper)
    const notesAfter = (event: AppEvent): readonly string[] => {
      reporter.report(event, emptyState('/in'))
      return paper.notes
    }
    const first = notesAfter({ atMs: 0, type: 'server-changed', server })
    expect(first).toEqual([expect.stringMatching(/^thru: .*--server-password-file/)])
    expect(notesAfter({ atMs: 1, type: 'receive-failed', receive, error })).toEqual(first)
  })
})
