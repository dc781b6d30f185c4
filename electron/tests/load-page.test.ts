import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { loadPage } from '../main/load-page'

type Page = Parameters<typeof loadPage>[0]

const failure = (errno: number) =>
  Object.assign(new Error(`(${errno}) loading 'app://page'`), { errno })

/** A page whose next load fails for `reason`, and which may be loading meanwhile. */
class LoadingPage extends EventEmitter {
  isLoading = true

  constructor(readonly reason: Error | null) {
    super()
  }

  loadURL(): Promise<void> {
    return this.reason === null ? Promise.resolve() : Promise.reject(this.reason)
  }

  isLoadingMainFrame(): boolean {
    return this.isLoading
  }
}

const load = (page: LoadingPage) => loadPage(page as unknown as Page, 'app://page?lang=ko')

it('fails when the page does not load', async () => {
  const reason = failure(-6)
  await expect(load(new LoadingPage(reason))).rejects.toBe(reason)
})

it('waits for the page when another load is aborted', async () => {
  const page = new LoadingPage(failure(-3))
  let isLoaded = false
  const loaded = load(page).then(() => {
    isLoaded = true
  })
  await new Promise(setImmediate)
  expect(isLoaded).toBe(false)
  page.emit('did-stop-loading')
  await loaded
})

it('does not wait for a page that is already loaded', async () => {
  const page = new LoadingPage(failure(-3))
  page.isLoading = false
  await load(page)
})
