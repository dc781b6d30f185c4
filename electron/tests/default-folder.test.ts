import { join } from 'node:path'
import { expect, it } from 'vitest'
import { defaultFolder } from '../main/default-folder'

it('is a folder of its own, never the home folder', () => {
  const [home, own] = [join('/home', 'sora'), join('/data', 'downloads')]
  expect(defaultFolder(own, home)).toBe(join(own, 'Thruflux'))
  expect(defaultFolder(home, home)).toBe(join(home, 'Downloads', 'Thruflux'))
})
