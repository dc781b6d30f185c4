import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { folderOfTest } from '#client/testing/temporary-folder'
import { desktopEntry } from '../main/desktop/desktop-entry'
import { registerLinks, staysInPlace } from '../main/desktop/link-handler'
import { startAtLogin } from '../main/desktop/login-start'

let home: string

beforeEach(() => {
  home = folderOfTest()
})

const linux = () => ({
  platform: 'linux' as const,
  env: { XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, PATH: '/nowhere' },
})

const fakeApp = (isPackaged: boolean, openAtLogin = false) => ({
  isPackaged,
  getLoginItemSettings: () => ({ openAtLogin }) as never,
  setLoginItemSettings: vi.fn(),
  setAsDefaultProtocolClient: vi.fn(() => true),
})

const command = ['/opt/Thru flux/thruflux', '--hidden']

describe('desktopEntry', () => {
  it('quotes only arguments that a desktop would split', () => {
    const entry = desktopEntry({
      name: 'A',
      command: ['/a b/c', '100%', '$HOME', 'x\\y', 'a\nb', '%U'],
    })
    expect(entry).toContain('\nExec="/a b/c" 100%% "\\\\$HOME" "x\\\\\\\\y" "a\\nb" %U\n')
  })

  it('allows no value to begin another line', () => {
    expect(desktopEntry({ name: 'A\nExec=evil', command: ['a'] })).toContain('Name=A\\nExec=evil\n')
  })
})

describe('startAtLogin', () => {
  it('writes an entry for Linux sessions, and removes it again', () => {
    const app = fakeApp(true)
    startAtLogin(app, true, command, linux())
    const file = join(home, 'autostart/thruflux.desktop')
    const entry = readFileSync(file, 'utf8')
    expect(entry).toContain('Exec="/opt/Thru flux/thruflux" --hidden\n')
    // The entry stays after the app is removed, without any effect.
    expect(entry).toContain('\nTryExec=/opt/Thru flux/thruflux\n')
    startAtLogin(app, false, command, linux())
    startAtLogin(app, false, command, linux())
    expect(readdirSync(join(home, 'autostart'))).toEqual([])
  })

  it.each(['', 'here'])('writes no relative path if the variable is %j', (folder) => {
    const env = { XDG_CONFIG_HOME: folder }
    startAtLogin(fakeApp(true), true, command, { platform: 'linux', env }, home)
    expect(readdirSync(join(home, '.config/autostart'))).toEqual(['thruflux.desktop'])
  })

  it('keeps lines that the desktop has added to the entry', () => {
    startAtLogin(fakeApp(true), true, command, linux())
    const file = join(home, 'autostart/thruflux.desktop')
    const changed = `${readFileSync(file, 'utf8')}Hidden=true\n`
    writeFileSync(file, changed)
    startAtLogin(fakeApp(true), true, command, linux())
    expect(readFileSync(file, 'utf8')).toBe(changed)
  })

  it.each(['win32', 'darwin'] as const)('tells %s only about changes', (platform) => {
    const off = fakeApp(true, false)
    startAtLogin(off, false, command, { platform, env: {} })
    expect(off.setLoginItemSettings).not.toHaveBeenCalled()
    startAtLogin(off, true, command, { platform, env: {} })
    expect(off.setLoginItemSettings).toHaveBeenCalledExactlyOnceWith({
      ...{ openAtLogin: true, path: command[0], args: ['--hidden'] },
    })
  })
})

describe('registerLinks', () => {
  const checkout = ['/usr/bin/electron', '/src/thruflux']

  it('writes a separate entry for a checkout on Linux, with the link after the app', () => {
    registerLinks(fakeApp(false), checkout, linux())
    const entry = readFileSync(join(home, 'applications/thruflux-development.desktop'), 'utf8')
    expect(entry).toContain('Exec=/usr/bin/electron /src/thruflux %U\n')
    expect(entry).toContain('MimeType=x-scheme-handler/thruflux;\n')
  })

  it('writes nothing for a Linux package, which has an entry', () => {
    const app = fakeApp(true)
    registerLinks(app, command, linux())
    expect(app.setAsDefaultProtocolClient).not.toHaveBeenCalled()
    expect(readdirSync(home)).toEqual([])
  })

  it('skips a copy on a removable drive, whose path another program may get later', () => {
    const at = (platform: NodeJS.Platform, installed: boolean) =>
      staysInPlace({ platform, execPath: '/e/Thruflux/Thruflux.exe' }, (path) => {
        expect(path).toBe(join('/e/Thruflux/Uninstall.exe'))
        return installed
      })
    expect([at('win32', false), at('win32', true), at('darwin', false)]).toEqual([
      false,
      true,
      true,
    ])
  })

  it('LINK-04 prevents switches in a link on Windows', () => {
    const app = fakeApp(true)
    registerLinks(app, ['C:\\thruflux.exe'], { platform: 'win32', env: {} })
    expect(app.setAsDefaultProtocolClient).toHaveBeenCalledWith('thruflux', 'C:\\thruflux.exe', [
      '--',
    ])
  })
})
