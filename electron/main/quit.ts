/** The order of closing: first transfers, then the process. */
import { type App, BrowserWindow } from 'electron'

/** Limits notifying peers and writing journals before the process ends. */
const closingMs = 5000
/** Limits copying the program to a slow disk. */
const lastMs = 60_000
/** The engine abandons a hanging disk after 11 s, even when it is no longer needed. */
const engineMs = 15_000
/** The remaining cleanup takes milliseconds, or hangs. */
const exitMs = 5000

/** Steps before the process ends, each run once, with a time limit. */
export type Ending = {
  readonly close: () => Promise<void>
  /** Runs after `close`, whether that succeeded or not. */
  readonly last: () => Promise<void>
  /** Ends the process after a delay in any case; a later call replaces an earlier one. */
  readonly endWithin: (milliseconds: number) => void
}

/** Delays the end of the application until these steps are done. */
export function closeBeforeQuit(app: App, { close, last, endWithin }: Ending): void {
  let isClosing = false
  app.on('before-quit', (event) => {
    event.preventDefault()
    if (isClosing) return
    isClosing = true
    // Hides the windows immediately, whatever remains to be done.
    for (const window of BrowserWindow.getAllWindows()) window.hide()
    void end()
  })
  app.on('window-all-closed', () => app.quit())

  async function end(): Promise<void> {
    endWithin(closingMs + engineMs)
    const isClosed = await within(closingMs, close)
    endWithin(lastMs + engineMs)
    await within(lastMs, last)
    endWithin(isClosed ? exitMs : engineMs)
    app.exit(0)
  }
}

/** Returns false if it failed or took too long. */
const within = (patienceMs: number, run: () => Promise<void>): Promise<boolean> =>
  Promise.race([
    run().then(() => true),
    new Promise<false>((resolve) => setTimeout(resolve, patienceMs, false)),
  ]).catch((error: unknown) => {
    console.error('closing failed:', error)
    return false
  })
