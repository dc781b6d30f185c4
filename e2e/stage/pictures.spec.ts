/** Every screen in both themes: nothing that keeps people out, and a picture of it when asked for. */
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { repository } from '../build-stage'
import {
  dragFiles,
  dropOverlay,
  homeScreen,
  openSettings,
  previewSheet,
  topBar,
} from '../screens/window'
import { violationsOf } from './reach'
import { type SceneName, scenes } from './scenes'
import { launchStage, type StageApp } from './stage-app'

const names = Object.keys(scenes) as SceneName[]

/** `THRU_PICTURES=1` renews the pictures of the documentation; a plain test run leaves them alone. */
const pictures = process.env['THRU_PICTURES'] === '1' ? 'docs/screenshots' : 'test-results/screens'

/** What a person does first, where a scene alone shows too little. */
const arrange: Partial<Record<SceneName, (page: Page) => Promise<void>>> = {
  preview: async (page) => {
    const { item, sheet } = previewSheet(page)
    await expect(sheet).toContainText('free afterward')
    await item('Day 2, Fushimi').press('ArrowRight')
    await item('A001_C016_[false start].mov').click()
    await expect(sheet).toContainText('59.1 GB needed')
  },
  'preview-continued': async (page) => {
    await expect(previewSheet(page).sheet).toContainText('free afterward')
  },
  'preview-risky': async (page) => {
    await expect(previewSheet(page).sheet).toContainText('start with a dot')
  },
  contacts: async (page) => {
    await topBar(page).place('Contacts').click()
    await page.getByRole('button', { name: 'Edit Studio NAS' }).click()
  },
  'contacts-send': async (page) => {
    await page.getByRole('button', { name: 'Send to a contact' }).click()
    await page.getByRole('checkbox', { name: 'Mina Park' }).click()
    await page.getByRole('checkbox', { name: 'Jonas Weber' }).click()
  },
  states: (page) => page.getByRole('button', { name: 'Collapse' }).click(),
}

/** A page of the settings, while two people receive. */
const settingsPage = (name: string) => ({
  scene: 'sharing-receivers' as const,
  act: (page: Page) => openSettings(page, name),
})

/** More pictures of scenes, after what a person does in them. */
const more: Readonly<
  Record<string, { readonly scene: SceneName; readonly act: (page: Page) => Promise<void> }>
> = {
  'preview-left-out': {
    scene: 'preview',
    act: (page) => page.getByText('12 items left out by the sender').click(),
  },
  'receiving-chosen': {
    scene: 'receiving',
    act: async (page) => {
      await page.getByRole('tab', { name: 'Active' }).click()
      await page.getByRole('row').nth(1).click()
      await page.getByRole('row').first().hover()
    },
  },
  'sharing-files': {
    scene: 'sharing-receivers',
    act: (page) =>
      page
        .getByRole('button', { name: /^Show files of/ })
        .first()
        .click(),
  },
  'code-completed': {
    scene: 'home',
    act: async (page) => {
      await page.getByRole('combobox', { name: 'Join code' }).pressSequentially('4821-apple-kay')
      await expect(page.locator('.code-rest')).toHaveText('ak')
    },
  },
  'code-wrong-word': {
    scene: 'home',
    act: (page) => homeScreen(page).codeField.fill('4821-apple-stone-onion'),
  },
  'code-wrong-word-bar': {
    scene: 'sharing-receivers',
    act: (page) => homeScreen(page).codeField.fill('4821-apple-stone-onion'),
  },
  shortcuts: {
    scene: 'sharing-started',
    act: async (page) => {
      await page.keyboard.press('F1')
      await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    },
  },
  'code-new-server': {
    scene: 'home',
    act: async (page) => {
      await stage.refuseNext({
        code: 'E_SERVER_UNCONFIRMED',
        detail: 'public',
        subject: 'meet.example.org',
      })
      const { codeField, note } = homeScreen(page)
      await codeField.fill('4821-apple-kayak-onion')
      await codeField.press('Enter')
      await expect(note).toContainText('Use it if you trust')
    },
  },
  'share-options': {
    scene: 'sharing-receivers',
    act: async (page) => {
      await page.getByRole('button', { name: 'More' }).click()
      await expect(page.getByRole('combobox', { name: 'Code expires' })).toBeVisible()
    },
  },
  'settings-general': settingsPage('General'),
  'settings-sharing': settingsPage('Sharing'),
  'settings-receiving': settingsPage('Receiving'),
  'settings-network': settingsPage('Network'),
  'settings-contacts': settingsPage('Contacts'),
  'settings-notifications': settingsPage('Notifications'),
  'settings-appearance': settingsPage('Appearance'),
  'settings-advanced': settingsPage('Advanced'),
  'share-link': {
    scene: 'sharing-started',
    act: (page) => page.getByRole('button', { name: 'QR code' }).click(),
  },
  'share-link-joined': {
    scene: 'sharing-receivers',
    act: (page) => page.getByRole('button', { name: 'QR code' }).click(),
  },
}

let stage: StageApp

test.beforeAll(async () => {
  stage = await launchStage()
  await stage.resize(1180, 760)
})

test.afterAll(() => stage.close())

async function expectGood(name: string): Promise<void> {
  const { page } = stage
  await page.evaluate(() => document.fonts.ready)
  expect(stage.complaints).toEqual([])
  await page.screenshot({ path: join(repository, pictures, `${name}.png`) })
  expect(await violationsOf(page)).toEqual([])
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.beforeEach(() => stage.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' }))

    for (const name of names) {
      test(name, async () => {
        await stage.enter(name)
        await arrange[name]?.(stage.page)
        await expectGood(`${name}-${colorScheme}`)
      })
    }

    for (const [name, { scene, act }] of Object.entries(more)) {
      test(name, async () => {
        await stage.enter(scene)
        await act(stage.page)
        await expectGood(`${name}-${colorScheme}`)
      })
    }

    test('drag-over', async () => {
      await stage.enter('home')
      await dragFiles(stage.page, ['/tmp', '/etc', '/usr'], 'held')
      await expect(dropOverlay(stage.page)).toContainText('3 items')
      await expectGood(`drag-over-${colorScheme}`)
      await stage.page.mouse.move(10, 10)
      await expect(dropOverlay(stage.page)).toBeHidden()
    })
  })
}
