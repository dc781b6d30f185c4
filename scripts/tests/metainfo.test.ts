import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderOfTest } from '#client/testing/temporary-folder'
import { root } from '../lib/cache.mjs'
import { metainfo, writeMetainfo } from '../package/metainfo.mjs'
import { product } from '../package/product.mjs'

describe('metainfo', () => {
  const versions = [
    { version: '1.1.0', date: undefined, summary: '', text: '' },
    { version: '1.0.0', date: '2026-01-31', summary: 'Files & <folders>.', text: '' },
  ]
  const xml = metainfo(versions, '2026-02-01')

  it('lists versions with their days, and their summary as text', () => {
    expect(xml).toContain('<release version="1.1.0" date="2026-02-01"></release>')
    expect(xml).toContain('<release version="1.0.0" date="2026-01-31">')
    expect(xml).toContain('<p>Files &#38; &#60;folders&#62;.</p>')
  })

  it('fills in the whole template', () => {
    expect(xml).not.toMatch(/@\w+@|undefined/)
    expect(xml).toContain(`<id>${product.id}</id>`)
  })

  it('shows pictures that exist', () => {
    const names = [...xml.matchAll(/\/([\w-]+\.png)<\/image>/g)].map(([, name = '']) => name)
    expect(names.length).toBeGreaterThanOrEqual(3)
    for (const name of names) expect(existsSync(join(root, 'docs/screenshots', name))).toBe(true)
  })
})

// Few build machines have the package appstream, which contains appstreamcli.
const canValidate = spawnSync('appstreamcli', ['--version']).error === undefined

it.runIf(canValidate)('the metainfo follows the specification of AppStream', () => {
  const folder = folderOfTest()
  const { stdout, status } = spawnSync('appstreamcli', [
    'validate',
    '--no-net',
    writeMetainfo(folder),
  ])
  expect([stdout.toString(), status]).toEqual([expect.stringContaining('successful'), 0])
})
