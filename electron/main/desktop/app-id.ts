/** Who the app is to Windows: notifications, taskbar and the entry that starts it at login belong to this id. */
import type { App } from 'electron'

/** The same as in `build/product.json`; the installer writes it into the shortcut of the start menu. */
export const appId = 'org.thruflux.Thruflux'

/** Says it to Windows; a checkout has no shortcut, and goes by Electron's own id. */
export function nameApp(
  app: Pick<App, 'isPackaged' | 'setAppUserModelId'>,
  platform: NodeJS.Platform = process.platform,
): void {
  if (platform === 'win32' && app.isPackaged) app.setAppUserModelId(appId)
}
