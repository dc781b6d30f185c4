import { expect, it } from 'vitest'
import { renamedPath } from '#shared/settings/renames'

it('gives an item and everything in it the chosen name', () => {
  const renames = [
    { item: 'docs', name: 'papers' },
    { item: 'a', name: 'docs' },
  ]
  expect(renamedPath('docs', renames)).toBe('papers')
  expect(renamedPath('docs/a/docs', renames)).toBe('papers/a/docs')
  expect(renamedPath('docs.txt', renames)).toBe('docs.txt')
  expect(renamedPath('b/docs', renames)).toBe('b/docs')
  expect(renamedPath('docs')).toBe('docs')
})
