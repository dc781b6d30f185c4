import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { versionsOf } from '../lib/changelog.mjs'
import { librariesOfCompiler, sqliteVersion } from '../lib/compiled-in.mjs'
import { checkVersion, releaseNotes, writeChecksums } from '../release/documents.mjs'
import { sbomOf } from '../release/sbom.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const commit = 'c'.repeat(40)

describe('a version', () => {
  const check = (tag: string, changelog: string) => () => {
    checkVersion({ version: '1.2.0', tag, changelog: versionsOf(changelog) })
  }

  it('is released by its tag and with a dated entry of the changelog', () => {
    expect(check('v1.2.0', '## [1.2.0] - 2026-01-31\n')).not.toThrow()
  })

  it.each([
    ['v1.3.0', '## [1.2.0] - 2026-01-31\n', 'The tag is v1.3.0'],
    ['v1.2.0', '## [1.1.0] - 2026-01-01\n', 'does not begin with'],
    ['v1.2.0', '## [Unreleased]\n\n### 1.2.0\n', 'does not begin with'],
    ['v1.2.0', '### 1.3.0\n\n## [1.2.0] - 2026-01-31\n', 'does not begin with'],
  ])('is not by %s with %j', (tag, changelog, problem) => {
    expect(check(tag, changelog)).toThrow(problem)
  })
})

describe('checksums', () => {
  it('are those of every file but themselves, in one order', async () => {
    for (const name of ['b.deb', 'a.rpm', 'SHA256SUMS.asc']) writeFileSync(join(folder, name), name)
    mkdirSync(join(folder, 'feed'))
    await writeChecksums(folder)
    const lines = readFileSync(join(folder, 'SHA512SUMS'), 'utf8')
    expect(lines).toMatch(/^[0-9a-f]{128} {2}a\.rpm\n[0-9a-f]{128} {2}b\.deb\n$/)
    expect(execFileSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: folder }).toString()).toBe(
      'a.rpm: OK\nb.deb: OK\n',
    )
    await writeChecksums(folder)
    expect(readFileSync(join(folder, 'SHA512SUMS'), 'utf8')).toBe(lines)
  })
})

it('release notes are what the changelog says, with headings of their own', () => {
  const notes = releaseNotes({ version: '1.2.0', text: '#### Added\n\n- Much.\n' })
  expect(notes).toMatch(/^## Added\n\n- Much\.\n\n## Check what you downloaded\n/)
})

describe('the list of contents', () => {
  const about = {
    target: 'linux-x64',
    version: '1.2.0',
    commit: { hash: commit, time: new Date('2026-01-31T12:00:00Z') },
    electron: {
      version: '45.0.0',
      kind: 'official',
      versions: { node: '24.1.0', chrome: '150.0.0.1' },
    },
    sqlite: '3.53.4',
    packages: [
      {
        ...{ name: '@radix-ui/react-slot', version: '1.5.0', license: 'MIT', folder: '/x' },
        ...{ integrity: `sha512-${'A'.repeat(86)}==`, programs: ['renderer'] },
      },
    ],
    libraries: [
      {
        ...{ name: 'blake3', version: '1.3.3', license: 'CC0-1.0 OR Apache-2.0', files: [] },
        source: { file: 'blake3.tar.gz', sha256: '1'.repeat(64) },
      },
      {
        ...{ name: 'glib', version: '2.84.4', license: 'LGPL-2.1-or-later', source: undefined },
        files: [{ name: 'libglib-2.0.so.0', sha256: '2'.repeat(64) }],
      },
    ],
  }
  type Component = { readonly name: string; readonly components?: readonly Component[] }
  type Bom = {
    readonly components: readonly Component[]
    readonly dependencies: readonly unknown[]
  }

  it('has npm packages, libraries with their files and sources, and Electron with its parts', async () => {
    const text = await sbomOf(about)
    const { components } = JSON.parse(text) as Bom
    const named = components.map(({ name, components: parts = [] }) =>
      [name, ...parts.map((part) => part.name)].join(' '),
    )
    expect(named.sort()).toEqual([
      ...['blake3', 'eff-short-wordlist-2', 'electron Chromium Node.js'],
      ...['glib libglib-2.0.so.0', 'react-slot', 'sqlite'],
    ])
    expect(text).toContain(`"content": "${'0'.repeat(128)}"`)
    expect(text).toContain('"url": "blake3.tar.gz"')
    expect(text).toContain('"expression": "CC0-1.0 OR Apache-2.0"')
  })

  it('has the same bytes for the same build', async () => {
    const reversed = { ...about, libraries: about.libraries.toReversed() }
    expect(await sbomOf(reversed)).toBe(await sbomOf(about))
    expect(await sbomOf({ ...about, target: 'linux-arm64' })).not.toBe(await sbomOf(about))
  })

  it('has what a compiler for other systems adds, and SQLite in the version that runs', async () => {
    const of = (kind: 'zig' | undefined) => librariesOfCompiler(kind).map(({ name }) => name)
    expect([of('zig'), of(undefined)]).toEqual([['libc++', 'compiler-rt'], []])
    const text = await sbomOf({
      ...{ ...about, sqlite: sqliteVersion() },
      libraries: [...about.libraries, ...librariesOfCompiler('zig')],
    })
    const { default: sqlite } = await import('node-sqlite3-wasm')
    const database = new sqlite.Database()
    const said = database.get('SELECT sqlite_version() AS version')
    database.close()
    expect(said).toEqual({ version: sqliteVersion() })
    expect(text).toContain(`"purl": "pkg:generic/sqlite@${sqliteVersion()}"`)
    expect(text).toContain('Apache-2.0 WITH LLVM-exception')
  })

  it('does not guess which SQLite it is', () => {
    for (const text of ['', '\x003.53.4\x003.52.0\x00'])
      expect(() => sqliteVersion(text)).toThrow('does not say its version')
  })

  it('is refused with a license of no name', async () => {
    const [first] = about.packages
    const packages = [{ ...first, license: 'not-a-license' }]
    await expect(sbomOf({ ...about, packages } as typeof about)).rejects.toThrow('is no license')
  })
})
