import { describe, expect, it } from 'vitest'
import {
  type Added,
  type ChosenEntry,
  nothingChosen,
  ofDrop,
  withItems,
  withoutItem,
} from '../chosen'

const file = (path: string, content = ''): ChosenEntry => {
  const only = new File([content], path.slice(path.lastIndexOf('/') + 1), { lastModified: 1 })
  return { path, file: only, modifiedMs: 1 }
}
const folder = (path: string): ChosenEntry => ({ path, file: null, modifiedMs: 1 })
const added = (...entries: readonly ChosenEntry[]): Added => ({ entries, unreadable: 0 })
const paths = (...items: readonly (readonly ChosenEntry[])[]): readonly string[] =>
  items
    .map((item) => added(...item))
    .reduce(withItems, nothingChosen)
    .entries.map(({ path }) => path)

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

  it('of one size and time are both added, because their content may differ', () => {
    expect(paths([file('a.txt', 'one')], [file('a.txt', 'two')])).toEqual(['a.txt', 'a (2).txt'])
  })

  it('that the browser can’t read are counted', async () => {
    const unreadable = {
      ...{ isFile: true, isDirectory: false, name: 'locked.txt' },
      file: (_: unknown, fail: () => void) => fail(),
    }
    const folderOf = (batches: readonly unknown[][]) => ({
      ...{ isFile: false, isDirectory: true, name: 'folder' },
      createReader: () => {
        const left = [...batches]
        return {
          readEntries: (take: (some: unknown) => void, fail: () => void) => {
            const some = left.shift()
            if (some === undefined) fail()
            else take(some)
          },
        }
      },
    })
    const drop = [folderOf([[unreadable], []]), folderOf([[unreadable]])].map((entry) => ({
      webkitGetAsEntry: () => entry,
      getAsFile: () => null,
    }))
    const found = await ofDrop(drop as unknown as DataTransferItemList)
    expect(found.entries.map(({ path }) => path)).toEqual(['folder', 'folder'])
    expect(found.unreadable).toBe(3)
    expect(withItems(nothingChosen, found).refused).toBe(3)
  })

  it('are refused with names that no receiver accepts', () => {
    const chosen = withItems(
      nothingChosen,
      added(file('.~thru-1.part'), file('n'.repeat(256)), file('b/../c'), file('ok')),
    )
    expect(chosen.entries.map(({ path }) => path)).toEqual(['ok'])
    expect(chosen.refused).toBe(3)
  })

  it('can be removed', () => {
    const chosen = withItems(nothingChosen, added(file('a'), folder('b'), file('b/c')))
    expect(withoutItem(chosen, 'b').entries.map(({ path }) => path)).toEqual(['a'])
  })
})
