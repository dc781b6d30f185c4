/**
 * Every view of the window: a scene, and a person's actions in it. Actions find controls by position rather than name
 * where that is as clear, so that most views open in every language.
 */
import { expect } from '@playwright/test'
import { appError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import { dragFiles } from '../screens/window'
import { openHistory, someEntries } from './scenes/history-scenes'
import { type SceneName, scenes } from './scenes/scenes'
import { updateScenes } from './scenes/update-scenes'
import type { StageApp } from './stage-app'

export type View = {
  readonly scene: SceneName
  readonly act?: (stage: StageApp) => Promise<void>
  /** Removes state that the next view would inherit. */
  readonly leave?: (stage: StageApp) => Promise<void>
  /** Its controls are those of another view, and it appears only on hover. */
  readonly isAnotherLook?: true
}

const waits = (selector: string, words: string | RegExp) => async (stage: StageApp) => {
  await expect(stage.page.locator(selector).first()).toContainText(words)
}

const appears = (selector: string) => (stage: StageApp) =>
  stage.page.locator(selector).first().waitFor()

const clicks = (selector: string) => (stage: StageApp) =>
  stage.page.locator(selector).first().click()

const place = { history: 1, contacts: 2, settings: 3 } as const

const goes = (to: keyof typeof place) => (stage: StageApp) =>
  stage.page.locator('.section').nth(place[to]).click()

const types = (selector: string, words: string) => (stage: StageApp) =>
  stage.page.locator(selector).first().fill(words)

const inOrder =
  (...steps: readonly ((stage: StageApp) => Promise<void>)[]) =>
  async (stage: StageApp) => {
    for (const step of steps) await step(stage)
  }

const settingsPages = [
  'general',
  'sharing',
  'receiving',
  'network',
  'contacts',
  'notifications',
  'appearance',
  'advanced',
  'about',
] as const

const opensSettings = (index: number) =>
  inOrder(goes('settings'), async ({ page }) => {
    await page.locator('.settings-nav button').nth(index).click()
  })

/** A page of the settings, while two people receive. */
const settingsPage = (index: number): View => ({
  scene: 'sharing-receivers',
  act: opensSettings(index),
})

const settingsViews = Object.fromEntries(
  settingsPages.map((name, index) => [`settings-${name}`, settingsPage(index)]),
)

const network = settingsPages.indexOf('network')
const advanced = settingsPages.indexOf('advanced')
const about = settingsPages.indexOf('about')

/** Loads the page with a changed address, which determines how it starts. */
const withAddress = (change: (address: string) => string) => async (stage: StageApp) => {
  await stage.visit(change(stage.page.url()))
}

const plainAddress = withAddress((address) => address.replace(/&(first|fatal=\w+)/, ''))

const startsWith = (more: string): Pick<View, 'act' | 'leave'> => ({
  act: withAddress((address) => `${address}&${more}`),
  leave: plainAddress,
})

/** Refuses the last request, and shows the error at the top. */
const refused = inOrder(
  (stage) => stage.refuseNext(appError('E_DISK_IO', 'EIO', '/media/sora')),
  ({ page }) => page.keyboard.press('Control+O'),
  waits('.notice', /./),
)

const damagedFile = (atMs: number): AppEvent => ({
  atMs,
  type: 'storage-failed',
  storageError: { file: '/home/sora/.config/history', kind: 'newer', detail: 'version 9' },
})

/** Actions for scenes that show too little on their own, by the name of the scene. */
const acts: Partial<Record<SceneName, View['act']>> = {
  preview: async ({ page }) => {
    await expect(page.locator('.sheet-side .track')).toBeVisible()
    await page.getByRole('treeitem').nth(1).press('ArrowRight')
    await page.getByRole('treeitem').nth(3).locator('.node-tick').click()
  },
  'preview-continued': waits('.sheet-side', /\d/),
  'preview-risky': waits('.sheet-side', /\d/),
  contacts: inOrder(goes('contacts'), clicks('.contact:last-child .icon-btn')),
  'contacts-send': async ({ page }) => {
    await page.locator('.share-actions > .btn').last().click()
    for (const nth of [0, 1]) await page.getByRole('checkbox').nth(nth).click()
  },
  'nearby-asked': waits('.invited', /482/),
  states: clicks('.entry [aria-expanded="true"]'),
  ...Object.fromEntries(
    (Object.keys(updateScenes) as SceneName[]).map((scene) => [scene, opensSettings(about)]),
  ),
}

const ofScenes = Object.fromEntries(
  (Object.keys(scenes) as SceneName[]).map((scene) => {
    const act = acts[scene]
    return [scene, act === undefined ? { scene } : { scene, act }]
  }),
)

/** All views by the names of their pictures. */
export const views: Readonly<Record<string, View>> = {
  ...ofScenes,
  ...settingsViews,

  'first-time': { scene: 'home', ...startsWith('first') },
  'drag-over': {
    scene: 'home',
    isAnotherLook: true,
    act: async ({ page }) => {
      await dragFiles(page, ['/tmp', '/etc', '/usr'], 'held')
      await expect(page.locator('.drop-overlay')).toBeVisible()
    },
    leave: async ({ page }) => {
      await page.mouse.move(10, 10)
      await expect(page.locator('.drop-overlay')).toBeHidden()
    },
  },
  'drag-onto': {
    scene: 'sharing-started',
    isAnotherLook: true,
    act: async ({ page }) => {
      await dragFiles(page, ['/etc/hosts'], 'held')
      await expect(page.locator('.drop-outside')).toBeVisible()
    },
    leave: async ({ page }) => {
      await page.mouse.move(10, 10)
      await expect(page.locator('.drop-overlay')).toBeHidden()
    },
  },
  notice: { scene: 'home', act: refused },
  crashed: {
    scene: 'home',
    act: async ({ app, page }) => {
      await app.evaluate(() => globalThis.stage.request({ crashed: true }))
      await page.locator('.notice').waitFor()
    },
  },
  updated: {
    scene: 'update-newest',
    act: async ({ app, page }) => {
      await app.evaluate(() => globalThis.stage.request({ updated: '1.0.0' }))
      await page.locator('.notice').waitFor()
    },
  },
  'update-news': {
    scene: 'update-newest',
    act: inOrder(opensSettings(about), clicks('.news > summary')),
  },
  'storage-damaged': {
    scene: 'home',
    act: async (stage) => {
      await stage.play([damagedFile(Date.now())])
      await stage.page.locator('.notice').waitFor()
    },
  },
  'text-sheet': { scene: 'home', act: clicks('.hero-actions > .btn:last-of-type') },
  'speed-limits': { scene: 'home', act: clicks('.bar-end [aria-expanded]') },
  'network-status': {
    scene: 'sharing-started',
    isAnotherLook: true,
    act: async ({ page }) => {
      await page.locator('.status').hover()
      await page.locator('.tooltip').waitFor()
    },
  },

  'code-completed': {
    scene: 'home',
    act: async ({ page }) => {
      await page.locator('.code-input input').pressSequentially('4821-apple-kay')
      await expect(page.locator('.code-rest')).toHaveText('ak')
    },
  },
  'code-wrong-word': { scene: 'home', act: types('.code-input input', '4821-apple-stone-onion') },
  'code-wrong-word-bar': {
    scene: 'sharing-receivers',
    act: types('.code-input input', '4821-apple-stone-onion'),
  },
  'code-new-server': {
    scene: 'home',
    act: async (stage) => {
      const error = appError('E_SERVER_UNCONFIRMED', 'public', 'meet.example.org')
      await stage.refuseNext(error)
      await stage.page.locator('.code-input input').fill('4821-apple-kayak-onion')
      await stage.page.locator('.code-input input').press('Enter')
      await waits('#code-note', 'meet.example.org')(stage)
    },
  },

  'preview-left-out': {
    scene: 'preview',
    act: clicks('.sheet-side summary.warning'),
  },
  'preview-options': {
    scene: 'preview',
    act: clicks('.sheet-side details:last-of-type > summary'),
  },
  'receiving-chosen': {
    scene: 'receiving',
    // The hovered row shows buttons that come next in tab order.
    isAnotherLook: true,
    act: async ({ page }) => {
      await page.getByRole('tab').nth(1).click()
      await page.getByRole('row').nth(1).click()
      await page.getByRole('row').first().hover()
    },
  },
  'receiving-searched': { scene: 'receiving', act: types('.files-search input', 'no such file') },
  'sharing-connection': { scene: 'sharing-one', act: clicks('.connection summary') },
  'receiving-connection': { scene: 'receiving', act: clicks('.connection summary') },
  'error-details': { scene: 'error', act: clicks('.details-head > .btn') },
  'interrupted-delete': { scene: 'interrupted', act: clicks('.row .btn.ghost') },

  'sharing-files': { scene: 'sharing-receivers', act: clicks('.peer-acts [aria-expanded]') },
  'share-options': { scene: 'sharing-receivers', act: clicks('.card-head .popover-root button') },
  'share-add': {
    scene: 'sharing-started',
    act: clicks('.share-actions > .popover-root:last-of-type > .btn'),
  },
  'share-link': {
    scene: 'sharing-started',
    act: inOrder(clicks('.share-actions .popover-root .btn'), appears('.popover .qr')),
  },
  'share-link-joined': {
    scene: 'sharing-receivers',
    act: inOrder(clicks('.code-row .popover-root .icon-btn'), appears('.popover .qr')),
  },
  'share-safety': { scene: 'sharing-receivers', act: clicks('.safety summary') },

  history: { scene: 'home', act: (stage) => openHistory(stage, someEntries, [27]) },
  'history-empty': { scene: 'home', act: (stage) => openHistory(stage, []) },
  'history-searched': {
    scene: 'home',
    act: inOrder(
      (stage) => openHistory(stage, someEntries),
      types('.history-search input', 'no such transfer'),
    ),
  },
  'history-clear': {
    scene: 'home',
    act: inOrder((stage) => openHistory(stage, someEntries), clicks('.history-head .icon-btn')),
  },

  'contacts-none': {
    scene: 'home',
    act: inOrder(goes('contacts'), async ({ page }) => {
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }),
  },
  'contacts-remove': {
    scene: 'contacts',
    act: inOrder(
      goes('contacts'),
      clicks('.contact:last-child .icon-btn'),
      clicks('.contact-settings > .btn'),
    ),
  },
  'settings-add-server': {
    scene: 'home',
    act: inOrder(
      opensSettings(network),
      clicks('.setting-group:nth-of-type(3) .btn'),
      clicks('.setting-form summary'),
    ),
  },
  'settings-proxy': {
    scene: 'home',
    act: inOrder(opensSettings(network), async ({ page }) => {
      await page.locator('.setting-group:nth-of-type(2) select').selectOption('own')
      await page.locator('.setting-form .text-field').first().fill('http://')
      await page.keyboard.press('Enter')
    }),
  },
  'settings-reset': {
    scene: 'home',
    act: inOrder(opensSettings(advanced), clicks('.setting-row:last-child .btn')),
  },
  licenses: {
    scene: 'sharing-started',
    act: inOrder(opensSettings(about), async ({ page }) => {
      await page.locator('.setting-group').last().getByRole('button').click()
      await expect(page.getByRole('dialog')).toBeVisible()
    }),
  },
  shortcuts: {
    scene: 'sharing-started',
    act: async ({ page }) => {
      await page.keyboard.press('F1')
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },

  'fatal-error-window': { scene: 'home', ...startsWith('fatal=window') },
  'fatal-error-program': { scene: 'home', ...startsWith('fatal=program') },
  'fatal-error-engine': { scene: 'home', ...startsWith('fatal=engine') },
}

/** Opens a view from any state of the stage. */
export async function openView(stage: StageApp, name: string): Promise<void> {
  const view = views[name]
  if (view === undefined) throw new Error(`there is no view ${name}`)
  await stage.enter(view.scene)
  await view.act?.(stage)
}
