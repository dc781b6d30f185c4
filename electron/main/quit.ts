/** The order of closing: transfers first, then the process. */
import { type App, BrowserWindow } from 'electron'

/** Peers are notified and journals written within this time, or the process ends without that. */
const closingMs = 5000
/** A disk that takes longer than this for a copy of the program is left alone. */
const lastMs = 60_000
/** The engine gives up a disk that hangs after 11 s, also when nobody waits for it any more. */
const engineMs = 15_000
/** What else a process does before it is gone takes milliseconds, or for ever. */
const exitMs = 5000

/** What is done before the process ends, each once and not waited for forever. */
export type Ending = {
  readonly close: () => Promise<void>
  /** After `close`, whatever came of that. */
  readonly last: () => Promise<void>
  /** Ends the process, whatever it does by then; a later call replaces an earlier one. */
  readonly endWithin: (milliseconds: number) => void
}

/** Lets the application end only after that. */
export function closeBeforeQuit(app: App, { close, last, endWithin }: Ending): void {
  let isClosing = false
  app.on('before-quit', (event) => {
    event.preventDefault()
    if (isClosing) return
    isClosing = true
    // What a person closed is gone at once, whatever still has to be done.
    for (const window of BrowserWindow.getAllWindows()) window.hide()
    void end()
  })
  app.on('window-all-closed', () => {
    app.quit()
  })

  async function end(): Promise<void> {
    endWithin(closingMs + engineMs)
    const isClosed = await within(closingMs, close)
    endWithin(lastMs + engineMs)
    await within(lastMs, last)
    endWithin(isClosed ? exitMs : engineMs)
    app.exit(0)
  }
}

/** False: it failed, or takes longer than that. */
const within = (patienceMs: number, run: () => Promise<void>): Promise<boolean> =>
  Promise.race([
    run().then(() => true),
    new Promise<false>((resolve) => setTimeout(resolve, patienceMs, false)),
  ]).catch((error: unknown) => {
    console.error('closing failed:', error)
    return false
  })
