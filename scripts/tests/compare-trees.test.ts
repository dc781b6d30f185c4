import {
  chmodSync,
  lutimesSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { folderOfTest } from '#client/testing/temporary-folder'
import { compareTrees } from '../lib/compare-trees.mjs'

let folder: string
let trees: readonly [string, string]
beforeEach(() => {
  folder = folderOfTest()
  trees = [join(folder, 'a'), join(folder, 'b')]
  for (const tree of trees) {
    mkdirSync(join(tree, 'sub'), { recursive: true })
    writeFileSync(join(tree, 'sub/file'), 'the same')
    utimesSync(join(tree, 'sub/file'), 1, 1)
    utimesSync(join(tree, 'sub'), 1, 1)
    symlinkSync('sub/file', join(tree, 'link'))
    lutimesSync(join(tree, 'link'), 1, 1)
  }
})

const compare = (metadata = false) => compareTrees(...trees, { metadata })

it('finds nothing between folders that are the same', () => {
  expect(compare()).toEqual({ same: 3, different: [] })
})

it('shows where a file differs', () => {
  writeFileSync(join(trees[1], 'sub/file'), 'the sAme')
  expect(compare().different).toEqual([
    'sub/file: from byte 5 of 8 and 8: "the same" and "the sAme"',
  ])
})

it.each([
  ['only in the first', () => writeFileSync(join(trees[0], 'more'), ''), 'more: only in the first'],
  ['only in the second', () => mkdirSync(join(trees[1], 'more')), 'more/: only in the second'],
  [
    'different targets',
    () => {
      rmSync(join(trees[1], 'link'))
      symlinkSync('sub', join(trees[1], 'link'))
    },
    'link: different targets',
  ],
  [
    'another kind',
    () => {
      rmSync(join(trees[1], 'link'))
      writeFileSync(join(trees[1], 'link'), '')
    },
    'link: different file types',
  ],
])('reports %s', (_, change, line) => {
  change()
  expect(compare().different).toEqual([line])
})

it('compares modes and times only for packages', () => {
  chmodSync(join(trees[1], 'sub/file'), 0o600)
  utimesSync(join(trees[1], 'sub'), 2, 2)
  expect(compare().different).toEqual([])
  expect(compare(true).different).toEqual([
    'sub/: time 1970-01-01T00:00:01.000Z and 1970-01-01T00:00:02.000Z',
    'sub/file: mode 644 and 600',
  ])
})

it('ignores intermediate files of a build', () => {
  mkdirSync(join(trees[0], 'cache'))
  writeFileSync(join(trees[0], 'cache/log'), '')
  expect(compare().different).toEqual([])
})
