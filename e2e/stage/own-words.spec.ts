/** The menu of a running share: a new code with words that its user chooses, and watching. */
import { expect } from '@playwright/test'
import { violationsOf } from './reach'
import { shareId } from './scenes/scene-parts'
import { freshStage, page, stage, test, testInColors } from './stage-app'

test.beforeAll(freshStage)

const lastCall = async () => (await stage.calls()).at(-1)

/** The menu of the share, with the field for words in it. */
async function choosing() {
  await stage.enter('sharing-receivers')
  await page.getByRole('button', { name: 'More' }).first().click()
  const menu = page.getByRole('dialog', { name: 'More' })
  await menu.getByRole('button', { name: 'Choose words…' }).click()
  return { menu, field: menu.getByRole('textbox', { name: 'Words of the new code' }) }
}

testInColors('are completed like codes, and form the new code', async () => {
  const { menu, field } = await choosing()
  await expect(field).toBeFocused()
  await expect(field).toHaveAccessibleDescription(/easier to guess than random ones.*counts/)
  expect(await violationsOf(page)).toEqual([])
  await field.pressSequentially('app kay ')
  await expect(field).toHaveValue('apple kayak ')
  await field.pressSequentially('oni')
  await field.press('Tab')
  await expect(field).toHaveValue('apple kayak onion')
  await field.press('Enter')
  await expect.poll(lastCall).toMatchObject({
    name: 'renewCode',
    arg: { words: 'apple-kayak-onion' },
  })
  await expect(menu).toHaveCount(0)
})

test('the menu keeps receivers of a share up to date, or no longer', async () => {
  await stage.enter('sharing-receivers')
  await page.getByRole('button', { name: 'More' }).first().click()
  const watch = page.getByRole('checkbox', { name: 'Keep up to date' })
  await watch.click()
  await expect.poll(lastCall).toMatchObject({ name: 'watchShare', arg: { watch: true } })
  const share = shareId('s1')
  await stage.play([{ atMs: Date.now(), type: 'share-watched', share, watch: true }])
  await expect(watch).toHaveAttribute('aria-checked', 'true')
  await watch.click()
  await expect.poll(lastCall).toMatchObject({ name: 'watchShare', arg: { watch: false } })
})

test('are refused with the reason when no code can have them', { tag: '@full' }, async () => {
  const { menu, field } = await choosing()
  const note = menu.getByRole('status')
  await field.fill('apple kayek')
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(note).toHaveText(/"kayek" isn't a join-code word\.\s*Did you mean kayak/)
  await field.fill('apple apple apple')
  await expect(field).toHaveAttribute('aria-invalid', 'false')
  await field.press('Enter')
  await expect(note).toContainText('too easy to guess')
  await field.fill('apple kayak')
  await menu.getByRole('button', { name: 'New code' }).click()
  await expect(note).toContainText('A code has three words.')
  expect(await stage.calls()).toEqual([])
})

test('are optional: a new code has random ones, and the focus returns', async () => {
  await stage.enter('sharing-receivers')
  await page.getByRole('button', { name: 'More' }).first().click()
  await page.getByRole('dialog', { name: 'More' }).getByRole('button', { name: 'New code' }).click()
  await expect.poll(lastCall).toMatchObject({ name: 'renewCode', arg: { words: undefined } })
  await expect(page.getByRole('button', { name: 'More' }).first()).toBeFocused()
})
