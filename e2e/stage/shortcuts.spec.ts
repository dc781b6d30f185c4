/** The keys of the window, the list of them, and the menus that offer the same actions. */
import { expect } from '@playwright/test'
import { shortcuts } from '#shared/shortcuts'
import { topBar } from '../screens/window'
import { freshStage, page, stage, test } from './stage-app'

test.beforeAll(freshStage)

const sheet = () => page.getByRole('dialog', { name: 'Keyboard shortcuts' })

test('? and F1 list every key once, and Esc closes the list', async () => {
  await stage.enter('sharing-started')
  for (const key of ['?', 'F1']) {
    await page.keyboard.press(key)
    await expect(sheet().getByRole('term')).toHaveCount(shortcuts.length)
    await page.keyboard.press('Escape')
    await expect(sheet()).toBeHidden()
  }
})

test('a question mark typed into a field stays there', async () => {
  await stage.enter('home')
  await page.keyboard.press('Control+L')
  await page.keyboard.type('?')
  await expect(sheet()).toBeHidden()
})

test('F6 moves between the regions of the window, forward and back', async () => {
  await stage.enter('sharing-started')
  await expect(page.locator('.entry')).toBeVisible()
  const region = () =>
    page.evaluate(() => {
      const focused = document.activeElement
      return focused?.closest('header.bar')
        ? 'bar'
        : (focused?.closest('.entry, .footnote')?.className ?? '')
    })
  for (const expected of ['bar', 'entry', 'footnote', 'bar']) {
    await page.keyboard.press('F6')
    expect(await region()).toBe(expected)
  }
  await page.keyboard.press('Shift+F6')
  expect(await region()).toBe('footnote')
})

test(
  'Del removes the focused transfer once it has ended, and no other',
  { tag: '@full' },
  async () => {
    await stage.enter('sharing-started')
    await page.locator('.entry button').first().focus()
    await page.keyboard.press('Delete')
    await stage.enter('done')
    await page.locator('.entry button').first().focus()
    await page.keyboard.press('Delete')
    await expect.poll(stage.calls).toMatchObject([{ name: 'dismiss' }])
  },
)

test('the menus offer the same actions as the keys', async () => {
  const choose = (id: string) =>
    stage.app.evaluate(({ Menu }, chosen) => {
      Menu.getApplicationMenu()?.getMenuItemById(chosen)?.click()
    }, id)
  await stage.enter('home')
  await choose('shortcuts')
  await expect(sheet()).toBeVisible()
  await stage.enter('home')
  await choose('codeField')
  await expect(topBar(page).codeField).toBeFocused()
  await choose('chooseFolder')
  await expect.poll(stage.calls).toEqual([{ name: 'pickAndShare', arg: { kind: 'folder' } }])
})
