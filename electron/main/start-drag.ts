import { join } from 'node:path'
import { app, BrowserWindow, nativeImage } from 'electron'

/** Size of the image at the pointer, in pixels. */
const iconSize = 64

/** Starts the system's drag of a file or folder, on the page's request. */
export function startDrag(file: string): void {
  const image = nativeImage.createFromPath(join(app.getAppPath(), 'resources/icons/icon.png'))
  const icon = image.resize({ width: iconSize, height: iconSize })
  BrowserWindow.getFocusedWindow()?.webContents.startDrag({ file, icon })
}
