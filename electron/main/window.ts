import { BrowserWindow, nativeTheme, screen, type Session } from 'electron'
import { type Language, language } from '#shared/language'
import { appPage } from './app-scheme'
import { loadPage } from './load-page'
import { loadText, text } from './text'
import { visiblePlacement, type WindowNotes } from './window-notes'

/** The page's background before it has painted; the same as `--bg` in its tokens. */
const background = { light: '#f5f6f8', dark: '#0d0e11' } as const

export type WindowFiles = { readonly preload: string; readonly icon: string }

/**
 * The broken part. `window`: the page crashed twice. `program`: a bug in this process, which may no longer work
 * correctly. `engine`: it can't be loaded, so nothing can be transferred.
 */
export type FatalErrorKind = 'window' | 'program' | 'engine'

type Start = {
  /** The window's stored place; none in tests. */
  readonly notes?: WindowNotes
  /** Loads the window without showing it until it is raised. */
  readonly isHidden?: boolean
}

/** The window and its loading page: `loaded` rejects if neither it nor a replacement loads. */
export type OpenedWindow = { readonly window: BrowserWindow; readonly loaded: Promise<void> }

/** Opens the window: a sandboxed page without Node, connected only by the preload script. */
export function openWindow(
  session: Session,
  files: WindowFiles,
  { notes, isHidden = false }: Start = {},
): OpenedWindow {
  const workAreas = screen.getAllDisplays().map(({ workArea }) => workArea)
  const placement = visiblePlacement(notes?.placement ?? null, workAreas)
  const window = new BrowserWindow({
    width: 1180,
    height: 760,
    ...(placement === null
      ? {}
      : { x: placement.x, y: placement.y, width: placement.width, height: placement.height }),
    minWidth: 480,
    minHeight: 560,
    useContentSize: true,
    show: false,
    autoHideMenuBar: true,
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
  if (notes !== undefined) keepPlacement(window, notes)
  window.once('ready-to-show', () => {
    if (isHidden) return
    if (placement?.isMaximized === true) window.maximize()
    window.show()
  })
  const isFirstTime = notes?.hasTransferred === false
  const address = `${appPage}?lang=${language}${isFirstTime ? '&first' : ''}`
  const loaded = loadPage(window.webContents, address)
  return { window, loaded }
}

/** Changes the language; the page is reloaded, because its address contains the language. */
export async function changeLanguage(wanted: Language): Promise<void> {
  if (wanted === language) return
  await loadText(wanted)
  for (const { webContents } of BrowserWindow.getAllWindows()) {
    // Empty before the page has an address.
    const address = new URL(webContents.getURL() || appPage)
    address.searchParams.set('lang', wanted)
    await loadPage(webContents, address.href)
  }
}

/** Shows a failure instead of the app. */
export const showFatalError = (
  { webContents }: Pick<BrowserWindow, 'webContents'>,
  kind: FatalErrorKind,
): Promise<void> => loadPage(webContents, `${appPage}?lang=${language}&fatal=${kind}`)

/** Stores the window's place whenever it is hidden or closed. */
function keepPlacement(window: BrowserWindow, notes: WindowNotes): void {
  const keep = (): void => {
    const { x, y } = window.getNormalBounds()
    const [width = 0, height = 0] = window.isMaximized()
      ? [notes.placement?.width ?? 1180, notes.placement?.height ?? 760]
      : window.getContentSize()
    notes.note({ placement: { x, y, width, height, isMaximized: window.isMaximized() } })
  }
  window.on('hide', keep)
  window.on('close', keep)
}

/** The app's only window, or `null` before it is open. */
export const mainWindow = () => BrowserWindow.getAllWindows()[0] ?? null

/** False while the window is in the tray or minimized. */
export function isWindowSeen(): boolean {
  const window = mainWindow()
  return window !== null && window.isVisible() && !window.isMinimized()
}

/** Brings the window to the front. */
export function raiseWindow(): void {
  const window = mainWindow()
  if (window === null) return
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}

/** Sends a message to the page, if there is one. */
export function sendToPage(
  channel: 'events' | 'link' | 'request',
  ...messages: readonly unknown[]
): void {
  for (const window of BrowserWindow.getAllWindows()) window.webContents.send(channel, ...messages)
}
