/** The system's pickers. Each answers with what was chosen, or nothing. */
import { BrowserWindow, dialog, type OpenDialogOptions } from 'electron'

/** Files or folders to share. */
export const pickPaths = (kind: 'files' | 'folder'): Promise<readonly string[]> =>
  pick({
    properties: [kind === 'files' ? 'openFile' : 'openDirectory', 'multiSelections'],
    buttonLabel: 'Share',
  })

/** A folder to receive into. */
export async function pickDirectory(start: string): Promise<string | null> {
  const [directory] = await pick({
    defaultPath: start,
    properties: ['openDirectory', 'createDirectory'],
    buttonLabel: 'Save here',
  })
  return directory ?? null
}

/** A file to write, `suggested` unless the person wants another; `null` when closed. */
export async function pickTarget(suggested: string): Promise<string | null> {
  const options = { defaultPath: suggested }
  const window = ownWindow()
  const { canceled, filePath } =
    window === undefined
      ? await dialog.showSaveDialog(options)
      : await dialog.showSaveDialog(window, options)
  return canceled || filePath === '' ? null : filePath
}

const ownWindow = () => BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0]

async function pick(options: OpenDialogOptions): Promise<readonly string[]> {
  const window = ownWindow()
  const { canceled, filePaths } =
    window === undefined
      ? await dialog.showOpenDialog(options)
      : await dialog.showOpenDialog(window, options)
  return canceled ? [] : filePaths
}
