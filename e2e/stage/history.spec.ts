/** The history: thousands of entries, search, filters, and what can be done with one. */
import AxeBuilder from '@axe-core/playwright'
import { expect, test } from '@playwright/test'
import type { TransferId } from '#shared/app-state'
import type { HistoryEntry } from '#shared/history'
import { launchStage, type StageApp } from './stage-app'

let stage: StageApp

test.beforeAll(async () => {
  stage = await launchStage()
})

test.afterAll(() => stage.close())

const hourMs = 3_600_000
const day = new Date().setHours(12, 0, 0, 0)

const entry = (id: number, more: Partial<HistoryEntry>): HistoryEntry => ({
  ...{ id, direction: 'received', transfer: id.toString(16).padStart(32, '0') as TransferId },
  ...{ endedAtMs: day - id * hourMs, title: 'Kyoto rushes', person: 'Mina Park', contact: null },
  ...{ files: 1282, bytes: 61.9e9, durationMs: 548_000, rate: 113e6, route: 'direct' },
  ...{ outcome: 'done', error: null, problemCount: 0, problems: [] },
  ...{ folder: '/media/sora/Projects', target: '/media/sora/Projects/Kyoto rushes', paths: [] },
  ...more,
})

const sent = { direction: 'sent', folder: null, target: null, paths: ['/home/sora/x'] } as const

const some: readonly HistoryEntry[] = [
  entry(1, {}),
  entry(2, { ...sent, title: 'Lecture slides', person: 'Jonas Weber', files: 38, bytes: 4.1e9 }),
  entry(3, { title: 'Thesis data set', person: 'lab-server-2', files: 100_000, problemCount: 3 }),
  entry(26, { ...sent, title: 'release-2.4.0.tar', person: 'build-host', files: 1, bytes: 1.42e9 }),
  entry(27, { title: 'Floor plan, second storey.pdf', person: 'Aiko Tanaka', files: 1 }),
  entry(28, { ...sent, title: 'Interview', outcome: 'cancelled', rate: 0, person: '' }),
  entry(150, { title: 'Photo archive', outcome: 'failed', error: 'E_DISK_IO', files: 48_120 }),
]

/** Opens the history with these entries. */
async function open(entries: readonly HistoryEntry[], gone: readonly number[] = []) {
  const { app, page } = stage
  await stage.enter('home')
  await app.evaluate(
    (_electron, scene) => {
      globalThis.stage.history.entries = scene.entries
      globalThis.stage.history.gone = scene.gone
    },
    { entries, gone },
  )
  await page.getByRole('button', { name: 'History' }).click()
  return page.locator('.history')
}

const lastCall = async () => (await stage.calls()).at(-1)

test('entries stand by day, each with who, how much, how fast and how it ended', async () => {
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
  const { page } = stage
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
  await expect.poll(lastCall).toEqual({ name: 'removeHistory', arg: { id: 1 } })
  await history.getByRole('button', { name: 'More' }).click()
  await history.getByRole('button', { name: 'Clear history' }).click()
  await expect.poll(lastCall).toEqual({ name: 'removeHistory', arg: { id: null } })
  await rows.nth(1).getByRole('button', { name: 'Send again' }).click()
  await expect.poll(lastCall).toEqual({ name: 'sendAgain', arg: { id: 2 } })
  await expect(history).toHaveCount(0)
})

test('ten thousand entries scroll, and only those that are visible are drawn', async () => {
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
})

test('a new entry appears without being asked for', async () => {
  const { app } = stage
  const history = await open([])
  await expect(history).toContainText('Nothing here yet')
  await app.evaluate((_electron, entries) => {
    globalThis.stage.history.entries = entries
    globalThis.stage.play([{ type: 'history-changed', revision: 1, atMs: 1 }])
  }, some)
  await expect(history.getByRole('listitem')).toHaveCount(some.length)
})

for (const scheme of ['light', 'dark'] as const) {
  test(`is accessible and fits, ${scheme}`, async () => {
    const { page } = stage
    await page.emulateMedia({ colorScheme: scheme })
    for (const [width, height] of [
      [1180, 760],
      [900, 600],
    ] as const) {
      await stage.resize(width, height)
      const history = await open(some, [27])
      await expect(history.getByRole('listitem').nth(4)).toContainText('Moved or deleted')
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
      const picture = process.env['THRU_HISTORY_PICTURES']
      if (picture !== undefined) await stage.capture(`${picture}/history-${scheme}-${width}.png`)
    }
    await page.emulateMedia({ colorScheme: null })
    await stage.resize(1180, 760)
  })
}
