import { expect, it } from 'vitest'
import type { TransferId } from '#shared/state/app-state'
import { resumeHintLines } from '../../report/resume-hint'

const first = 'a'.repeat(32) as TransferId
const second = 'b'.repeat(32) as TransferId
const remembered = [{ transfer: first }, { transfer: second }]

it('explains how to resume a stopped receive or clean up after it', () => {
  expect(resumeHintLines(remembered, second, null)).toEqual([
    'Unfinished files stay hidden as ".~thru-….part" until you resume.',
    'Resume: thru resume 2',
    'Delete the partial files: thru resume --delete 2',
  ])
})

it.each(['E_STOPPED', 'E_PEER_GONE'] as const)(
  'names both ways after %s: the sender may return with the same code',
  (code) => {
    const lines = resumeHintLines(remembered, first, code)
    expect(lines).toContain('Resume: thru resume 1')
    expect(lines).toContain('Resume with a new code from the sender: thru resume 1 NEWCODE')
  },
)

it('is empty if there is nothing to resume', () => {
  expect(resumeHintLines([], first, null)).toEqual([])
})
