import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../lib/cache.mjs'

const json = (path: string): unknown => JSON.parse(readFileSync(join(root, 'native', path), 'utf8'))

type Dependency = string | { name: string }
const nameOf = (dependency: Dependency) =>
  typeof dependency === 'string' ? dependency : dependency.name

describe('vcpkg', () => {
  const { dependencies, ...manifest } = json('vcpkg.json') as {
    dependencies: Dependency[]
    'builtin-baseline': string
    'vcpkg-configuration': { 'overlay-ports': string[] }
  }
  const presets = json('CMakePresets.json') as {
    configurePresets: { cacheVariables?: Record<string, string> }[]
  }
  const libraries = json('deps.json') as {
    dependencies: { ngtcp2: { sha256: Record<string, string> } }
  }
  const triplets = readdirSync(join(root, 'native/vcpkg/triplets'))

  test('has every library of the engine', () => {
    expect(dependencies.map(nameOf)).toEqual(
      expect.arrayContaining(Object.keys(libraries.dependencies)),
    )
  })

  test('resolves versions from one commit of its ports', () => {
    expect(manifest['builtin-baseline']).toMatch(/^[0-9a-f]{40}$/)
  })

  test('builds the listed ngtcp2 with every patch', () => {
    expect(manifest['vcpkg-configuration']['overlay-ports']).toEqual(['./patches'])
    const port = json('patches/ngtcp2/vcpkg.json') as { version: string }
    const { sha256 } = libraries.dependencies.ngtcp2
    expect(Object.keys(sha256)).toEqual([`ngtcp2_${port.version}.orig.tar.xz`])
    const recipe = readFileSync(join(root, 'native/patches/ngtcp2/portfile.cmake'), 'utf8')
    expect(recipe).toContain('file(GLOB patches "${CURRENT_PORT_DIR}/*.patch")')
    expect(recipe).toContain('PATCHES ${patches})')
  })

  test('knows the triplets that the presets name', () => {
    const named = presets.configurePresets.flatMap(({ cacheVariables = {} }) =>
      ['VCPKG_TARGET_TRIPLET', 'VCPKG_HOST_TRIPLET'].flatMap((name) => cacheVariables[name] ?? []),
    )
    expect(named).toHaveLength(6)
    expect(triplets.sort()).toEqual([...new Set(named)].map((name) => `${name}.cmake`).sort())
  })

  test.each(triplets)('keeps libraries under the LGPL apart from the addon: %s', (triplet) => {
    const text = readFileSync(join(root, 'native/vcpkg/triplets', triplet), 'utf8')
    expect(text).toContain('set(VCPKG_LIBRARY_LINKAGE static)')
    const [, names = ''] =
      /if\(PORT MATCHES "\^\((.*)\)\$"\)\n {2}set\(VCPKG_LIBRARY_LINKAGE dynamic\)/.exec(text) ?? []
    expect(names.split('|')).toEqual(
      expect.arrayContaining(['glib', 'libnice', 'gettext-libintl', 'libiconv']),
    )
  })
})
