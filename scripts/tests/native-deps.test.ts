import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { folderOfTest } from '#client/testing/temporary-folder'
import { isInstalled } from '../deps/npm.mjs'
import { distributionOf } from '../deps/sources.mjs'
import { compareVersions, missedLimit } from '../deps/version.mjs'
import { hashOf, withLock, writeAtomically } from '../lib/cache.mjs'

describe('versions', () => {
  it.each([
    ['1.22.1', '1.22.1', 0],
    ['1.9', '1.22.1', -1],
    ['3.5', '3.5.0', 0],
    ['20.19.0', '20.9.0', 1],
  ])('compares %s with %s', (a, b, sign) => {
    expect(Math.sign(compareVersions(a, b))).toBe(sign)
  })

  it.each([
    ['3.4.9', 'too old: 3.5.0 or newer is needed'],
    ['3.5.0', undefined],
    ['3.6.5', undefined],
    ['4.0.0', 'too new: it must be older than 4'],
  ])('says which limit %s missed', (version, missed) => {
    expect(missedLimit(version, { minimum: '3.5.0', below: '4' })).toBe(missed)
  })
})

it('distinguishes Debian and Ubuntu from derived and other systems', () => {
  expect(distributionOf('NAME="Debian"\nID=debian\n')).toBe('debian')
  expect(distributionOf('ID=ubuntu\nID_LIKE=debian\n')).toBe('ubuntu')
  expect(distributionOf('ID=linuxmint\nID_LIKE="ubuntu debian"\n')).toBe('ubuntu')
  expect(distributionOf('ID=fedora\n')).toBeUndefined()
  expect(distributionOf('')).toBeUndefined()
})

describe('node_modules', () => {
  const entry = { version: '1.0.0', integrity: 'sha512-x' }
  const lock = (packages: Record<string, object>) => ({ packages })

  it('agrees with the lock file, other platforms and links aside', () => {
    const wanted = lock({
      '': {},
      'cli/bin': { version: '0.1.0' },
      'node_modules/a': entry,
      'node_modules/b-win32': { ...entry, optional: true },
      'node_modules/thru': { resolved: 'cli/bin', link: true },
    })
    expect(isInstalled(wanted, lock({ 'node_modules/a': entry }))).toBe(true)
  })

  it.each([
    ['is missing', {}],
    ['has another version', { 'node_modules/a': { ...entry, version: '1.0.1' } }],
    ['has other content', { 'node_modules/a': { ...entry, integrity: 'sha512-y' } }],
  ])('is out of date when a package %s', (_, packages) => {
    expect(isInstalled(lock({ 'node_modules/a': entry }), lock(packages))).toBe(false)
  })
})

describe('the cache', () => {
  let dir: string
  beforeEach(() => {
    dir = folderOfTest()
  })

  it('names different parts differently', () => {
    expect(hashOf('ab', 'c')).not.toBe(hashOf('a', 'bc'))
  })

  it('admits one builder at a time', async () => {
    const file = join(dir, 'lock')
    let inside = 0
    const builder = () =>
      withLock(file, async () => {
        expect(++inside).toBe(1)
        await delay(20)
        inside--
      })
    await Promise.all([builder(), builder(), builder()])
    expect(readdirSync(dir)).toEqual([])
  })

  it('takes the lock over from a process that died', async () => {
    const file = join(dir, 'lock')
    // Process IDs are never this large.
    writeFileSync(file, '999999999')
    expect(await withLock(file, () => Promise.resolve('in'))).toBe('in')
  })

  it('releases the lock when the work fails', async () => {
    const file = join(dir, 'lock')
    await expect(withLock(file, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(readdirSync(dir)).toEqual([])
  })

  it('writes files whole or not at all', () => {
    const file = join(dir, 'sub', 'file')
    writeAtomically(file, 'one')
    writeAtomically(file, 'two')
    expect(readdirSync(join(dir, 'sub'))).toEqual(['file'])
  })
})
