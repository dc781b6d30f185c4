import { FuseV1Options as Fuse } from '@electron/fuses'
import { describe, expect, it } from 'vitest'
import { fusesFor } from '../../build/fuses.mjs'
import { linuxPlaces } from '../../build/install-places.mjs'
import { controlFile, debianVersion } from '../package/linux/deb.mjs'
import { debianPackages, unitedNeeds } from '../package/linux/libraries.mjs'
import { specFile } from '../package/linux/rpm.mjs'
import { readArguments } from '../package/package.mjs'
import { pinnedElectron, refusalOf, runtimeToPack } from '../package/runtime.mjs'
import { packedManifest } from '../package/stage.mjs'

describe('what is asked for', () => {
  it('names a system and some of its formats', () => {
    const asked = readArguments(['--linux', 'deb', 'AppImage', '--substitute-runtime'])
    expect(asked).toMatchObject({
      platform: 'linux',
      formats: ['deb', 'AppImage'],
      substitute: true,
    })
  })

  it('is all formats when none is named', () => {
    const { formats } = readArguments(['--linux', '--no-build'])
    expect(formats).toEqual(['AppImage', 'deb', 'rpm', 'tar.gz', 'flatpak.json'])
  })

  it.each(['1.2.3', '1.2.3-rc', '1.2.3-beta.14'])('can be version %s', (version) => {
    expect(readArguments(['--package-version', version])).toMatchObject({ version })
  })

  it.each([
    [['--linux', 'exe'], '"exe" is not a format'],
    [['--sparc'], '"--sparc" is not an argument'],
    [['--arch', '--linux'], '--arch requires a value'],
    [['--package-version', '1.2; rm'], 'is not a version'],
    [['--package-version', '1.2.0-beta.1.2'], 'is not a version'],
    [['--package-version', '1.2.0-rc.a'], 'is not a version'],
  ])('is refused when it is invalid: %s', (args, why) => {
    expect(() => readArguments(args)).toThrow(why)
  })
})

describe('the runtime of a release', () => {
  const pinned = pinnedElectron()

  it('is the pinned Electron as it is published', () => {
    expect(refusalOf({ kind: 'official', version: pinned }, pinned)).toBeUndefined()
  })

  it.each([
    [process.platform, 'universal'],
    ['darwin', process.arch],
  ])(
    'is downloaded for another system or processor than this one: %s %s',
    async (platform, arch) => {
      const runtime = await runtimeToPack({ platform, arch, substitute: false })
      expect(runtime).toEqual({ kind: 'official', version: pinned })
    },
  )

  it.each([
    ['the substitute', { kind: 'fallback', version: '22.3.25' }],
    ['one that the environment names', { kind: 'override', version: pinned }],
    ['another version', { kind: 'official', version: '44.0.0' }],
  ])('is not %s', (_, runtime) => {
    expect(refusalOf(runtime, pinned)).toContain('--substitute-runtime')
  })
})

describe('fuses', () => {
  it('prevent environment and arguments from changing the code that runs', () => {
    expect(fusesFor('linux', '45.4.1')).toMatchObject({
      [Fuse.EnableNodeOptionsEnvironmentVariable]: false,
      [Fuse.EnableNodeCliInspectArguments]: false,
      [Fuse.OnlyLoadAppFromAsar]: true,
      [Fuse.GrantFileProtocolExtraPrivileges]: false,
    })
  })

  it('omit fuses that an older Electron lacks', () => {
    expect(fusesFor('linux', '22.3.25')).not.toHaveProperty(
      `${Fuse.GrantFileProtocolExtraPrivileges}`,
    )
  })

  it('check the archive wherever this Electron can', () => {
    const checks = (platform: 'linux' | 'win32' | 'darwin', version: string) =>
      fusesFor(platform, version)[Fuse.EnableEmbeddedAsarIntegrityValidation]
    expect(checks('darwin', '22.3.25')).toBe(true)
    expect(checks('win32', '22.3.25')).toBe(false)
    expect(checks('win32', '45.4.1')).toBe(true)
    expect(checks('linux', '45.4.1')).toBe(false)
  })
})

describe('needs of the packed programs', () => {
  it('are those of all files together, without what is bundled', () => {
    const needs = unitedNeeds(
      [
        { needed: ['libgtk-3.so.0', 'libffmpeg.so', 'libc.so.6'], versions: { GLIBC: '2.9' } },
        { needed: ['libgtk-3.so.0'], versions: { GLIBC: '2.17' } },
      ],
      ['libffmpeg.so'],
    )
    expect(needs).toEqual({ libraries: ['libgtk-3.so.0'], libc: '2.17' })
  })

  it('become Debian packages, by the names of old and new suites', () => {
    const depends = debianPackages({ libraries: ['libgtk-3.so.0', 'libnss3.so'], libc: '2.17' })
    expect(depends).toEqual(['libc6 (>= 2.17)', 'libgtk-3-0t64 | libgtk-3-0', 'libnss3'])
  })

  it('stop the build when no package is known for a library', () => {
    const unknown = { libraries: ['libnew.so.1'], libc: '2.17' }
    expect(() => debianPackages(unknown)).toThrow('libnew.so.1')
  })
})

describe('what packages say', () => {
  const asked = { version: '1.2.3', arch: 'x64', substitute: false }

  it('names the entry of the menu that they install', () => {
    const { desktopName, version } = packedManifest('1.2.3')
    expect({ desktopName, version }).toEqual({ desktopName: 'thruflux.desktop', version: '1.2.3' })
    expect(Object.values(linuxPlaces)).toContain('share/applications/thruflux.desktop')
  })

  it('orders a pre-release before its release', () => {
    expect(debianVersion('1.2.0-beta.1')).toBe('1.2.0~beta.1')
    expect(debianVersion('1.2.0')).toBe('1.2.0')
  })

  it('is a control file that dpkg can read', () => {
    const control = controlFile({ ...asked, depends: ['libc6 (>= 2.17)'], size: 7 })
    expect(control).toMatch(/^Package: thruflux\nVersion: 1\.2\.3\nArchitecture: amd64\n/)
    expect(control).toContain('\nDepends: libc6 (>= 2.17)\n')
    expect(control.split('\n').every((line) => line === '' || /^(\S+: | )/.test(line))).toBe(true)
  })

  it('warns of the substitute runtime', () => {
    const control = controlFile({ ...asked, substitute: true, depends: [], size: 7 })
    expect(control).toContain('substitute')
  })

  it('neither requires nor provides bundled libraries', () => {
    const own = ['libnice.so.10', 'thruflux']
    const spec = specFile({ ...asked, tree: '/t', own, quick: true })
    expect(spec).toContain('__requires_exclude ^(libnice\\\\.so\\\\.10)')
    expect(spec).toContain('__provides_exclude_from .*')
  })
})
