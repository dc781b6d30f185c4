import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { homeFolder } from '#client/home-folder'

const here = resolve('somewhere')

it('is what the system says', () => {
  expect(homeFolder(() => here)).toBe(here)
})

it.each([
  ['is empty', () => ''],
  ['is not absolute', () => 'home'],
  [
    'is not known to the system',
    () => {
      throw new Error('ENOENT')
    },
  ],
])('is the root of the system where it %s', (_what, ask) => {
  expect(homeFolder(ask)).toBe(resolve('/'))
})
