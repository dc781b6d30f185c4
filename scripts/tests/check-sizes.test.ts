import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { folderOfTest } from '#client/testing/temporary-folder'
import { checkSizes } from '../check-sizes.mjs'

let dir: string
beforeEach(() => {
  dir = folderOfTest()
})

const lines = (count: number) => 'x\n'.repeat(count)

it('names source files of more than 500 lines and no others', () => {
  mkdirSync(join(dir, 'native', 'build'), { recursive: true })
  mkdirSync(join(dir, 'node_modules'))
  writeFileSync(join(dir, 'long.ts'), lines(501))
  writeFileSync(join(dir, 'native', 'long.cc'), lines(502))
  writeFileSync(join(dir, 'right.ts'), lines(500))
  writeFileSync(join(dir, 'data.json'), lines(900))
  writeFileSync(join(dir, 'native', 'build', 'made.cc'), lines(900))
  writeFileSync(join(dir, 'node_modules', 'other.js'), lines(900))
  expect(checkSizes(dir)).toEqual([
    'long.ts: 501 lines, at most 500: split it',
    'native/long.cc: 502 lines, at most 500: split it',
  ])
})

it('reports compiler output, but not in build folders', () => {
  mkdirSync(join(dir, 'native', 'build'), { recursive: true })
  for (const name of ['a.out', 'wake.o']) writeFileSync(join(dir, name), '')
  writeFileSync(join(dir, 'native', 'build', 'wake.o'), '')
  expect(checkSizes(dir)).toEqual(
    ['a.out', 'wake.o'].map((name) => `${name}: compiler output: remove it, also from the commit`),
  )
})
