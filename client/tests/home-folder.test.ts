import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { homeFolder } from '#client/home-folder'
import { unknownHomes } from '#client/testing/unknown-homes'

const here = resolve('somewhere')

it('is reported by the system', () => {
  expect(homeFolder(() => here)).toBe(here)
})

it.each(unknownHomes)('is the root of the system if it %s', (_what, ask) => {
  expect(homeFolder(ask)).toBe(resolve('/'))
})
