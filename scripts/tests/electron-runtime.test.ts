import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { folderOfTest } from '#client/testing/temporary-folder'
import { electronRuntime } from '../electron-runtime.mjs'
import { warningsOf } from '../run-electron.mjs'

afterEach(() => vi.unstubAllEnvs())

it('uses the given runtime', async () => {
  const dist = folderOfTest()
  writeFileSync(join(dist, 'version'), 'v1.2.3\n')
  vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', dist)
  expect(await electronRuntime()).toMatchObject({ dist, version: '1.2.3', kind: 'override' })
})

it('refuses an unknown runtime', async () => {
  vi.stubEnv('ELECTRON_RUNTIME', 'newest')
  await expect(electronRuntime()).rejects.toThrow('official or fallback, not "newest"')
})

it('warns of the substitute, and of a window without sandbox', () => {
  const official = { kind: 'official', version: '45.4.1' }
  const substitute = { kind: 'fallback', version: '22.3.25' }
  expect(warningsOf(official, false)).toEqual([])
  expect(warningsOf(substitute, false)).toEqual([
    expect.stringContaining('Electron 22.3.25, an old substitute'),
  ])
  expect(warningsOf(official, true)).toEqual([expect.stringContaining('--no-sandbox')])
})
