import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../lib/cache.mjs'
import { readVersions } from '../lib/changelog.mjs'
import { listFiles } from '../lib/files.mjs'

const json = (path: string) =>
  JSON.parse(readFileSync(join(root, path), 'utf8')) as { readonly version?: unknown }
const { version } = json('package.json')

it('no manifest but package.json, and npm in its lock file, has a version of its own', () => {
  // The ports of patched libraries have the versions of these.
  const manifests = listFiles(
    root,
    (path: string) =>
      /(^|\/)(package|vcpkg)\.json$|^build\/.*\.json$/.test(path) &&
      !path.startsWith('native/patches/'),
  ) as readonly string[]
  expect(manifests).toContain('native/vcpkg.json')
  expect(manifests.filter((path) => json(path).version !== undefined)).toEqual(['package.json'])
})

it('the changelog begins with the version of package.json', () => {
  expect(readVersions()[0]?.version).toBe(version)
})
