/** Using the window without a pointer: movement of the focus, arrow keys and search keys. */
import { expect } from '@playwright/test'
import type { ReceiveId, ShareId } from '#shared/state/app-state'
import { previewSheet } from '../screens/window'
import { entry, openHistory, someEntries } from './scenes/history-scenes'
import { freshStage, page, stage, test } from './stage-app'

test.beforeAll(freshStage)

/** The whole name must match: "Add" is not "Add a server". */
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })

const pressOn = async (name: string | RegExp, key: string): Promise<void> => {
  await button(name).first().focus()
  await page.keyboard.press(key)
}

test('a card that becomes a row and a card again keeps the focus on its button', async () => {
  await stage.enter('receiving')
  const slides = page.getByRole('article', { name: 'Lecture slides' })
  await slides.getByRole('button', { name: 'Expand' }).focus()
  await page.keyboard.press('Enter')
  await expect(slides.getByRole('button', { name: 'Collapse' })).toBeFocused()
  await page.keyboard.press('Space')
  await expect(slides.getByRole('button', { name: 'Expand' })).toBeFocused()
})

for (const [scene, name] of [
  ['sharing-started', 'Speed limits'],
  ['sharing-started', 'Add'],
  ['sharing-started', 'QR code'],
  ['sharing-receivers', 'More'],
] as const) {
  const tag = name === 'More' ? [] : '@full'
  test(`${name} opens with a key, takes the focus, and returns it on Esc`, { tag }, async () => {
    await stage.enter(scene)
    await pressOn(name, 'Enter')
    const panel = page.locator('.popover')
    await expect(panel.locator(':focus')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(panel).toHaveCount(0)
    await expect(button(name).first()).toBeFocused()
  })
}

test('a choice in a menu returns the focus to the button that opened it', async () => {
  await stage.enter('sharing-started')
  await pressOn('Add', 'Enter')
  await page.keyboard.press('Enter')
  await expect.poll(stage.calls).toMatchObject([{ name: 'pickAndAdd' }])
  await expect(button('Add')).toBeFocused()
})

test('sheets return the focus when they are closed', { tag: '@full' }, async () => {
  await stage.enter('home')
  await pressOn('Send text', 'Enter')
  await expect(page.getByRole('textbox', { name: 'Text' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(button('Send text')).toBeFocused()
  await page.keyboard.press('F1')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(button('Send text')).toBeFocused()

  await stage.enter('contacts-send')
  await pressOn('Send to a contact', 'Enter')
  await expect(page.getByRole('dialog').locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(button('Send to a contact')).toBeFocused()
})

/** The focused control, in a word. */
const focused = () =>
  page.evaluate(() => {
    const { activeElement } = document
    return activeElement?.tagName === 'BUTTON'
      ? (activeElement as HTMLElement).innerText || activeElement.getAttribute('aria-label')
      : (activeElement?.tagName ?? null)
  })

test(
  'a question that replaces a button takes the focus, and returns it',
  { tag: '@full' },
  async () => {
    await stage.enter('interrupted')
    await pressOn('Delete partial files', 'Enter')
    // The answer that changes nothing.
    await expect.poll(focused).toBe('Cancel')
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('Delete partial files')
    await stage.enter('contacts')
    await page.locator('.section').nth(2).click()
    await pressOn('Edit Studio NAS', 'Enter')
    await pressOn('Remove contact', 'Enter')
    await expect.poll(focused).not.toBe('BODY')
  },
)

test('removing a transfer keeps the focus in the window', { tag: '@full' }, async () => {
  await stage.enter('done')
  await pressOn('Close', 'Enter')
  await expect.poll(stage.calls).toMatchObject([{ name: 'dismiss' }])
  const receive = 'r1' as ReceiveId
  await stage.play([{ atMs: Date.now(), type: 'receive-removed', receive }])
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect.poll(focused).not.toBe('BODY')
})

test('answering an offer keeps the focus in the window', { tag: '@full' }, async () => {
  await stage.enter('preview')
  const { sheet } = previewSheet(page)
  await expect(sheet).toBeVisible()
  await stage.play([
    {
      ...{ atMs: Date.now(), type: 'receive-accepted', receive: 'r1' as ReceiveId },
      directory: '/home/sora',
    },
  ])
  await expect(sheet).toBeHidden()
  await expect.poll(focused).toBe('MAIN')
})

test('arrow keys, Home and End move through an offer, and Space ticks', async () => {
  await stage.enter('preview')
  const { items } = previewSheet(page)
  const { keyboard } = page
  await items.first().focus()
  await keyboard.press('End')
  await expect(items.last()).toBeFocused()
  await keyboard.press('Space')
  await expect(items.last()).toHaveAttribute('aria-checked', 'false')
  await keyboard.press('Home')
  await expect(items.first()).toBeFocused()
  await keyboard.press('ArrowRight')
  await expect(items.first()).toHaveAttribute('aria-expanded', 'true')
  await keyboard.press('ArrowDown')
  await expect(items.nth(1)).toBeFocused()
  await keyboard.press('ArrowLeft')
  await expect(items.first()).toBeFocused()
})

test(
  'arrow keys move between filters and between files, and Space selects one',
  { tag: '@full' },
  async () => {
    await stage.enter('receiving')
    await page.getByRole('tab', { name: 'All' }).focus()
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('tab', { name: 'Active' })).toBeFocused()
    await page.keyboard.press('ArrowLeft')
    const rows = page.getByRole('grid', { name: 'Files' }).getByRole('row')
    await expect(rows.first()).toContainText('A001')
    await rows.first().focus()
    await page.keyboard.press('ArrowDown')
    await expect(rows.nth(1)).toBeFocused()
    await page.keyboard.press('Space')
    await expect(rows.nth(1)).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('End')
    await expect(page.locator('.file-row:focus')).toHaveAttribute('aria-rowindex', '1282')
  },
)

test('Ctrl F focuses the search field of the place, if it has one', { tag: '@full' }, async () => {
  await stage.enter('home')
  await page.keyboard.press('Control+F')
  await expect.poll(focused).toBe('BODY')
  await openHistory(stage, someEntries)
  await page.keyboard.press('Control+F')
  await expect(page.getByRole('searchbox', { name: 'Name or person' })).toBeFocused()
  await stage.enter('receiving')
  await expect(page.getByRole('searchbox')).toBeVisible()
  await page.keyboard.press('Control+F')
  await expect(page.getByRole('searchbox', { name: 'Search files' })).toBeFocused()
})

test('the buttons of a row of the history name its transfer', async () => {
  await stage.enter('home')
  await openHistory(stage, [entry(1, { title: 'Rushes' }), entry(2, { title: 'Slides' })])
  const remove = button('Remove from history')
  await expect(remove.nth(0)).toHaveAccessibleDescription('Rushes')
  await expect(remove.nth(1)).toHaveAccessibleDescription('Slides')
})

test('the window identifies itself by title, language, one heading and one main part', async () => {
  await stage.enter('sharing-receivers')
  const title = () =>
    stage.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getTitle())
  for (const [place, name] of [
    ['Thruflux', 'Transfers'],
    ['History · Thruflux', 'History'],
    ['Contacts · Thruflux', 'Contacts'],
    ['Settings · Thruflux', 'General'],
  ] as const) {
    await page
      .locator('.section')
      .nth(['Transfers', 'History', 'Contacts', 'General'].indexOf(name))
      .click()
    await expect.poll(title).toBe(place)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
    await expect(page.getByRole('main')).toHaveCount(1)
    await expect(page.getByRole('banner')).toHaveCount(1)
  }
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
})

test('events are announced once and politely, and copying immediately', async () => {
  await stage.enter('sharing-started')
  const region = page.locator('.app > [role="status"]')
  const code = '4821-apple-river-stone'
  await stage.play([{ atMs: Date.now(), type: 'share-coded', share: 's1' as ShareId, code }])
  await expect(region).toHaveText('The join code is 4 8 2 1, apple, river, stone.')
  await button('Copy code').click()
  await expect(region).toHaveText('Copied')
})
