/** Starts the app hidden at login, if the setting says so. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from 'electron'
import { homeFolder } from '#client/home-folder'
import { xdgFolder } from '#client/xdg-folder'
import { desktopEntry } from './desktop-entry'

type System = Pick<NodeJS.Process, 'platform' | 'env'>

type LoginApp = Pick<App, 'isPackaged' | 'getLoginItemSettings' | 'setLoginItemSettings'>

/** The file that starts the app with a Linux session (XDG autostart); a checkout has its own. */
function autostartFile({ env }: System, home: string, isPackaged: boolean): string {
  const config = xdgFolder(env['XDG_CONFIG_HOME'], join(home, '.config'))
  return join(config, 'autostart', `thruflux${isPackaged ? '' : '-development'}.desktop`)
}

/** Updates the system's login item if it differs. */
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
    // Removing the app leaves this entry in home folders; sessions skip it if the program is missing.
    more: { TryExec: program, 'X-GNOME-Autostart-enabled': 'true' },
  })
  try {
    if (!isWanted) rmSync(file, { force: true })
    // Keeps lines that another program may have added, such as `Hidden`.
    else if (!contentOf(file).startsWith(content)) {
      mkdirSync(join(file, '..'), { recursive: true })
      writeFileSync(file, content)
    }
  } catch (error) {
    console.error('could not change starting at login:', error)
  }
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** True if the system started the app at login: macOS passes no arguments then. */
export const wasStartedAtLogin = (app: Pick<App, 'getLoginItemSettings'>): boolean =>
  process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin
