import { expect, it } from 'vitest'
import { endHeaviest } from '#signaling/limits/held-bytes'

/** The ended clients by their held bytes, heaviest first. */
function ended(held: readonly number[], most: number): readonly number[] {
  const cut: number[] = []
  const holders = held.map((heldBytes) => ({ heldBytes, terminate: () => cut.push(heldBytes) }))
  expect(endHeaviest(holders, most)).toBe(cut.length)
  return cut
}

it('ends no client while all fit', () => {
  expect(ended([10, 20, 30], 60)).toEqual([])
})

it('ends the heaviest clients, and no more than necessary', () => {
  expect(ended([10, 20, 30, 0], 59)).toEqual([30])
  expect(ended([10, 20, 30, 0], 29)).toEqual([30, 20])
  expect(ended([10, 20, 30, 0], 9)).toEqual([30, 20, 10])
})
