/** Places, and the pages of the settings: what a control changes is asked for at once. */
import { expect, test } from '@playwright/test'
import { openSettings, shareCard, topBar } from '../screens/window'
import { launchStage, type StageApp } from './stage-app'

let stage: StageApp

test.beforeAll(async () => {
  stage = await launchStage()
})
test.afterAll(() => stage.close())

const lastCall = async () => (await stage.calls()).at(-1)

test('places are reached by click and key, and the code field stays', async () => {
  await stage.enter('sharing-receivers')
  const { page } = stage
  const bar = topBar(page)
  await expect(bar.place('Transfers')).toHaveAttribute('aria-current', 'page')
  await expect(bar.place('Transfers')).toHaveText('Transfers2')
  await bar.place('Contacts').click()
  await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible()
  await expect(page.getByText('Add someone during a transfer.')).toBeVisible()
  await page.keyboard.press('Control+,')
  await expect(page.getByRole('heading', { level: 1, name: 'General' })).toBeVisible()
  await expect(bar.codeField).toBeVisible()
  await page.keyboard.press('Control+1')
  await expect(shareCard(page, '6 items').card).toBeVisible()
})

test('what is shared from another place is shown', async () => {
  await stage.enter('sharing-receivers')
  const { page } = stage
  await openSettings(page, 'Network')
  await page.keyboard.press('Control+O')
  await expect.poll(lastCall).toMatchObject({ name: 'pickAndShare' })
  // Nothing was chosen, so the page stays.
  await expect(page.getByRole('heading', { level: 1, name: 'Network' })).toBeVisible()
  await topBar(page).codeField.fill('4821-apple-kayak-onion')
  await topBar(page).codeField.press('Enter')
  await expect(topBar(page).place('Transfers')).toHaveAttribute('aria-current', 'page')
})

test('a switch, a choice, a number and a text are saved at once', async () => {
  await stage.enter('home')
  const { page } = stage
  await openSettings(page, 'General')
  const name = page.getByRole('textbox', { name: 'Your name' })
  await name.fill('Studio')
  await name.press('Escape')
  await expect(name).toHaveValue('')
  await name.fill('  Studio ')
  await name.press('Enter')
  await expect.poll(lastCall).toEqual({
    ...{ name: 'changeSettings', arg: { general: { name: 'Studio' } } },
  })
  await openSettings(page, 'Sharing')
  await page.getByRole('combobox', { name: 'A code expires after' }).selectOption('1h')
  await expect.poll(lastCall).toMatchObject({ arg: { sharing: { codeLife: '1h' } } })
  await page.getByRole('switch', { name: 'Each code is for one receiver' }).press('Space')
  await expect.poll(lastCall).toMatchObject({ arg: { sharing: { oneReceiver: true } } })
  await expect(page.getByRole('switch', { name: 'Each code is for one receiver' })).toHaveAttribute(
    'aria-checked',
    'true',
  )
  await page.getByRole('textbox', { name: 'Receivers at the same time' }).fill('3')
  await expect.poll(lastCall).toMatchObject({ arg: { sharing: { maxReceivers: 3 } } })
  const exclude = page.getByRole('textbox', { name: 'Always leave out' })
  await exclude.fill('node_modules, *.tmp')
  await exclude.press('Enter')
  await expect.poll(lastCall).toMatchObject({
    arg: { sharing: { exclude: ['node_modules', '*.tmp'] } },
  })
})

test('the folder for receives comes from the dialog, and Downloads is one click away', async () => {
  await stage.enter('home')
  const { page } = stage
  await openSettings(page, 'Receiving')
  await expect(page.getByText('/home/sora/Downloads')).toBeVisible()
  await page.getByRole('button', { name: 'Change' }).click()
  await expect.poll(lastCall).toMatchObject({ name: 'pickReceivingFolder' })
})

test('all settings are reset after a question', async () => {
  await stage.enter('home')
  const { page } = stage
  await openSettings(page, 'Appearance')
  await page.getByRole('combobox', { name: 'Theme' }).selectOption('dark')
  await openSettings(page, 'Advanced')
  await page.getByRole('button', { name: 'Reset' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect(page.getByText('Reset all settings?')).toBeVisible()
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect.poll(lastCall).toMatchObject({
    arg: { appearance: { theme: null }, network: { relay: null } },
  })
  const call = await lastCall()
  expect(JSON.stringify(call)).not.toContain('servers')
  await openSettings(page, 'Appearance')
  await expect(page.getByRole('combobox', { name: 'Theme' })).toHaveValue('system')
})

test('a refused change is said, and nothing is changed', async () => {
  await stage.enter('home')
  const { page } = stage
  await openSettings(page, 'Appearance')
  await stage.refuseNext({
    ...{ code: 'E_BAD_ARGUMENT', subject: '/c/config.toml' },
    detail:
      'The settings in /c/config.toml make no sense (line 3). Correct the file, or move it away.',
  })
  await page.getByRole('combobox', { name: 'Theme' }).selectOption('light')
  await expect(page.getByText('Correct the file, or move it away.')).toBeVisible()
})
