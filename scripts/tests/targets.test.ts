import { describe, expect, it } from 'vitest'
import { listedWheel } from '../deps/python-tools.mjs'
import { recipesFor, targetRecipes } from '../deps/target-recipes.mjs'
import { cmakeToolchain, mesonCrossFile, targetNamed, targets } from '../deps/targets.mjs'
import { stepKeys } from '../target-deps.mjs'

const tools = { cc: '/t/cc', cxx: '/t/c++', ar: '/t/ar', ranlib: '/t/ranlib', version: '12' }
const windows = targetNamed('win32-x64')

describe('targets', () => {
  it('are named as Node names platforms, or web', () => {
    for (const [name, target] of Object.entries(targets))
      expect([`${target.platform}-${target.arch}`, 'web']).toContain(name)
  })

  it('refuse an unknown name and list the known ones', () => {
    expect(() => targetNamed('win32-ia32')).toThrow('"win32-ia32" is not a target: win32-x64, ')
    expect(() => targetNamed('toString')).toThrow('is not a target')
  })

  it.each(Object.values(targets))('give CMake and Meson the same settings for $name', (target) => {
    const cmake = cmakeToolchain(target, tools, '/p')
    const meson = mesonCrossFile(target, tools, '/p')
    expect(cmake).toContain(`set(CMAKE_SYSTEM_PROCESSOR "${target.cpu}")`)
    expect(meson).toContain(`cpu = '${target.cpu}'`)
    for (const flag of target.flags) {
      expect(cmake).toContain(flag)
      expect(meson).toContain(`'${flag}'`)
    }
    // Both must ignore this machine's libraries.
    expect(cmake).toContain('set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY "ONLY")')
    expect(meson).toContain("pkg_config_libdir = '/p/lib/pkgconfig'")
  })

  it('build gettext only where the system has none', () => {
    expect(recipesFor(windows)).toContain('libintl')
    expect(recipesFor(targetNamed('linux-arm64'))).not.toContain('libintl')
  })

  it('build only the libraries of a page for the web', () => {
    expect(recipesFor(targetNamed('web'))).toEqual(['openssl', 'ngtcp2', 'blake3', 'libsodium'])
  })
})

describe('the key of a built library', () => {
  const names = ['openssl', 'zlib', 'glib']
  const given = { target: windows, tools, recipes: targetRecipes }
  const dependencies = { zlib: { sha256: { 'zlib.tar.gz': 'a' } } }
  const keys = (changed: object) =>
    stepKeys(names, { ...given, dependencies, ...changed }) as string[]

  it('changes with its source, and so do those of the libraries after it', () => {
    const before = keys({})
    const after = keys({ dependencies: { zlib: { sha256: { 'zlib.tar.gz': 'b' } } } })
    expect(after[0]).toBe(before[0])
    expect(after[1]).not.toBe(before[1])
    expect(after[2]).not.toBe(before[2])
  })

  it('changes with its recipe, the compiler and the target', () => {
    const [, , before] = keys({})
    const recipes = { ...targetRecipes, glib: () => Promise.resolve() }
    const others = [{ recipes }, { tools: { ...tools, version: '13' } }]
    for (const other of [...others, { target: targetNamed('linux-x64') }])
      expect(keys(other).at(-1)).not.toBe(before)
  })
})

describe('a build tool from the package index', () => {
  const wheel = (files: readonly string[], hash: string) =>
    listedWheel('meson', { 'meson-1.whl': 'a' }, files, () => hash) as string

  it('is accepted when it matches the list', () => {
    expect(wheel(['meson-1.whl'], 'a')).toBe('meson-1.whl')
  })

  it('is refused with another name or other content', () => {
    expect(() => wheel(['meson-2.whl'], 'a')).toThrow("doesn't list")
    expect(() => wheel([], 'a')).toThrow('offers nothing')
    expect(() => wheel(['meson-1.whl'], 'b')).toThrow("Don't use it")
  })
})
