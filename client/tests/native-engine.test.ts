import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createClient } from '#client/client'
import { engineCandidates, loadEngine } from '#client/native-engine'
import { FakeEngine } from '#client/testing/fake-engine'
import { folderOfFile } from '#client/testing/temporary-folder'

const folder = folderOfFile()

it('looks next to the bundle, then in the resources', () => {
  const bundle = join('/app', 'resources', 'app.asar', 'out', 'electron')
  const resources = join('/app', 'resources')
  expect(engineCandidates({ bundle, resources })).toEqual([
    join('/app', 'resources', 'app.asar.unpacked', 'out', 'native', 'thruflux.node'),
    join('/app', 'resources', 'native', 'thruflux.node'),
    join('/app', 'resources', 'thruflux.node'),
  ])
})

it('tries nothing else when a file is named', () => {
  const named = { path: '/my/engine.node', override: '/other', bundle: '/app/out/cli' }
  expect(engineCandidates(named)).toEqual(['/my/engine.node'])
  expect(engineCandidates({ override: '/other', bundle: '/app/out/cli' })).toEqual(['/other'])
})

it('says which files were tried, why each failed, and what to do', () => {
  const broken = join(folder, 'broken.node')
  writeFileSync(broken, 'not a library')
  const loaded = loadEngine({ path: broken })
  expect(loaded).toMatchObject({ ok: false, error: { code: 'E_INTERNAL' } })
  const detail = loaded.ok ? '' : loaded.error.detail
  expect(detail).toContain(broken)
  expect(detail).toContain('npm run native')
  expect(detail).toContain('THRU_ADDON')
})

it('ends the reason of a file with one full stop', () => {
  const throwing = join(folder, 'throwing.cjs')
  writeFileSync(throwing, "throw new Error('The module was not found.')")
  const loaded = loadEngine({ path: throwing })
  const detail = loaded.ok ? '' : loaded.error.detail
  expect(detail).toContain('The module was not found. Build')
})

it('a client whose engine cannot start is an error', () => {
  const engine = new FakeEngine()
  engine.createEngine = () => {
    throw new Error('the system has no thread left')
  }
  expect(createClient({ engine, downloads: '/downloads', serverUrl: null })).toMatchObject({
    ok: false,
    error: { code: 'E_INTERNAL', detail: expect.stringContaining('no thread left') as unknown },
  })
})
