import type { WebContents } from 'electron'

/** Chromium's ERR_ABORTED; Electron gives it no name in all cases. */
const aborted = -3

type Loading = Pick<WebContents, 'loadURL' | 'isLoadingMainFrame' | 'once'>

/**
 * Loads the page at `address` in the place of what is there. Resolves when it is loaded, or a later
 * page in its place; rejects when it doesn't come. When one load takes the place of another, Electron
 * may tell both that the earlier one was aborted.
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
