/** The order of closing: transfers first, then the process. */
import { type App, BrowserWindow } from 'electron'

/** Peers are notified and journals written within this time, or the process ends without that. */
const closingMs = 5000
/** A disk that takes longer than this for a copy of the program is left alone. */
const lastMs = 60_000

/** What is done before the process ends, each once and not waited for forever. */
export type Ending = {
  readonly close: () => Promise<void>
  /** After `close`, whatever came of that. */
  readonly last: () => Promise<void>
}

/** Lets the application end only after that. */
export function closeBeforeQuit(app: App, { close, last }: Ending): void {
  let isClosing = false
  app.on('before-quit', (event) => {
    event.preventDefault()
    if (isClosing) return
    isClosing = true
    // What a person closed is gone at once, whatever still has to be done.
    for (const window of BrowserWindow.getAllWindows()) window.hide()
    void within(closingMs, close)
      .then(() => within(lastMs, last))
      .then(() => {
        app.exit(0)
      })
  })
  app.on('window-all-closed', () => {
    app.quit()
  })
}

const within = (patienceMs: number, run: () => Promise<void>): Promise<void> =>
  Promise.race([run(), new Promise<void>((resolve) => setTimeout(resolve, patienceMs))]).catch(
    (error: unknown) => {
      console.error('closing failed:', error)
    },
  )
