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

it('an AppImage, a Windows installation and a Mac bring themselves up to date', () => {
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
])('what the system installed it brings up to date: %j', (surroundings) => {
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
])('the rest is the business of the person who put it there: %j', (surroundings) => {
  expect(packaged(surroundings)).toEqual({ by: 'person', kind: null })
})

it.each<[string, Partial<Surroundings>]>([
  ['is installed', { packageType: 'deb', program: '/usr/lib/thruflux/thruflux' }],
  ['is unpacked', { packageType: 'appimage', program: '/opt/Thruflux/usr/lib/thruflux/thruflux' }],
])('the AppImage of a browser that starts this app is not its own where it %s', (_, more) => {
  const ours = { packageType: 'appimage', program, env: { APPIMAGE, APPDIR } }
  expect(appImageOf(ours)).toBe(APPIMAGE)
  expect(appImageOf({ ...ours, ...more })).toBeNull()
})
