import { describe, expect, it } from 'vitest'
import { appError } from '#shared/errors'
import {
  contentLabel,
  endNotes,
  hasAll,
  receiveLabel,
  receiverLabel,
  shareLabel,
  stallLabel,
} from '#shared/labels'
import type { FlowState, Receive, Receiver, Share } from '#shared/state/app-state'
import { allNew, oneFile } from '#shared/testing/figures'

const begun = {
  from: '',
  attempt: 0,
  flow: { kind: 'flowing' },
  outcome: null,
  error: null,
} as const
const flow = (state: FlowState) => ({ phase: state.kind as Receive['phase'], flow: state })
const outcome = (problems: number) => ({ ...oneFile, problems }) as Receive['outcome']

it.each<readonly [Partial<Receive>, string]>([
  [{ phase: 'looking-up' }, 'Preparing'],
  [{ phase: 'connecting' }, 'Connecting'],
  [{ phase: 'listing' }, 'Preparing'],
  [{ phase: 'offered' }, 'Waiting for your answer'],
  [{ phase: 'preparing' }, 'Preparing'],
  [{ phase: 'receiving' }, 'Receiving'],
  [{ phase: 'finishing', flow: { kind: 'finishing' } }, 'Finishing'],
  [flow({ kind: 'paused' }), 'Paused by you'],
  [flow({ kind: 'paused-by-peer' }), 'Paused by the other side'],
  [flow({ kind: 'disk-full', need: 3.1e9 }), 'Waiting for 3.1 GB of disk space'],
  [flow({ kind: 'disk-full', need: 1, full: 'quota' }), 'Waiting: your disk quota is used up'],
  [flow({ kind: 'disk-full', need: 1, full: 'files' }), "Waiting: this disk can't hold more files"],
  [flow({ kind: 'peer-disk-full', need: 500 }), 'Waiting for 500 B of space on their disk'],
  [flow({ kind: 'peer-disk-full', need: 0 }), 'Waiting for room on their disk'],
  [{ phase: 'reconnecting', attempt: 3 }, 'Reconnecting (attempt 3)'],
  [{ phase: 'interrupted' }, 'Interrupted'],
  [{ phase: 'done', outcome: outcome(0) }, 'Received and verified'],
  [{ phase: 'done', outcome: outcome(1) }, 'Done with 1 problem'],
  [{ phase: 'failed', error: appError('E_CANCELLED') }, 'Canceled'],
  [{ phase: 'failed', error: appError('E_DECLINED') }, 'Declined'],
  [{ phase: 'failed', error: appError('E_STOPPED') }, 'Stopped by the other side'],
  [{ phase: 'failed', error: appError('E_DISK_IO') }, 'Failed'],
])('a receive that is %j says %j', (receive, words) => {
  expect(receiveLabel({ ...begun, ...receive } as Receive)).toBe(words)
})

it.each<readonly [Partial<Receiver>, string]>([
  [{ phase: 'connecting' }, 'Connecting'],
  [{ phase: 'deciding', reconnections: 0 }, 'Deciding'],
  [{ phase: 'deciding', reconnections: 1 }, 'Reconnected'],
  [{ phase: 'receiving' }, 'Sending'],
  [{ phase: 'paused-by-peer', flow: { kind: 'paused-by-peer' } }, 'Paused by the other side'],
  [{ phase: 'interrupted' }, 'Interrupted'],
  [{ phase: 'done', outcome: outcome(2) }, 'Done with 2 problems'],
  [{ phase: 'failed', error: null }, 'Failed'],
])('a receiver that is %j says %j', (receiver, words) => {
  expect(receiverLabel({ ...begun, ...receiver } as Receiver)).toBe(words)
})

it.each<readonly [Partial<Share>, string]>([
  [{ phase: 'opening' }, 'Preparing'],
  [{ phase: 'open', receivers: [{ phase: 'deciding' } as Receiver] }, 'Waiting'],
  [{ phase: 'open', receivers: [{ phase: 'receiving' } as Receiver] }, 'Sending'],
  [{ phase: 'open', paused: true, receivers: [] }, 'Paused by you'],
  [{ phase: 'reconnecting' }, 'Reconnecting'],
  [{ phase: 'stopped' }, 'Stopped'],
  [{ phase: 'failed', error: appError('E_NOTHING_TO_SEND') }, 'Failed'],
])('a share that is %j says %j', (share, words) => {
  expect(shareLabel(share as Share)).toBe(words)
})

describe('a stall', () => {
  it('has a reason in words, unless there is none', () => {
    expect(stallLabel('none')).toBeNull()
    const reasons = ['network', 'relay', 'peer-disk', 'own-disk', 'source', 'limit'] as const
    expect(new Set(reasons.map(stallLabel)).size).toBe(reasons.length)
  })
})

it('names texts separately from files', () => {
  expect(contentLabel(3, 0)).toBe('3 files')
  expect(contentLabel(3, 1)).toBe('2 files and 1 text')
  expect(contentLabel(2, 2)).toBe('2 texts')
  expect(contentLabel(0, 0)).toBe('0 files')
})

it('calls nothing verified if no file was offered', () => {
  const outcome = { ...oneFile, startedAtMs: 0, endedAtMs: 1 }
  const none = { ...outcome, files: 0, bytes: 0, offeredFiles: 0 }
  expect(receiveLabel({ ...begun, phase: 'done', outcome } as Receive)).toBe(
    'Received and verified',
  )
  expect(receiveLabel({ ...begun, phase: 'done', outcome: none } as Receive)).toBe(
    'Done: no files were offered',
  )
})

it('describes the end by existing files, their comparison, and the wanted part', () => {
  const figures = { files: 3, bytes: 30, problems: 0, ...allNew }
  expect(endNotes(figures, 'receiver')).toEqual([])
  expect(hasAll(figures)).toBe(true)
  const before = { ...figures, identical: 2, identicalBytes: 20 }
  expect(endNotes(before, 'sender')).toEqual(['2 files were already there (same content)'])
  expect(hasAll(before)).toBe(true)
  const part = { ...before, uncompared: 2, offeredFiles: 9, unwantedFiles: 6 }
  expect(endNotes(part, 'receiver')).toEqual([
    '2 files were already here (same size and time, not compared)',
    '3 of 9 files, your choice',
  ])
  expect(hasAll({ ...before, uncompared: 1 })).toBe(false)
  expect(hasAll({ ...figures, unwantedFiles: 1 })).toBe(false)
  expect(hasAll({ ...figures, problems: 1 })).toBe(false)
})
