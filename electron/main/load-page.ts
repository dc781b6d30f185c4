import type { WebContents } from 'electron'

/** Chromium's ERR_ABORTED, which Electron does not always name. */
const aborted = -3

type Loading = Pick<WebContents, 'loadURL' | 'isLoadingMainFrame' | 'once'>

/**
 * Loads the page at `address`, replacing the current one. Resolves once it or a later replacement is loaded; rejects if
 * loading fails. If one load replaces another, Electron may report to both that the earlier one was aborted.
 */
export async function loadPage(page: Loading, address: string): Promise<void> {
  try {
    await page.loadURL(address)
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).errno !== aborted) throw reason
    if (!page.isLoadingMainFrame()) return
    await new Promise<void>((resolve) => {
      page.once('did-stop-loading', resolve)
    })
  }
}
