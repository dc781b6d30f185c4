import { expect, it } from 'vitest'
import { deletionLines } from '../report/deletion-text'

it('a round of deletions names the folder, and each file that stays with the reason', () => {
  const folder = '.thru-removed/2026-11-29'
  const kept = [
    { path: 'site/notes\u202e.txt', why: 'changed' },
    { path: 'disk', why: 'item-gone' },
    { path: '', why: 'incomplete' },
  ] as const
  expect(deletionLines({ moved: 2, folder, keptCount: 1003, kept })).toEqual([
    '2 files that the sender deleted are in .thru-removed/2026-11-29 now.',
    String.raw`Kept site/notes\u{202e}.txt: the sender deleted it, but it was changed here.`,
    'Kept everything in disk: all of it is gone at the sender, perhaps because a disk is missing.',
    'Kept all files: the sender could not read everything, so nothing counts as deleted.',
    'Kept 1,000 more.',
  ])
  expect(deletionLines({ moved: 0, folder: '', keptCount: 0, kept: [] })).toEqual([])
})
