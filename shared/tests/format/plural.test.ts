import { expect, it } from 'vitest'
import { plural } from '#shared/format/plural'

it.each([
  [0, '0 files'],
  [1, '1 file'],
  [2, '2 files'],
  [1001, '1001 files'],
])('chooses the form that goes with %d', (count, text) => {
  expect(plural(count, { one: '1 file', other: `${count} files` })).toBe(text)
})

it('uses the general form if a category has no form of its own', () => {
  expect(plural(1, { other: 'files: 1' })).toBe('files: 1')
})
