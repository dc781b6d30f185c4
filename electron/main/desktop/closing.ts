/** The effects of closing the window and of quitting, and the questions before them. */
import { BrowserWindow, dialog, type MessageBoxOptions } from 'electron'
import { text } from '../text'

export type Closing = {
  readonly platform: NodeJS.Platform
  readonly closeToTray: boolean
  /** True if a tray shows the icon. */
  readonly hasTray: boolean
  /** True if something is running, or could start: shares, receives, contacts that may send. */
  readonly isNeeded: boolean
}

/** `hide`: the app stays without its window. `ask`: it should stay, but the person could not reopen it from anywhere. */
export function closingOf({ platform, closeToTray, hasTray, isNeeded }: Closing) {
  if (platform === 'darwin') return 'hide'
  if (!closeToTray || !isNeeded) return 'quit'
  return hasTray ? 'hide' : 'ask'
}

/** Explains once that the app stays in the tray. Resolves with false if the person would rather quit. */
export const explainTray = async (): Promise<boolean> =>
  (await ask({
    type: 'info',
    message: text.closing.staysInTray,
    detail: text.closing.staysInTrayAbout,
    buttons: [text.closing.keepRunning, text.closing.quit],
    defaultId: 0,
    cancelId: 0,
  })) === 0

/** Asks about closing on a system without a tray. */
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

/** Asks before `moving` transfers are interrupted, and explains if shares resume at the next start. */
export const askToQuit = async (moving: number, sharesComeBack: boolean): Promise<boolean> =>
  (await ask({
    type: 'question',
    message: text.closing.running(moving),
    detail: sharesComeBack ? text.closing.suspended : text.closing.interrupted,
    buttons: [text.closing.quit, text.closing.cancel],
    defaultId: 1,
    cancelId: 1,
  })) === 0

/** Returns the index of the pressed button. */
async function ask(options: MessageBoxOptions): Promise<number> {
  const window = BrowserWindow.getAllWindows().find((one) => one.isVisible())
  const whole = { noLink: true, ...options }
  const { response } =
    window === undefined
      ? await dialog.showMessageBox(whole)
      : await dialog.showMessageBox(window, whole)
  return response
}
