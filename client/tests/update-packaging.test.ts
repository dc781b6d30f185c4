import { expect, it } from 'vitest'
import { packagingOf, type Surroundings } from '#client/update/packaging'

const packaged = (more: Partial<Surroundings>) =>
  packagingOf({
    ...{ platform: 'linux', isPackaged: true, env: {}, packageType: '', isFromStore: false },
    hasUninstaller: false,
    ...more,
  })

const APPIMAGE = '/home/sora/Thruflux.AppImage'

it('an AppImage, a Windows installation and a Mac bring themselves up to date', () => {
  expect(packaged({ packageType: 'appimage', env: { APPIMAGE } })).toEqual({
    ...{ by: 'app', kind: 'appimage' },
  })
  expect(packaged({ platform: 'win32', hasUninstaller: true }).kind).toBe('nsis')
  expect(packaged({ platform: 'darwin' }).kind).toBe('mac-zip')
})

it.each<Partial<Surroundings>>([
  { packageType: 'deb' },
  { packageType: 'rpm' },
  { packageType: 'flatpak' },
  { packageType: 'deb', env: { APPIMAGE } },
  { packageType: 'appimage', env: { APPIMAGE, FLATPAK_ID: 'app' } },
  { platform: 'win32', isFromStore: true, hasUninstaller: true },
  { platform: 'win32', packageType: 'msix' },
])('what the system installed it brings up to date: %j', (surroundings) => {
  expect(packaged(surroundings)).toEqual({ by: 'system', kind: null })
})

it.each<Partial<Surroundings>>([
  { isPackaged: false, env: { APPIMAGE } },
  { env: { APPIMAGE } },
  { packageType: 'appimage' },
  { packageType: 'appimage', env: { APPIMAGE: '' } },
  { platform: 'win32' },
  { platform: 'win32', hasUninstaller: true, env: { PORTABLE_EXECUTABLE_FILE: 'C:\\T.exe' } },
  { platform: 'freebsd', packageType: 'deb' },
])('the rest is the business of the person who put it there: %j', (surroundings) => {
  expect(packaged(surroundings)).toEqual({ by: 'person', kind: null })
})
