/** The sheet with licenses, from the menu and from the settings. */
import { expect } from '@playwright/test'
import { appError } from '#shared/errors'
import { freshStage, page, stage, test } from './stage-app'

test.beforeAll(freshStage)

const sheet = () => page.getByRole('dialog', { name: 'Licenses' })

test('the About page shows the licenses, which scroll by keys and close with Esc', async () => {
  await stage.enter('home')
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'About' }).click()
  await page.getByRole('button', { name: 'Show licenses' }).click()
  await expect(sheet()).toContainText('third-party software')
  const notices = sheet().locator('.license-text')
  await notices.focus()
  await page.keyboard.press('End')
  await expect.poll(() => notices.evaluate((one) => one.scrollTop)).toBeGreaterThan(1000)
  await page.keyboard.press('Escape')
  await expect(sheet()).toBeHidden()
})

test('the menu shows them, too', async () => {
  await stage.app.evaluate(({ Menu }) => {
    Menu.getApplicationMenu()?.getMenuItemById('licenses')?.click()
  })
  await expect(sheet()).toBeVisible()
  await page.keyboard.press('Escape')
})

test('an error of reading them is shown', async () => {
  await stage.refuseNext(appError('E_INTERNAL'))
  await page.getByRole('button', { name: 'Show licenses' }).click()
  await expect(page.getByText('Something went wrong in Thruflux.')).toBeVisible()
  await expect(sheet()).toBeHidden()
})
