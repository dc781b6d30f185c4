import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { planBuild } from '../deps/plan.mjs'
import { chooseSources, offeredSource } from '../deps/sources.mjs'
import { whyNotSystem } from '../deps/system.mjs'
import { needsTests } from '../native-build.mjs'

type Dependency = {
  readonly pkgConfig: readonly string[]
  readonly minimum: string
  readonly below: string
  readonly static?: readonly string[]
  readonly sources?: readonly object[]
}
type Dependencies = Readonly<Record<string, Dependency>>

const { dependencies } = JSON.parse(
  readFileSync(new URL('../../native/deps.json', import.meta.url), 'utf8'),
) as { readonly dependencies: Dependencies }

/** A machine whose pkg-config knows `versions`; their static archives may be missing or fail to link. */
function machine(
  versions: Readonly<Record<string, string>>,
  { archives = true, links = true }: { archives?: boolean; links?: boolean } = {},
) {
  return {
    version: (module: string) => versions[module],
    folder: () => '/usr/lib',
    exists: () => archives,
    links: () => links,
  }
}

const trixie = {
  libsodium: '1.0.18',
  libutf8proc: '3.0.0',
  'glib-2.0': '2.84.4',
  'gobject-2.0': '2.84.4',
  'gio-2.0': '2.84.4',
  nice: '0.1.22',
}
const packaged = {
  openssl: '3.5.7',
  libngtcp2: '1.24.0',
  libngtcp2_crypto_ossl: '1.24.0',
  libblake3: '1.8.2',
  libzstd: '1.5.7',
}

const plan = (canBuild: boolean, system: ReturnType<typeof machine>) =>
  planBuild(dependencies, {
    canBuild,
    whyNot: (dependency: Dependency) => whyNotSystem(dependency, system),
  })

describe('the plan for native libraries', () => {
  const names = Object.keys(packaged) as (keyof typeof packaged)[]
  const combinations = Array.from({ length: 1 << names.length }, (_, bits) =>
    names.filter((_, index) => bits & (1 << index)),
  )

  it.each(combinations.map((present) => [present.join(', ') || 'none', present] as const))(
    'builds all that faces the network where sources can be had and the system has %s',
    (_, present) => {
      const system = machine({
        ...trixie,
        ...Object.fromEntries(present.map((name) => [name, packaged[name]])),
      })
      expect(plan(true, system)).toEqual(['openssl', 'ngtcp2', 'blake3', 'zstd'])
    },
  )

  it("uses the system's libraries, without sources, when all fit", () => {
    expect(plan(false, machine({ ...trixie, ...packaged }))).toEqual([])
  })

  it.each(combinations.slice(0, -1).map((present) => [present.join(', ') || 'none', present]))(
    'refuses a system without sources that has only %s',
    (_, present) => {
      const found = names.filter((name) => present.includes(name))
      const system = machine({
        ...trixie,
        ...Object.fromEntries(found.map((name) => [name, packaged[name]])),
      })
      const missing = names.find((name) => !found.includes(name))
      expect(() => plan(false, system)).toThrow(`pkg-config doesn't know ${String(missing)}`)
    },
  )

  it('lists every unsuitable library in one sentence', () => {
    const system = machine({ ...trixie, libutf8proc: '4.0.0', nice: '0.1.18' })
    expect(() => plan(true, system)).toThrow(
      'utf8proc (libutf8proc 4.0.0 is too new: it must be older than 4), ' +
        'libnice (nice 0.1.18 is too old: 0.1.21 or newer is needed)',
    )
  })

  it('takes no static library whose archive is missing or cannot be linked', () => {
    const openssl = dependencies['openssl']
    const why = (options: object) => whyNotSystem(openssl, machine(packaged, options)) as unknown
    expect(why({})).toBeUndefined()
    expect(why({ archives: false })).toBe('there is no /usr/lib/libssl.a')
    expect(why({ links: false })).toContain("/usr/lib/libcrypto.a can't be linked")
  })
})

describe('the source of a library', () => {
  const hash = (digit: string) => digit.repeat(64)
  const dependency = {
    minimum: '1.22.1',
    below: '2',
    sources: [{ package: 'x' }],
    sha256: { 'x_1.24.0.orig.tar.xz': hash('a') },
  }
  const offer = (version: string, sha256 = hash('a')) => ({
    file: `x_${version}.orig.tar.xz`,
    version,
    sha256,
    uri: `http://mirror.test/pool/x_${version}.orig.tar.xz`,
  })
  const choose = (candidates: readonly object[], allowed = false) =>
    chooseSources('x', dependency, candidates, allowed) as unknown

  it('is read from what apt offers', () => {
    const uris = `'http://mirror.test/x_1.24.0.orig.tar.xz' x_1.24.0.orig.tar.xz 702424 SHA256:${hash('a')}`
    expect(offeredSource(`NOTICE: text\n${uris}\n`)).toEqual({
      uri: 'http://mirror.test/x_1.24.0.orig.tar.xz',
      file: 'x_1.24.0.orig.tar.xz',
      version: '1.24.0',
      sha256: hash('a'),
    })
    expect(offeredSource('E: Unable to find a source package for x')).toBeUndefined()
  })

  it('is a listed one, whatever else the mirror has', () => {
    expect(choose([offer('1.25.0', hash('b')), offer('1.24.0')], true)).toEqual([offer('1.24.0')])
  })

  it('is a listed older one while the mirror still has it', () => {
    expect(choose([offer('1.25.0', hash('b'))])).toEqual([offer('1.24.0')])
  })

  it('is refused when it is not listed', () => {
    const other = { ...offer('1.25.0'), file: 'y_1.25.0.orig.tar.xz' }
    expect(() => choose([other])).toThrow('moved on to y_1.25.0.orig.tar.xz')
  })

  it('may be unlisted when the user allows it', () => {
    expect(choose([offer('1.25.0')], true)).toEqual([offer('1.24.0'), offer('1.25.0')])
  })

  it('is always refused when its hash is not the listed one', () => {
    expect(() => choose([offer('1.24.0', hash('b'))], true)).toThrow("Don't build it")
  })

  it('is reported missing when the mirror has none within the limits', () => {
    expect(() => choose([])).toThrow('no source of x from 1.22.1 to below 2')
  })
})

describe('the build of native code', () => {
  it.each([
    ['release', ['thru_addon'], false],
    ['dev', ['thru_core'], false],
    ['fuzz', [], false],
    ['release', ['thru_addon', 'thru_tests'], true],
    ['dev', [], true],
  ])('of %s with targets %j needs the libraries of tests: %s', (preset, targets, needed) => {
    expect(needsTests(preset, targets)).toBe(needed)
  })
})
