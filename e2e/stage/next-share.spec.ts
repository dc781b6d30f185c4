/** Choices for the next share only, and unfinished input after a reload of the page. */
import { expect } from '@playwright/test'
import { violationsOf } from './reach'
import { shareId } from './scenes/scene-parts'
import { freshStage, page, stage, test, testInColors } from './stage-app'

test.beforeAll(freshStage)

const calls = async (name: string) =>
  (await stage.calls()).filter((call) => call.name === name).map(({ arg }) => arg)

testInColors('exclusions apply to one share, and not to the next', async () => {
  await stage.enter('home')
  await page.getByRole('button', { name: 'Options' }).click()
  const options = page.getByRole('dialog', { name: 'For the next share' })
  await options.getByRole('textbox', { name: 'Leave out' }).fill('node_modules, *.tmp')
  await options.getByText('More options').click()
  await options.getByRole('checkbox', { name: /gitignore/ }).click()
  await options.getByRole('checkbox', { name: 'One receiver only' }).click()
  await options.getByRole('checkbox', { name: 'Ask before anyone receives' }).click()
  expect(await violationsOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Options (4)' })).toBeFocused()
  await page.getByRole('button', { name: /^Send text/ }).click()
  await page.getByRole('textbox', { name: 'Text' }).fill('hello')
  await page.keyboard.press('Control+Enter')
  await expect
    .poll(() => calls('shareText'))
    .toMatchObject([
      {
        options: {
          exclude: ['node_modules', '*.tmp'],
          gitignore: true,
          oneReceiver: true,
          approve: true,
        },
      },
    ])
  await expect(page.getByRole('button', { name: 'Options', exact: true })).toBeVisible()
})

test('the options open where there is room for them, even at the bottom of the column', async () => {
  await stage.enter('sharing-started')
  await page.getByRole('button', { name: 'Options' }).click()
  const options = page.getByRole('dialog', { name: 'For the next share' })
  await expect(options.getByRole('textbox', { name: 'Leave out' })).toBeFocused()
  const box = await options.boundingBox()
  const height = await page.evaluate(() => innerHeight)
  expect(box?.y).toBeGreaterThan(0)
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height)
})

test('the card counts excluded items', async () => {
  await stage.enter('sharing-started')
  const totals = { files: 30, folders: 2, bytes: 1e6, complete: true, excluded: 12 }
  await stage.play([{ type: 'share-counted', atMs: 1, share: shareId('s1'), totals }])
  await expect(page.getByText('30 files · 1.0 MB · 12 items left out')).toBeVisible()
})

test('a reloaded page keeps the unfinished code, text and choices', async () => {
  await stage.enter('home')
  await page.getByRole('button', { name: 'Options' }).click()
  await page.getByRole('checkbox', { name: 'One receiver only' }).click()
  await page.keyboard.press('Escape')
  await page.locator('#code-field').fill('4821-apple-ka')
  await page.getByRole('button', { name: /^Send text/ }).click()
  await page.getByRole('textbox', { name: 'Text' }).fill('half a thought')
  await expect
    .poll(() => stage.app.evaluate(() => globalThis.stage.draft))
    .toMatchObject({ code: '4821-apple-ka', writing: { words: 'half a thought' } })
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Text' })).toHaveValue('half a thought')
  await page.keyboard.press('Escape')
  await expect(page.locator('#code-field')).toHaveValue('4821-apple-ka')
  await expect(page.getByRole('button', { name: 'Options (1)' })).toBeVisible()
})
