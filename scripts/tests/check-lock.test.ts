import { describe, expect, it } from 'vitest'
import { checkLock, readLock } from '../check-lock.mjs'

const hash = (letter: string) => `sha512-${letter.repeat(86)}==`

type Entry = Record<string, unknown>

/** A correct lock file with a test's changes. */
function example({
  packages = {},
  manifest = {},
  settings = 'omit-lockfile-registry-resolved=true\nignore-scripts=true\n',
}: {
  readonly packages?: Record<string, Entry>
  readonly manifest?: Entry
  readonly settings?: string
} = {}) {
  const wanted = { version: '1.0.0', dependencies: { a: '^1.2.0' }, ...manifest }
  const lock = {
    lockfileVersion: 3,
    packages: {
      '': wanted,
      'cli/bin': { name: '@thruflux/thru' },
      'node_modules/@thruflux/thru': { resolved: 'cli/bin', link: true },
      'node_modules/a': { version: '1.2.3', integrity: hash('a') },
      ...packages,
    },
  }
  return { lock, manifest: wanted, settings }
}

describe('the lock file', () => {
  it('of this checkout is correct', () => {
    expect(checkLock(readLock())).toEqual([])
  })

  it('may have aliases that package.json names, and scripts that it refuses', () => {
    const problems = checkLock(
      example({
        packages: {
          'node_modules/b': { name: '@x/c', version: '1.0.0', integrity: hash('b') },
          'node_modules/d': { version: '1.0.0', integrity: hash('d'), hasInstallScript: true },
        },
        manifest: {
          devDependencies: { b: 'npm:@x/c@^1.0.0', '@thruflux/thru': 'file:cli/bin' },
          allowScripts: { d: false },
        },
      }),
    )
    expect(problems).toEqual([])
  })

  it.each<[string, Entry, string]>([
    ['a package without a hash', { version: '1.0.0' }, 'has no SHA-512'],
    ['an old hash', { version: '1.0.0', integrity: 'sha1-aaaa' }, 'has no SHA-512'],
    [
      'a second hash that is weaker',
      { version: '1.0.0', integrity: `${hash('b')} sha1-aaaa` },
      'has no SHA-512',
    ],
    [
      'an address of its own',
      { version: '1.0.0', integrity: hash('b'), resolved: 'https://r.example/b.tgz' },
      'comes from https://r.example/b.tgz',
    ],
    [
      'a repository',
      { version: '1.0.0', resolved: 'git+ssh://git@host.example/b.git#1' },
      'comes from git+ssh',
    ],
    ['a folder', { resolved: '../b', link: true }, 'links to ../b'],
    ['a bundled package', { version: '1.0.0', inBundle: true }, 'is bundled in another package'],
    [
      'a name that nobody chose',
      { name: 'c', version: '1.0.0', integrity: hash('b') },
      'is really c',
    ],
    [
      'an install script that nobody decided on',
      { version: '1.0.0', integrity: hash('b'), hasInstallScript: true },
      'has an install script',
    ],
  ])('must not have %s', (_, entry, problem) => {
    const problems = checkLock(example({ packages: { 'node_modules/b': entry } }))
    expect(problems).toEqual([expect.stringContaining(problem)])
  })

  it('must not have two hashes for one version', () => {
    const copy = { version: '1.2.3', integrity: hash('z') }
    expect(checkLock(example({ packages: { 'node_modules/b/node_modules/a': copy } }))).toEqual([
      'node_modules/b/node_modules/a: differs from another copy of a@1.2.3',
    ])
  })

  it('must not list another folder of the checkout', () => {
    expect(checkLock(example({ packages: { extra: { version: '1.0.0' } } }))).toEqual([
      expect.stringContaining('extra: is a folder'),
    ])
  })

  it('must agree with package.json', () => {
    const { manifest, ...rest } = example()
    const changed = { ...manifest, version: '1.0.1' }
    expect(checkLock({ ...rest, manifest: changed })).toEqual([
      expect.stringContaining('version differ'),
    ])
  })
})

describe('package.json', () => {
  it.each([
    'github:owner/name',
    'owner/name',
    'git+https://host.example/a.git',
    'https://host.example/a.tgz',
    'file:../a',
    'npm:other',
    'latest',
  ])('must not depend on %s', (wanted) => {
    const problems = checkLock(example({ manifest: { dependencies: { a: wanted } } }))
    expect(problems).toEqual([expect.stringContaining(`a: "${wanted}"`)])
  })

  it.each(['^1.2.3', '~1.2.3', '1.x', '>=1.2.0 <2', '1.0.0-beta.1', 'npm:@x/other@^1.0.0'])(
    'may ask for %s',
    (wanted) => {
      expect(checkLock(example({ manifest: { dependencies: { a: wanted } } }))).toEqual([])
    },
  )

  it('lists no install script that does not exist', () => {
    expect(checkLock(example({ manifest: { allowScripts: { gone: false } } }))).toEqual([
      expect.stringContaining('gone: has no install script'),
    ])
  })
})

it('a checkout needs the npm settings that ignore install scripts and addresses', () => {
  const settings = '# ignore-scripts=true\nomit-lockfile-registry-resolved=false\n'
  expect(checkLock(example({ settings }))).toEqual([
    '.npmrc: needs ignore-scripts=true',
    '.npmrc: needs omit-lockfile-registry-resolved=true',
  ])
})
