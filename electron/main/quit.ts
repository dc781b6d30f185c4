/** The order of closing: transfers first, then the process. */
import { type App, BrowserWindow } from 'electron'

/** Peers are notified and journals written within this time, or the process ends without that. */
const patienceMs = 5000

/** Lets the application end only after `close`, which is called once and not waited for forever. */
export function closeBeforeQuit(app: App, close: () => Promise<void>): void {
  let isClosing = false
  app.on('before-quit', (event) => {
    event.preventDefault()
    if (isClosing) return
    isClosing = true
    // What a person closed is gone at once, whatever still has to be done.
    for (const window of BrowserWindow.getAllWindows()) window.hide()
    void Promise.race([close(), patience()])
      .catch((error: unknown) => {
        console.error('closing failed:', error)
      })
      .then(() => {
        app.exit(0)
      })
  })
  app.on('window-all-closed', () => {
    app.quit()
  })
}

const patience = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, patienceMs))
