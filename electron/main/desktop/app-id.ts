/** The app's identity on Windows, used for notifications, the taskbar and starting at login. */
import type { App } from 'electron'

/** The same as in `build/product.json`; the installer writes it into the start menu shortcut. */
export const appId = 'org.thruflux.Thruflux'

/** Tells Windows the id. A checkout has no shortcut and keeps Electron's own id. */
export function nameApp(
  app: Pick<App, 'isPackaged' | 'setAppUserModelId'>,
  platform: NodeJS.Platform = process.platform,
): void {
  if (platform === 'win32' && app.isPackaged) app.setAppUserModelId(appId)
}
