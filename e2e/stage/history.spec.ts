/** The history: thousands of entries, search, filters, and actions. */
import { expect } from '@playwright/test'
import type { HistoryEntry } from '#shared/state/history'
import { entry, openHistory, someEntries as some } from './scenes/history-scenes'
import { freshStage, page, stage, test } from './stage-app'

test.beforeAll(freshStage)

async function open(entries: readonly HistoryEntry[], gone: readonly number[] = []) {
  await stage.enter('home')
  await openHistory(stage, entries, gone)
  return page.locator('.history')
}

/** Performs the delayed action, as if the time for undoing it were over. */
const carryOut = () => stage.app.evaluate(() => globalThis.stage.deferred.flush())

const lastCall = async () => (await stage.calls()).at(-1)

test('entries are grouped by day, each with person, size, speed and result', async () => {
  const history = await open(some, [27])
  await expect(history.getByRole('heading', { name: 'Today' })).toBeVisible()
  await expect(history.getByRole('heading', { name: 'Yesterday' })).toBeVisible()
  const rows = history.getByRole('listitem')
  await expect(rows).toHaveCount(some.length)
  await expect(rows.nth(0)).toContainText('61.9 GB')
  await expect(rows.nth(0)).toContainText('113 MB/s')
  await expect(rows.nth(0)).toContainText('Verified')
  await expect(rows.nth(2)).toContainText('3 problems')
  await expect(rows.nth(4)).toContainText('Moved or deleted')
  await expect(rows.nth(4).getByRole('button', { name: 'Show in folder' })).toHaveCount(0)
  await expect(rows.nth(5)).toContainText('Stopped')
  await expect(rows.nth(6)).toContainText('Failed')
})

test('words and filters find entries', async () => {
  const history = await open(some)
  const rows = history.getByRole('listitem')
  await page.getByRole('searchbox', { name: 'Name or person' }).fill('weber')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('Lecture slides')
  await page.getByRole('searchbox').fill('')
  await page.getByRole('button', { name: 'Sent', exact: true }).click()
  await expect(rows).toHaveCount(3)
  await page.getByRole('button', { name: 'Problems' }).click()
  await expect(rows).toHaveCount(3)
  await page.getByRole('searchbox').fill('nothing like it')
  await expect(history).toContainText('Nothing matches.')
})

test('an entry is sent again, shown in its folder, or removed', async () => {
  const history = await open(some)
  const rows = history.getByRole('listitem')
  await rows.nth(0).getByRole('button', { name: 'Show in folder' }).click()
  await expect.poll(lastCall).toEqual({ name: 'showHistory', arg: { id: 1 } })
  await rows.nth(0).getByRole('button', { name: 'Remove from history' }).click()
  await expect.poll(lastCall).toEqual({ name: 'defer', arg: { removeHistory: 1 } })
  await carryOut()
  await history.getByRole('button', { name: 'More' }).click()
  await history.getByRole('button', { name: 'Clear history' }).click()
  await expect.poll(lastCall).toEqual({ name: 'defer', arg: { removeHistory: null } })
  await carryOut()
  await rows.nth(1).getByRole('button', { name: 'Send again' }).click()
  await expect.poll(lastCall).toEqual({ name: 'sendAgain', arg: { id: 2 } })
  await expect(history).toHaveCount(0)
})

test('an entry opens its details: why it failed, its problems and its place', async () => {
  const problems = [{ path: 'raw/IMG_1.dng', code: 'E_SOURCE_CHANGED' }] as const
  const history = await open([
    entry(1, { outcome: 'failed', error: 'E_DISK_FULL' }),
    entry(2, { problemCount: 3, problems, folder: '/home/sora/in' }),
  ])
  const rows = history.getByRole('listitem')
  const details = history.locator('.history-details')
  await rows.nth(0).getByRole('button', { name: 'Expand' }).click()
  await expect(details).toContainText('disk')
  await rows.nth(1).getByRole('button', { name: 'Expand' }).click()
  await expect(details).toHaveCount(1)
  await expect(details).toContainText('raw / IMG_1.dng')
  await expect(details).toContainText('2 more')
  await expect(details).toContainText('/home/sora/in')
  await details.getByRole('button', { name: 'Show in folder' }).click()
  await expect.poll(lastCall).toEqual({ name: 'showHistory', arg: { id: 2 } })
})

test(
  'ten thousand entries scroll, and only the visible ones are drawn',
  { tag: '@full' },
  async () => {
    const many = Array.from({ length: 10_000 }, (_, index) =>
      entry(index + 1, { title: `item ${index + 1}` }),
    )
    const history = await open(many)
    const rows = history.getByRole('listitem')
    await expect(rows.first()).toContainText('item 1')
    expect(await rows.count()).toBeLessThan(60)
    await history.locator('.history-scroller').evaluate((scroller) => {
      scroller.scrollTop = scroller.scrollHeight
    })
    await expect(history.getByText('item 9990', { exact: true })).toBeVisible()
    expect(await rows.count()).toBeLessThan(60)
  },
)

test('a new entry appears automatically', async () => {
  const { app } = stage
  const history = await open([])
  await expect(history).toContainText('Nothing here yet')
  await app.evaluate((_electron, entries) => {
    globalThis.stage.history.entries = entries
    globalThis.stage.play([{ type: 'history-changed', revision: 1, atMs: 1 }])
  }, some)
  await expect(history.getByRole('listitem')).toHaveCount(some.length)
})
