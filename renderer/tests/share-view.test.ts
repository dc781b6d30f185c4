import { describe, expect, it } from 'vitest'
import { describeError } from '#shared/describe-error'
import { describeReceiverEnd } from '#shared/describe-peer'
import { appError } from '#shared/errors'
import type { Receiver } from '#shared/state/app-state'
import { type Sentence, withoutStop } from '../view/sentence'
import {
  receiverQuestion,
  receiverRows,
  receiverSentence,
  rowSentence,
  shareFraction,
  shareSentence,
  shareSummary,
} from '../view/share-view'
import { allBefore, now, outcome, progress, receiver, route, share } from './states'

const words = ({ lead, rest }: Sentence) =>
  [lead, ...rest].filter((part) => part !== '').join(' · ')

describe('shareSummary', () => {
  const note = { id: 0, name: 'Text', kind: 'text', files: 1, bytes: 10 } as const
  const photos = { id: 1, name: 'photos', kind: 'folder', files: 9, bytes: 990 } as const
  const totals = { files: 12_480, folders: 3, bytes: 84.2e9, complete: false }

  it.each([
    [share({ totals: { ...totals, files: 0, bytes: 0 } }), 'Counting files'],
    [share({ totals }), '12,480 files · 84.2 GB · still counting'],
    [share(), '10 files · 1.0 kB · shared just now'],
    [share({ items: [note, photos] }), '9 files and 1 text · 1.0 kB · shared just now'],
    [share({ items: [note] }), '1.0 kB · shared just now'],
    [
      share({ resumed: true, textsGone: 2, items: [photos] }),
      '10 files · 1.0 kB · resumed just now · 2 texts are no longer shared',
    ],
    [share({ textsGone: 2, items: [note] }), '1.0 kB · shared just now'],
    [share({ startedAtMs: now - 14.5 * 60_000 }), '10 files · 1.0 kB · shared 14 min ago'],
    [share({ startedAtMs: now - 26.5 * 3_600_000 }), '10 files · 1.0 kB · shared 1 d 2 h ago'],
  ])('%#', (which, expected) => {
    expect(shareSummary(which, now)).toBe(expected)
  })
})

describe('receiverRows', () => {
  it('list connected receivers first, and what a computer has ended in one row', () => {
    const done = (id: string, name: string) =>
      receiver({ peer: id as Receiver['peer'], name, phase: 'done', outcome: outcome() })
    const live = receiver({ peer: 'p4' as Receiver['peer'], name: 'vm' })
    const of = share({
      receivers: [done('p1', 'vm'), done('p2', 'vm (2)'), done('p3', 'vm'), live],
    })
    const rows = receiverRows(of)
    expect(rows.map(({ receiver: { peer }, ends }) => [peer, ends])).toEqual([
      ['p4', 0],
      ['p3', 2],
      ['p2', 1],
    ])
    expect(rows.map((row) => words(rowSentence(row, now)).includes('joined 2 times'))).toEqual([
      ...[false, true, false],
    ])
  })
})

describe('shareSentence', () => {
  const done = receiver({ phase: 'done', outcome: outcome() })

  it.each([
    [share({ phase: 'opening', code: null }), 'Preparing · 10 files · 1.0 kB · shared just now'],
    [share(), 'Waiting · 4821-apple-river-stone'],
    [
      share({ paused: true, receivers: [receiver({ progress: null })] }),
      'Paused by you · 1 person',
    ],
    [share({ receivers: [receiver()] }), 'Sending · 1 person · 50% · 10 B/s · 50 s left'],
    [share({ receivers: [receiver({ phase: 'deciding', progress: null })] }), 'Waiting · 1 person'],
    [share({ receivers: [done] }), 'Waiting · 1 person has finished'],
    [
      share({
        phase: 'stopped',
        receivers: [done, done, receiver({ name: 'Jonas', phase: 'failed' })],
      }),
      'Stopped · 1 of 2 people has finished',
    ],
    [share({ phase: 'stopped' }), 'Stopped · no one joined'],
    [share({ phase: 'reconnecting' }), 'Reconnecting · new people have to wait'],
    [
      share({ phase: 'reconnecting', receivers: [receiver()] }),
      'Reconnecting · current transfers continue',
    ],
    [
      share({ phase: 'failed', error: appError('E_NOTHING_TO_SEND') }),
      `Failed · ${withoutStop(describeError(appError('E_NOTHING_TO_SEND')).what)}`,
    ],
  ])('%#', (which, expected) => {
    expect(words(shareSentence(which, now))).toBe(expected)
  })
})

