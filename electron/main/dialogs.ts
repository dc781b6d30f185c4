/** The system's pickers. Each returns the choice, or nothing. */
import { join } from 'node:path'
import { BrowserWindow, dialog, type OpenDialogOptions } from 'electron'
import { text } from './text'

/** Picks files or folders to share. */
export const pickPaths = (kind: 'files' | 'folder'): Promise<readonly string[]> =>
  pick({
    properties: [kind === 'files' ? 'openFile' : 'openDirectory', 'multiSelections'],
    buttonLabel: text.dialogs.share,
  })

/** Picks a folder to receive into. */
export async function pickDirectory(start: string): Promise<string | null> {
  const [directory] = await pick({
    defaultPath: start,
    properties: ['openDirectory', 'createDirectory'],
    buttonLabel: text.dialogs.saveHere,
  })
  return directory ?? null
}

/** Picks a settings file to read. */
export async function pickSettingsFile(): Promise<string | null> {
  const [file] = await pick({
    properties: ['openFile'],
    filters: [{ name: 'TOML', extensions: ['toml'] }],
  })
  return file ?? null
}

/** Picks a file for a text; the system asks before it replaces one. */
export async function pickSaveFile(
  directory: string,
  name: string,
  extension = 'txt',
): Promise<string | null> {
  // Separators and control characters could lead elsewhere; the person sees and may change the rest.
  // oxlint-disable-next-line no-control-regex -- control characters are replaced here
  const plain = name.replace(/[\u0000-\u001f<>:"/\\|?*]/g, '_')
  const options = {
    defaultPath: join(directory, `${plain === '' ? text.dialogs.unnamedText : plain}.${extension}`),
  }
  const window = frontWindow()
  const { canceled, filePath } =
    window === undefined
      ? await dialog.showSaveDialog(options)
      : await dialog.showSaveDialog(window, options)
  return canceled || filePath === '' ? null : filePath
}

const frontWindow = () => BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0]

async function pick(options: OpenDialogOptions): Promise<readonly string[]> {
  const window = frontWindow()
  const { canceled, filePaths } =
    window === undefined
      ? await dialog.showOpenDialog(options)
      : await dialog.showOpenDialog(window, options)
  return canceled ? [] : filePaths
}
