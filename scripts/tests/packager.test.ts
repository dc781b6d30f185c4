import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { macosPlaces } from '../../build/install-places.mjs'
import { packagerOptions } from '../../build/packager.mjs'
import { root } from '../lib/cache.mjs'
import { packElectron } from '../package/package.mjs'
import { pinnedElectron } from '../package/runtime.mjs'

const folder = mkdtempSync(join(tmpdir(), 'thruflux-packager-'))
const checkout = join(folder, 'checkout')
const electron = pinnedElectron()

/** The options for a target, with stand-ins for the files that a build makes. */
const optionsFor = (platform: 'linux' | 'win32' | 'darwin', arch: string) =>
  packagerOptions({
    ...{ platform, arch, version: '1.2.3', runtime: { version: electron } },
    ...{ app: join(folder, 'app'), work: join(folder, `${platform}-${arch}`), checkout },
  })

beforeAll(() => {
  for (const source of Object.keys(macosPlaces)) {
    const file = join(checkout, source)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `made from ${source}`)
  }
  const korean = 'build/macos/ko.lproj'
  cpSync(join(root, korean), join(checkout, korean), { recursive: true })
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe.each([
  ['linux', 'x64', 'thruflux'],
  ['win32', 'x64', 'Thruflux'],
  ['darwin', 'universal', 'Thruflux'],
] as const)('the packed app for %s', (platform, arch, executableName) => {
  it('has the icon, names and version of the product, and the engine as files', () => {
    expect(optionsFor(platform, arch)).toMatchObject({
      ...{ platform, arch, executableName, name: 'Thruflux', electronVersion: electron },
      ...{ appVersion: '1.2.3', icon: join(root, 'out/icons/icon') },
      ...{ appBundleId: 'org.thruflux.Thruflux', asar: { unpackDir: 'out/native' } },
    })
  })
})

it.each([...['linux-x64', 'linux-arm64', 'win32-x64', 'darwin-x64', 'darwin-arm64']])(
  'a downloaded Electron for %s must have the hash in its npm package',
  (target) => {
    const { checksums } = optionsFor('linux', 'x64').download
    expect(checksums[`electron-v${electron}-${target}.zip`]).toMatch(/^[0-9a-f]{64}$/)
  },
)

describe('the app for macOS', () => {
  it('has our entries in Info.plist, and the same engine for both processors', () => {
    const options = optionsFor('darwin', 'universal')
    expect(options).toMatchObject({
      extendInfo: { CFBundleURLTypes: [{ CFBundleURLSchemes: ['thruflux'] }] },
      osxUniversal: { x64ArchFiles: '**/out/native/**' },
    })
  })

  it('has manual, completion, licenses and Korean texts as resources', () => {
    const paths: readonly string[] = optionsFor('darwin', 'universal').extraResource
    const contentOf = (place: string) => {
      const [top = '', ...rest] = place.split('/')
      const resource = paths.find((path) => basename(path) === top)
      return resource && readFileSync(join(resource, ...rest), 'utf8')
    }
    expect(contentOf('man/man1/thru.1')).toBe('made from out/cli/thru.1')
    expect(contentOf('completions/_thru')).toBe('made from out/cli/completions/_thru')
    expect(contentOf('LICENSE.txt')).toBe('made from LICENSE')
    expect(contentOf('THIRD-PARTY-NOTICES.txt')).toBe('made from out/THIRD-PARTY-NOTICES.txt')
    expect(contentOf('ko.lproj/InfoPlist.strings')).toContain('NSLocalNetworkUsageDescription')
  })
})

it.each(['linux', 'win32'] as const)('the app for %s has no other resources', (platform) => {
  expect(optionsFor(platform, 'x64')).toMatchObject({ extraResource: [] })
})

it('a target without an Electron is refused', async () => {
  await expect(packElectron(optionsFor('linux', 'ia32'))).rejects.toThrow(
    "Electron can't be packed for linux and ia32",
  )
})
