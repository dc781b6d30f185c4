/** Consent to public meeting points. */
import { expect, type Page } from '@playwright/test'
import { homeScreen } from '../screens/window'
import { violationsOf } from './reach'
import { freshStage, page, stage, test } from './stage-app'

test.beforeAll(freshStage)

test.beforeEach(async () => {
  await stage.app.evaluate(() => {
    globalThis.stage.canMeet = true
  })
  await stage.enter('home')
})

const names = async () => (await stage.calls()).map(({ name }) => name)

async function sendText(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Send text/ }).click()
  await page.getByRole('textbox', { name: 'Text' }).fill('hello')
  await page.keyboard.press('Control+Enter')
}

const question = (page: Page) => page.getByRole('dialog', { name: 'Reach computers outside' })

test('the first share asks, says what others see, and waits for the answer', async () => {
  await sendText(page)
  await expect(question(page)).toContainText('They see your internet address')
  expect(await violationsOf(page)).toEqual([])
  expect(await names()).not.toContain('shareText')
  await question(page).getByRole('button', { name: 'Use them' }).click()
  await expect.poll(names).toEqual(expect.arrayContaining(['changeSettings', 'shareText']))
  const [change] = (await stage.calls()).filter(({ name }) => name === 'changeSettings')
  expect(change?.arg).toEqual({ network: { meeting: 'automatic' } })
  await expect(question(page)).toBeHidden()
})

test('a refusal is kept, and a later join does not ask', async () => {
  await sendText(page)
  await question(page).getByRole('button', { name: 'Only this network' }).click()
  await expect.poll(names).toContain('shareText')
  const [change] = (await stage.calls()).filter(({ name }) => name === 'changeSettings')
  expect(change?.arg).toEqual({ network: { meeting: 'never' } })
  await homeScreen(page).enterCode('4821-apple-kayak-onion')
  await expect.poll(names).toContain('join')
  await expect(question(page)).toBeHidden()
})
