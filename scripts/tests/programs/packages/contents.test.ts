/** Checks which files are in the packages of out/test-packages. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { extractFile, listPackage, statFile } from '@electron/asar'
import { getCurrentFuseWire } from '@electron/fuses'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fusesFor } from '../../../../build/fuses.mjs'
import { commandPlaces, debianPlaces, linuxPlaces } from '../../../../build/install-places.mjs'
import { testPackages } from '../../../package/for-tests.mjs'
import { archivePlace, filesOf } from '../../../package/linux/contents.mjs'
import { product } from '../../../package/product.mjs'

const folder = join(testPackages, 'current')
const packages = readdirSync(folder).filter((name) =>
  /^thruflux-\d.*-linux-.*\.(AppImage|deb|rpm|gz)$/.test(name),
)

/** The files of Electron, in any supported version. */
const ofElectron = [
  /^lib\/thruflux\/(thruflux|chrome-sandbox|chrome_crashpad_handler)$/,
  /^lib\/thruflux\/lib(EGL|GLESv2|ffmpeg|vk_swiftshader|vulkan)\.so(\.1)?$/,
  /^lib\/thruflux\/(LICENSE\.electron\.txt|LICENSES\.chromium\.html)$/,
  /^lib\/thruflux\/(chrome_100_percent|chrome_200_percent|resources)\.pak$/,
  /^lib\/thruflux\/(icudtl\.dat|snapshot_blob\.bin|v8_context_snapshot\.bin|vk_swiftshader_icd\.json)$/,
  /^lib\/thruflux\/locales\/(en-US|ko)\.pak$/,
]

/** Thruflux's files that install-places.mjs doesn't list. */
const ours = [
  /^bin\/(thruflux|thru)$/,
  /^lib\/thruflux\/(thru|apparmor)$/,
  /^lib\/thruflux\/resources\/(app\.asar|package-type)$/,
  /^lib\/thruflux\/resources\/app\.asar\.unpacked\/out\/native\/(thruflux\.node|THIRD-PARTY-NOTICES\.txt|lib[\w.+-]+\.so[\d.]*)$/,
]

const ofAppImage = [/^(AppRun|thruflux\.desktop|thruflux\.png|\.DirIcon)$/]

/** Patterns for the listed files; some formats compress the manual. */
const besideIn = (name: string): readonly RegExp[] =>
  Object.values(name.endsWith('.deb') ? { ...linuxPlaces, ...debianPlaces } : linuxPlaces)
    .map((place) => place.replace(/\/thru\.1$/, '/thru.1(.gz)?'))
    .map((place) => new RegExp(`^${place.replaceAll('.', '\\.').replace('(\\.gz)', '(.gz)')}$`))

const forbidden = /\.(map|ts|tsx|cc|h|mjs|test\.\w+|pem|key|p12)$|node_modules|\/tests?\/|\.git/

describe.each(packages)('%s', (name) => {
  const file = join(folder, name)
  const files = filesOf(file)
  const beside = besideIn(name)

  it('has only listed files', () => {
    const known = [
      ...ofElectron,
      ...ours,
      ...beside,
      ...(name.endsWith('.AppImage') ? ofAppImage : []),
    ]
    expect(files.filter((path) => !known.some((pattern) => pattern.test(path)))).toEqual([])
  })

  it('has the app, the command and their other files', () => {
    expect(files).toEqual(expect.arrayContaining(['bin/thruflux', 'bin/thru', archivePlace]))
    for (const pattern of beside)
      expect(
        files.some((path) => pattern.test(path)),
        String(pattern),
      ).toBe(true)
    expect(Object.keys(commandPlaces).length).toBeGreaterThan(3)
  })

  it('has no source, test, map or key', () => {
    expect(files.filter((path) => forbidden.test(path))).toEqual([])
  })
})

it('has one package of each format', () => {
  expect(
    packages.map((name) => name.replace(/^.*\.(?=AppImage|deb|rpm)|^.*(?=tar\.gz$)/, '')).sort(),
  ).toEqual(['AppImage', 'deb', 'rpm', 'tar.gz'])
})

