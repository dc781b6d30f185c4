import { BrowserWindow, nativeTheme, type Session } from 'electron'
import { language } from '#shared/language'
import { appPage } from './app-scheme'
import { text } from './text'

/** The page's background before it has painted; the same as `--bg` in its tokens. */
const background = { light: '#f5f6f8', dark: '#0d0e11' } as const

export type WindowFiles = { readonly preload: string; readonly icon: string }

/** Opens the window: a sandboxed page without Node whose only door is the preload. */
export async function openWindow(session: Session, files: WindowFiles): Promise<BrowserWindow> {
  const window = new BrowserWindow({
    width: 1180,
    height: 760,
    minWidth: 820,
    minHeight: 560,
    useContentSize: true,
    show: false,
    title: text.window.title,
    icon: files.icon,
    backgroundColor: nativeTheme.shouldUseDarkColors ? background.dark : background.light,
    webPreferences: {
      session,
      preload: files.preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      spellcheck: false,
    },
  })
  window.once('ready-to-show', () => {
    window.show()
  })
  await window.loadURL(`${appPage}?lang=${language}`)
  return window
}

/** Brings the window before all others, wherever it was. */
export function raiseWindow(): void {
  const [window] = BrowserWindow.getAllWindows()
  if (window === undefined) return
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}
