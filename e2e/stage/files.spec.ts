import { expect } from '@playwright/test'
import { freshStage, page, stage, test } from './stage-app'

test.beforeAll(freshStage)

test.beforeEach(() => stage.enter('receiving'))

test('the files of a receive can be found by filter and by name', async () => {
  await expect(page.getByRole('tab', { name: 'All 1,282' })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await page.getByRole('tab', { name: 'All 1,282' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'Active 3' })).toBeFocused()
  await expect(page.getByRole('row')).toHaveCount(3)
  await expect(page.getByRole('row').first()).toContainText('71%')
  await page.getByRole('searchbox').fill('GATE')
  await expect(page.getByRole('row')).toHaveCount(1)
  await page.getByRole('searchbox').fill('nothing like it')
  await expect(page.getByText('No file matches "nothing like it".')).toBeVisible()
})

test('only the visible rows exist, and keys reach all rows', { tag: '@full' }, async () => {
  await expect(page.getByRole('row').first()).toContainText('A001_C000')
  expect(await page.getByRole('row').count()).toBeLessThan(40)
  await page.getByRole('row').first().focus()
  await page.keyboard.press('End')
  await expect(page.locator('[aria-rowindex="1282"]')).toBeFocused()
  await expect(page.locator('[aria-rowindex="1282"]')).toContainText('take-1281.wav')
  await page.keyboard.press('Home')
  await expect(page.locator('[aria-rowindex="1"]')).toBeFocused()
})

test(
  'one or several files are skipped, included again and moved to the front during a receive',
  { tag: '@full' },
  async () => {
    await page.getByRole('tab', { name: 'Waiting' }).click()
    const first = page.getByRole('row').first()
    await first.getByRole('button', { name: /^Receive .* first$/ }).click()
    await first.focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await expect(page.getByRole('toolbar', { name: '2 files selected' })).toBeVisible()
    await page.getByRole('toolbar').getByRole('button', { name: 'Skip' }).click()
    await expect(page.getByRole('toolbar')).toBeHidden()
    await page.getByRole('tab', { name: 'Skipped' }).click()
    await page.getByRole('button', { name: 'Receive ambience-gate-05.wav after all' }).click()
    const folder = '/Day 2, Fushimi'
    expect(await stage.calls()).toEqual([
      { name: 'prioritize', arg: { receive: 'r1', patterns: [`${folder}/A001_C801_0412.mov`] } },
      {
        name: 'select',
        arg: {
          receive: 'r1',
          patterns: [`${folder}/A001_C801_0412.mov`, `${folder}/A001_C802_0412.mov`],
          wanted: false,
        },
      },
      {
        name: 'select',
        arg: { receive: 'r1', patterns: ['/Sound/ambience-gate-05.wav'], wanted: true },
      },
    ])
  },
)

test('the log of a transfer is copied', { tag: '@full' }, async () => {
  await page.getByText('Connection and log').click()
  await page.getByRole('button', { name: 'Copy log' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await stage.calls()).toEqual([{ name: 'copyLog', arg: { id: 'r1' } }])
})

test('a finished file can be opened if programs only display its kind; a folder is only shown', async () => {
  await stage.enter('done')
  await expect(page.getByRole('button', { name: 'Show in folder' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Open', exact: true })).toBeHidden()
})

test('the graph describes its speeds in words, for the last minute and the whole transfer', async () => {
  await expect(
    page.getByRole('img', { name: /^Speed in the last minute: 1\d\d MB\/s on average/ }),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Whole transfer' }).click()
  await expect(page.getByRole('img', { name: /^Speed of the whole transfer:/ })).toBeVisible()
})
