import { Menu } from 'electron'

/**
 * macOS needs a menu for its editing keys to work. Elsewhere the window has none: what Electron's
 * own menu offers, reloading and developer tools, is nothing for people who send files.
 */
export function setMenu(platform: NodeJS.Platform): void {
  const onMac = [{ role: 'appMenu' }, { role: 'editMenu' }, { role: 'windowMenu' }] as const
  Menu.setApplicationMenu(platform === 'darwin' ? Menu.buildFromTemplate([...onMac]) : null)
}
