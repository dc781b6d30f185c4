/** What closing the window and quitting mean for what runs, and the questions about it. */
import { BrowserWindow, dialog, type MessageBoxOptions } from 'electron'
import { text } from '../text'

export type Closing = {
  readonly platform: NodeJS.Platform
  /** Chosen in the settings. */
  readonly closeToTray: boolean
  /** A tray is there and shows the icon. */
  readonly hasTray: boolean
  /** Something runs, or could at any time: shares, receives, contacts that may send. */
  readonly isNeeded: boolean
}

/**
 * `hide`: the app stays without its window. `ask`: it would have to stay, but there is no place
 * from which it could be opened again.
 */
export function closingOf({ platform, closeToTray, hasTray, isNeeded }: Closing) {
  if (platform === 'darwin') return 'hide'
  if (!closeToTray || !isNeeded) return 'quit'
  return hasTray ? 'hide' : 'ask'
}

/** Says once that the app stays in the tray. False: the person would rather quit. */
export const explainTray = async (): Promise<boolean> =>
  (await ask({
    type: 'info',
    message: text.closing.staysInTray,
    detail: text.closing.staysInTrayAbout,
    buttons: [text.closing.keepRunning, text.closing.quit],
    defaultId: 0,
    cancelId: 0,
  })) === 0

/** Where there is no tray. */
export async function askWithoutTray(): Promise<'minimize' | 'quit' | 'cancel'> {
  const answer = await ask({
    type: 'question',
    message: text.closing.noTray,
    detail: text.closing.noTrayAbout,
    buttons: [text.closing.minimize, text.closing.quit, text.closing.cancel],
    defaultId: 0,
    cancelId: 2,
  })
  return (['minimize', 'quit'] as const)[answer] ?? 'cancel'
}

/** Asks before `moving` transfers are interrupted, and says whether shares follow at the next start. */
export const askToQuit = async (moving: number, sharesComeBack: boolean): Promise<boolean> =>
  (await ask({
    type: 'question',
    message: text.closing.running(moving),
    detail: sharesComeBack ? text.closing.suspended : text.closing.interrupted,
    buttons: [text.closing.quit, text.closing.cancel],
    defaultId: 1,
    cancelId: 1,
  })) === 0

/** The number of the button that was pressed. */
async function ask(options: MessageBoxOptions): Promise<number> {
  const window = BrowserWindow.getAllWindows().find((one) => one.isVisible())
  const whole = { noLink: true, ...options }
  const { response } =
    window === undefined
      ? await dialog.showMessageBox(whole)
      : await dialog.showMessageBox(window, whole)
  return response
}