describe('receiverQuestion', () => {
  it('says that a receiver is in a browser', () => {
    expect(receiverQuestion(receiver({ phase: 'approving' })).rest).toHaveLength(1)
    const { rest } = receiverQuestion(receiver({ phase: 'approving', browser: true }))
    expect(rest[0]).toBe('in a browser')
  })
})

describe('receiverSentence', () => {
  const relay = { ...route, kind: 'relay', relay: 'relay.example.org' } as const

  it.each([
    [receiver({ phase: 'connecting' }), 'Connecting · trying a direct connection', 'accent'],
    [receiver({ phase: 'deciding' }), 'Deciding · reviewing your files', 'plain'],
    [receiver({ progress: null }), 'Sending', 'plain'],
    [receiver(), 'Sending · 50% · 0.5 of 1.0 kB · 50 s left', 'plain'],
    [
      receiver({ route: relay }),
      'Sending · 50% · 0.5 of 1.0 kB · 50 s left · via relay.example.org',
      'plain',
    ],
    [
      receiver({ stall: 'network' }),
      'Sending · no data is getting through · 50% · 0.5 of 1.0 kB',
      'warning',
    ],
    [
      receiver({ phase: 'finishing', flow: { kind: 'finishing' }, progress: progress(1000) }),
      'Finishing · 1.0 of 1.0 kB',
      'accent',
    ],
    [
      receiver({ phase: 'paused', flow: { kind: 'paused' } }),
      'Paused by you · 0.5 of 1.0 kB received',
      'plain',
    ],
    [receiver({ phase: 'interrupted' }), 'Interrupted · resumes if they reconnect', 'warning'],
    [
      receiver({ phase: 'done', outcome: outcome() }),
      'Received and verified · 1.0 kB in 10 s',
      'success',
    ],
    [
      receiver({ phase: 'done', outcome: { ...outcome(), offeredFiles: 30, unwantedFiles: 20 } }),
      'Received and verified · 1.0 kB in 10 s · 10 of 30 files, their choice',
      'success',
    ],
    [
      receiver({ phase: 'done', outcome: { ...outcome(), ...allBefore } }),
      'Nothing new · 10 files were already there (same content)',
      'plain',
    ],
    [
      receiver({ phase: 'done', outcome: outcome(3) }),
      'Done with 3 problems · 1.0 kB in 10 s',
      'warning',
    ],
    [receiver({ phase: 'failed', error: appError('E_DECLINED') }), 'Declined', 'plain'],
    [receiver({ phase: 'failed', error: appError('E_CANCELLED') }), 'Canceled', 'plain'],
    [
      receiver({ phase: 'failed', error: appError('E_PEER_GONE') }),
      `Failed · ${withoutStop(describeReceiverEnd(appError('E_PEER_GONE'), receiver()).what)}`,
      'danger',
    ],
  ])('%#', (which, expected, tone) => {
    const said = receiverSentence(which, now)
    expect(words(said)).toBe(expected)
    expect(said.tone).toBe(tone)
  })
})

describe('shareFraction', () => {
  it('combines all receivers that can still finish', () => {
    const receivers = [
      receiver({ progress: progress(500) }),
      receiver({ progress: progress(100) }),
      receiver({ phase: 'failed', progress: progress(10) }),
    ]
    expect(shareFraction(share({ receivers }))).toBeCloseTo(0.3)
    expect(shareFraction(share())).toBe(0)
  })
})