describe('the manifest of the Flatpak', () => {
  const manifest = readdirSync(folder).find((name) => name.endsWith('.flatpak.json')) ?? ''

  it('is valid for flatpak-builder, and names the archive next to it', () => {
    const shown = execFileSync('flatpak-builder', ['--show-manifest', manifest], {
      cwd: folder,
      encoding: 'utf8',
    })
    const { id, modules } = JSON.parse(shown) as {
      id: string
      modules: { sources: { path?: string; sha256?: string }[] }[]
    }
    expect(id).toBe(product.id)
    expect(modules[0]?.sources[0]?.path).toBe(packages.find((name) => name.endsWith('.tar.gz')))
    expect(modules[0]?.sources[0]?.sha256).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe('the packed app', () => {
  const archive = packages.find((name) => name.endsWith('.tar.gz'))
  let unpacked = ''
  const at = (path: string): string => join(unpacked, 'lib/thruflux', path)

  beforeAll(() => {
    unpacked = mkdtempSync(join(tmpdir(), 'thruflux-contents-'))
    execFileSync('tar', [
      '-xzf',
      join(folder, archive ?? ''),
      '-C',
      unpacked,
      '--strip-components=1',
    ])
  })
  afterAll(() => rmSync(unpacked, { recursive: true, force: true }))

  it('has the fuses for its version of Electron in its binary', async () => {
    const program = at('thruflux')
    const version = execFileSync(program, ['-p', 'process.versions.electron'], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      encoding: 'utf8',
    })
    const fuses = Object.entries(fusesFor('linux', version))
    expect(fuses.length).toBeGreaterThan(5)
    // The fuse wire holds the characters 0 and 1.
    const wanted = fuses.map(([fuse, isOn]) => [fuse, isOn ? 0x31 : 0x30])
    const wire = Object.entries(await getCurrentFuseWire(program))
    expect(wire).toEqual(expect.arrayContaining(wanted))
  })

  it('has the command, which runs without another Node', () => {
    const said = execFileSync(at('thru'), ['--version'], {
      env: { PATH: '/usr/bin:/bin' },
      encoding: 'utf8',
    })
    expect(said).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it('has an app.asar with only the expected files', () => {
    const packed = listPackage(at('resources/app.asar'), { isPack: false })
    const files = packed.filter(
      (path) => !('files' in statFile(at('resources/app.asar'), path.slice(1))),
    )
    const expected = [
      /^\/package\.json$/,
      /^\/out\/electron\/(main|preload)\.cjs$/,
      /^\/out\/(electron|cli)\/node-sqlite3-wasm\.wasm$/,
      /^\/out\/cli\/(program|thru)\.cjs$/,
      /^\/out\/renderer\/(index\.html|assets\/[\w-]+\.(js|css|woff2|svg|png))$/,
      /^\/out\/(native\/)?THIRD-PARTY-NOTICES\.txt$/,
      /^\/out\/native\/(thruflux\.node|lib[\w.+-]+\.so[\d.]*)$/,
      /^\/resources\/(servers|update-feed|update-keys)\.json$/,
      /^\/resources\/icons\/(icon\.png|tray\/[\w@-]+\.png)$/,
    ]
    // Only Debian and Ubuntu can build the page for browsers.
    const page = /^\/out\/web\/[\w.-]+\.gz$/
    expect(files.filter((path) => ![...expected, page].some((each) => each.test(path)))).toEqual([])
    for (const pattern of expected)
      expect(
        files.some((path) => pattern.test(path)),
        String(pattern),
      ).toBe(true)
  })

  it('has a package.json with only the fields that are read', () => {
    const manifest = JSON.parse(
      extractFile(at('resources/app.asar'), 'package.json').toString(),
    ) as object
    expect(Object.keys(manifest).sort()).toEqual([
      'author',
      'description',
      'desktopName',
      'license',
      'main',
      'name',
      'productName',
      'type',
      'version',
    ])
  })
})
