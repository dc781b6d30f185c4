import { join } from 'node:path'
import { app, BrowserWindow, nativeImage } from 'electron'

/** What people see beside the pointer, in pixels. */
const iconSize = 64

/** Hands a file or folder to the drag that the page has just begun. */
export function startDrag(file: string): void {
  const image = nativeImage.createFromPath(join(app.getAppPath(), 'resources/icons/icon.png'))
  const icon = image.resize({ width: iconSize, height: iconSize })
  BrowserWindow.getFocusedWindow()?.webContents.startDrag({ file, icon })
}
