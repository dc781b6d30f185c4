/** Starting with the session, hidden, as the settings say. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from 'electron'
import { homeFolder } from '#client/home-folder'
import { xdgFolder } from '#client/xdg-folder'
import { desktopEntry } from './desktop-entry'

type System = Pick<NodeJS.Process, 'platform' | 'env'>

type LoginApp = Pick<App, 'isPackaged' | 'getLoginItemSettings' | 'setLoginItemSettings'>

/** Where sessions of Linux look for what starts with them (XDG autostart); a checkout has its own. */
function autostartFile({ env }: System, home: string, isPackaged: boolean): string {
  const config = xdgFolder(env['XDG_CONFIG_HOME'], join(home, '.config'))
  return join(config, 'autostart', `thruflux${isPackaged ? '' : '-development'}.desktop`)
}

/** Changes what the system does at login, where it differs from that. */
export function startAtLogin(
  app: LoginApp,
  isWanted: boolean,
  command: readonly string[],
  system: System = process,
  home: string = homeFolder(),
): void {
  if (system.platform === 'linux') {
    writeAutostart(autostartFile(system, home, app.isPackaged), isWanted, command)
    return
  }
  const [path = '', ...args] = command
  if (app.getLoginItemSettings({ path, args }).openAtLogin === isWanted) return
  app.setLoginItemSettings({ openAtLogin: isWanted, path, args })
}

function writeAutostart(file: string, isWanted: boolean, command: readonly string[]): void {
  const [program = ''] = command
  const content = desktopEntry({
    name: 'Thruflux',
    command,
    // Whoever removes the app can't reach into homes: without the program, sessions pass the entry over.
    more: { TryExec: program, 'X-GNOME-Autostart-enabled': 'true' },
  })
  try {
    if (!isWanted) rmSync(file, { force: true })
    // Another program may have added lines, such as `Hidden`, that are to stay.
    else if (!contentOf(file).startsWith(content)) {
      mkdirSync(join(file, '..'), { recursive: true })
      writeFileSync(file, content)
    }
  } catch (error) {
    console.error('starting at login could not be changed:', error)
  }
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** True for a start by the system at login: macOS passes no arguments then. */
export const wasStartedAtLogin = (app: Pick<App, 'getLoginItemSettings'>): boolean =>
  process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin
