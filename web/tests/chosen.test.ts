import { describe, expect, it } from 'vitest'
import { type ChosenEntry, nothingChosen, withItems, withoutItem } from '../chosen'

const file = (path: string, content = ''): ChosenEntry => {
  const only = new File([content], path.slice(path.lastIndexOf('/') + 1), { lastModified: 1 })
  return { path, file: only, modifiedMs: 1 }
}
const folder = (path: string): ChosenEntry => ({ path, file: null, modifiedMs: 1 })
const paths = (...items: readonly (readonly ChosenEntry[])[]): readonly string[] =>
  items.reduce(withItems, nothingChosen).entries.map(({ path }) => path)

describe('chosen files', () => {
  it('are added item by item', () => {
    expect(paths([file('a.txt')], [folder('b'), file('b/c.txt')])).toEqual([
      'a.txt',
      'b',
      'b/c.txt',
    ])
  })

  it('get a number if another item has their name', () => {
    expect(paths([file('a.txt', 'one')], [file('a.txt', 'three')])).toEqual(['a.txt', 'a (2).txt'])
    expect(paths([folder('b'), file('b/c', 'one')], [folder('b'), file('b/d')])).toEqual([
      'b',
      'b/c',
      'b (2)',
      'b (2)/d',
    ])
  })

  it('are added once, however often they are chosen', () => {
    expect(paths([file('a.txt', 'one')], [file('a.txt', 'two')])).toEqual(['a.txt'])
    expect(paths([folder('b'), file('b/c')], [folder('b'), file('b/c')])).toEqual(['b', 'b/c'])
  })

  it('are refused with names that no receiver accepts', () => {
    const chosen = withItems(nothingChosen, [
      file('.~thru-1.part'),
      file('n'.repeat(256)),
      file('b/../c'),
      file('ok'),
    ])
    expect(chosen.entries.map(({ path }) => path)).toEqual(['ok'])
    expect(chosen.refused).toBe(3)
  })

  it('can be removed', () => {
    const chosen = withItems(nothingChosen, [file('a'), folder('b'), file('b/c')])
    expect(withoutItem(chosen, 'b').entries.map(({ path }) => path)).toEqual(['a'])
  })
})
