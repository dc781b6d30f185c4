import { expect, it } from 'vitest'
import type { Conflict } from '#shared/offer'
import { decisionOf, withDecision } from '../view/conflict-choices'

const conflict = (path: string, offeredIsNewer = false, replaced = false): Conflict => ({
  ...{ path, bytes: 2, thereBytes: 1, mtimeMs: 2, thereMtimeMs: 1 },
  ...{ offeredIsNewer, replaced },
})

it('a file follows the rule until a decision is made for it', () => {
  const rule = { conflict: 'skip', choices: [] } as const
  expect(decisionOf(conflict('a'), rule)).toBe('skip')
  const choices = withDecision([], 'a', 'replace')
  expect(decisionOf(conflict('a'), { ...rule, choices })).toBe('replace')
  expect(decisionOf(conflict('b'), { ...rule, choices })).toBe('skip')
})

it('the rule about older files gives replace or skip for each', () => {
  const rule = { conflict: 'replace-older', choices: [] } as const
  expect(decisionOf(conflict('a', true), rule)).toBe('replace')
  expect(decisionOf(conflict('a', false), rule)).toBe('skip')
})

it('a decision replaces the earlier one', () => {
  const once = withDecision(withDecision([], 'a', 'replace'), 'b', 'skip')
  expect(withDecision(once, 'a', 'keep-both')).toEqual([
    { path: 'b', policy: 'skip' },
    { path: 'a', policy: 'keep-both' },
  ])
})

it('a file that the sender may update is replaced, and otherwise both are kept', () => {
  const rule = { conflict: 'update-unchanged', choices: [] } as const
  expect(decisionOf(conflict('a', false, true), rule)).toBe('replace')
  expect(decisionOf(conflict('a', true, false), rule)).toBe('keep-both')
})
