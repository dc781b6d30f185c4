import { describe, expect, it } from 'vitest'
import { describeSenderEnd } from '#shared/describe-peer'
import { appError } from '#shared/errors'
import { defaultReceiveOptions, selectAll } from '#shared/settings/receive-options'
import {
  emptyState,
  type FlowState,
  type ResumableReceive,
  type TransferId,
} from '#shared/state/app-state'
import { canPause, errorDetails, interrupted, receiveSentence } from '../view/receive-view'
import { averageSpeed, took, withoutStop } from '../view/sentence'
import { allBefore, now, outcome, progress, receive, someBefore } from './states'

describe('receiveSentence', () => {
  const gone = withoutStop(describeSenderEnd(appError('E_PEER_GONE'), 'Mina Park').what)
  const failed = (code: 'E_CANCELLED' | 'E_PEER_GONE') => ({
    phase: 'failed' as const,
    error: appError(code),
  })

  const held = (flow: FlowState) =>
    receive({ flow, phase: flow.kind === 'paused' ? 'paused' : 'paused-by-peer' })

  it.each([
    [receive({ phase: 'looking-up' }), 'Preparing · finding the share'],
    [receive({ phase: 'connecting' }), 'Connecting · trying a direct connection'],
    [receive({ phase: 'listing', totals: null }), 'Preparing · reading the file list'],
    [receive({ phase: 'listing' }), 'Preparing · reading the file list · 10 files so far'],
    [
      receive({ phase: 'connecting', stall: 'no-route' }),
      'Connecting · trying a direct connection · no connection yet, trying again',
    ],
    [
      receive({ phase: 'listing', stall: 'peer', totals: null }),
      "Preparing · reading the file list · the other computer isn't responding",
    ],
    [
      receive({ phase: 'finishing', flow: { kind: 'finishing' }, stall: 'own-disk' }),
      "Finishing · this computer's disk is busy · 0.5 of 1.0 kB",
    ],
    [
      receive({ phase: 'approving', from: 'Mina', safety: '482913' }),
      'Waiting for Mina to let you in · Safety number 482 913 · the sender sees the same one',
    ],
    [receive({ phase: 'offered' }), 'Waiting for your answer'],
    [receive({ phase: 'preparing' }), 'Preparing · checking the folder'],
    [receive({ progress: null }), 'Receiving'],
    [receive(), 'Receiving · 50% · 10 B/s · 0.5 of 1.0 kB · 1 of 10 files · 50 s left'],
    [
      receive({ stall: 'own-disk' }),
      "Receiving · this computer's disk is busy · 50% · 0.5 of 1.0 kB",
    ],
    [held({ kind: 'paused' }), 'Paused by you · 0.5 of 1.0 kB received'],
    [
      held({ kind: 'paused-by-peer' }),
      'Paused by the other side · resumes when they do · 50% · 0.5 of 1.0 kB',
    ],
    [
      held({ kind: 'disk-full', need: 3e9 }),
      'Waiting for 3.0 GB of disk space · resumes automatically · 50% · 0.5 of 1.0 kB',
    ],
    [
      receive({ phase: 'reconnecting', attempt: 2 }),
      'Reconnecting (attempt 2) · nothing is lost · 0.5 of 1.0 kB received',
    ],
    [receive({ phase: 'interrupted' }), 'Interrupted · 0.5 of 1.0 kB received'],
    [receive({ phase: 'done', outcome: outcome() }), 'Received and verified · 1.0 kB in 10 s'],
    [
      receive({ phase: 'done', outcome: { ...outcome(), ...someBefore } }),
      'Received and verified · 600 B in 10 s · 4 files were already here (same size and time, not compared)',
    ],
    [
      receive({ phase: 'done', outcome: { ...outcome(), ...allBefore } }),
      'Nothing new · 10 files were already here (same content)',
    ],
    [receive({ phase: 'done', outcome: outcome(1) }), 'Done with 1 problem · 1.0 kB in 10 s'],
    [receive(failed('E_CANCELLED')), 'Canceled · 0.5 of 1.0 kB received'],
    [
      receive({ ...failed('E_PEER_GONE'), progress: progress(0) }),
      `Failed · ${gone} · nothing was saved`,
    ],
  ])('%#', (which, expected) => {
    const { lead, rest } = receiveSentence(which, now)
    expect([lead, ...rest].filter((part) => part !== '').join(' · ')).toBe(expected)
  })
})

describe('canPause', () => {
  it('is true only while it runs or reconnects', () => {
    expect(canPause(receive())).toBe(true)
    expect(canPause(receive({ phase: 'reconnecting' }))).toBe(true)
    expect(canPause(receive({ phase: 'offered' }))).toBe(false)
    expect(canPause(receive({ phase: 'interrupted' }))).toBe(false)
  })
})

describe('interrupted', () => {
  const entry = (transfer: string): ResumableReceive => ({
    transfer: transfer as TransferId,
    title: 'Kyoto',
    from: 'Mina Park',
    directory: '/d',
    options: defaultReceiveOptions,
    selection: selectAll,
    changes: [],
    bytes: 500,
    totalBytes: 1000,
    lastSeenMs: now,
    hasResumeKey: false,
  })

  it('omits those that a row or card already shows', () => {
    const shown = receive({ phase: 'interrupted' })
    const other = entry('c'.repeat(32))
    const resumableReceives = [entry(shown.transfer), other]
    expect(interrupted({ ...emptyState('/d'), resumableReceives, receives: [shown] })).toEqual([
      other,
    ])
    expect(interrupted({ ...emptyState('/d'), resumableReceives })).toEqual(resumableReceives)
  })
})

describe('withoutStop', () => {
  it('removes the full stop of a sentence before other facts', () => {
    expect(withoutStop('Mina Park stopped sharing.')).toBe('Mina Park stopped sharing')
    expect(withoutStop('Mina Park')).toBe('Mina Park')
  })
})

describe('errorDetails', () => {
  it('lists only known facts', () => {
    expect(errorDetails(appError('E_PEER_GONE'))).toBe('error    E_PEER_GONE')
    expect(errorDetails(appError('E_DISK_IO', 'EIO', '/x'))).toBe(
      'error    E_DISK_IO\nabout    /x\ndetail   EIO',
    )
  })

  it('escapes invisible characters', () => {
    expect(errorDetails(appError('E_STOPPED', 'a\u202eb', 'c\nd'))).toBe(
      'error    E_STOPPED\nabout    c\\u{a}d\ndetail   a\\u{202e}b',
    )
  })
})

describe('an outcome', () => {
  it('gives its duration and speed', () => {
    expect(took(outcome())).toBe('10 s')
    expect(averageSpeed(outcome(), 0)).toBe('100 B/s')
  })

  it('has words for a transfer of less than a second', () => {
    const atOnce = { ...outcome(), startedAtMs: now, endedAtMs: now }
    expect(took(atOnce)).toBe('less than a second')
    expect(averageSpeed(atOnce, 0)).toBeNull()
  })
})
