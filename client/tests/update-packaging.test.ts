import { expect, it } from 'vitest'
import { appImageOf, packagingOf, type Surroundings } from '#client/update/packaging'

const packaged = (more: Partial<Surroundings>) =>
  packagingOf({
    ...{ platform: 'linux', isPackaged: true, env: {}, packageType: '' },
    ...{ hasUninstaller: false, program },
    ...more,
  })

const APPIMAGE = '/home/sora/Thruflux.AppImage'
const APPDIR = '/tmp/.mount_thru1'
const program = `${APPDIR}/usr/lib/thruflux/thruflux`

it('an AppImage, a Windows installation and a Mac app update themselves', () => {
  expect(packaged({ packageType: 'appimage', env: { APPIMAGE, APPDIR } })).toEqual({
    ...{ by: 'app', kind: 'appimage' },
  })
  expect(packaged({ platform: 'win32', hasUninstaller: true }).kind).toBe('nsis')
  expect(packaged({ platform: 'darwin' }).kind).toBe('mac-zip')
})

it.each<Partial<Surroundings>>([
  { packageType: 'deb' },
  { packageType: 'rpm' },
  { packageType: 'flatpak' },
  { packageType: 'deb', env: { APPIMAGE, APPDIR } },
  { packageType: 'appimage', env: { APPIMAGE, APPDIR, FLATPAK_ID: 'app' } },
])('a package of the system is updated by the system: %j', (surroundings) => {
  expect(packaged(surroundings)).toEqual({ by: 'system', kind: null })
})

it.each<Partial<Surroundings>>([
  { isPackaged: false, packageType: 'appimage', env: { APPIMAGE, APPDIR } },
  { env: { APPIMAGE, APPDIR } },
  { packageType: 'appimage' },
  { packageType: 'appimage', env: { APPIMAGE: '', APPDIR } },
  { packageType: 'appimage', env: { APPIMAGE } },
  // Unpacked, and started by a program in another AppImage.
  { packageType: 'appimage', env: { APPIMAGE, APPDIR: '/tmp/.mount_thru' } },
  { platform: 'win32' },
  { platform: 'win32', hasUninstaller: true, env: { PORTABLE_EXECUTABLE_FILE: 'C:\\T.exe' } },
  { platform: 'freebsd', packageType: 'deb' },
])('any other copy is updated by the person: %j', (surroundings) => {
  expect(packaged(surroundings)).toEqual({ by: 'person', kind: null })
})

it.each<[string, Partial<Surroundings>]>([
  ['is installed', { packageType: 'deb', program: '/usr/lib/thruflux/thruflux' }],
  ['is unpacked', { packageType: 'appimage', program: '/opt/Thruflux/usr/lib/thruflux/thruflux' }],
])('the AppImage of a browser that starts this app is not this app if it %s', (_, more) => {
  const ours = { packageType: 'appimage', program, env: { APPIMAGE, APPDIR } }
  expect(appImageOf(ours)).toBe(APPIMAGE)
  expect(appImageOf({ ...ours, ...more })).toBeNull()
})
