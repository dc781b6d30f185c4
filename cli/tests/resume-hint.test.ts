import { expect, it } from 'vitest'
import type { TransferId } from '#shared/app-state'
import { resumeHintLines } from '../resume-hint'

const first = 'a'.repeat(32) as TransferId
const second = 'b'.repeat(32) as TransferId
const remembered = [{ transfer: first }, { transfer: second }]

it('names how a stopped receive is continued or cleaned up', () => {
  expect(resumeHintLines(remembered, second, null)).toEqual([
    'Finished files are kept. Unfinished ones stay hidden as ".~thru-….part" until you resume.',
    'Resume: thru resume 2',
    'Delete the partial files: thru resume --forget 2',
  ])
})

it('asks for a new code when the sender has stopped', () => {
  const lines = resumeHintLines(remembered, first, 'E_STOPPED')
  expect(lines).toContain('Resume with a new code from the sender: thru resume 1 NEWCODE')
  expect(lines).not.toContain('Resume: thru resume 1')
})

it('names both when the sender may return', () => {
  const lines = resumeHintLines(remembered, first, 'E_PEER_GONE').join()
  expect(lines).toContain('thru resume 1,')
  expect(lines).toContain('thru resume 1 NEWCODE')
})

it('says nothing when there is nothing to continue', () => {
  expect(resumeHintLines([], first, null)).toEqual([])
})
