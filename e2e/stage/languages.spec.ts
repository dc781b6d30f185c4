/** The main screens in other languages, zoomed, and in forced colors: nothing cut, nothing that keeps people out. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import type { Language } from '#shared/language'
import { repository } from '../build-stage'
import { cutTexts, violationsOf } from './reach'
import type { SceneName } from './scenes'
import { launchStage, type StageApp } from './stage-app'

/** `THRU_PICTURES=1` takes every screen in every language and size; a plain run takes a few. */
const isWhole = process.env['THRU_PICTURES'] === '1'

const folder = join(repository, 'test-results/languages')

const languages: readonly Language[] = isWhole
  ? ['ko', 'ar', 'en-XA', 'de', 'es', 'fr', 'it', 'pt-BR', 'ja', 'zh-Hans']
  : ['ko', 'ar', 'en-XA']

const scenes: readonly SceneName[] = isWhole
  ? [
      'home',
      'sharing-started',
      'sharing-receivers',
      'preview',
      'receiving',
      'states',
      'done',
      'error',
    ]
  : ['home', 'sharing-receivers', 'preview']

const sizes: readonly (readonly [number, number])[] = isWhole
  ? [
      [900, 600],
      [1440, 900],
    ]
  : [[900, 600]]

let stage: StageApp

test.beforeAll(async () => {
  await mkdir(folder, { recursive: true })
  stage = await launchStage()
})

test.afterAll(() => stage.close())

async function expectGood(name: string): Promise<void> {
  const { page } = stage
  if (name.startsWith('preview')) await page.waitForSelector('.sheet .node')
  await page.evaluate(async () => {
    await document.fonts.ready
    // What has just happened is painted in the next frame.
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame)
  })
  expect(stage.complaints).toEqual([])
  await stage.capture(join(folder, `${name}.png`))
  expect(await cutTexts(page)).toEqual([])
  expect(await violationsOf(page)).toEqual([])
}

for (const language of languages) {
  test.describe(language, () => {
    test.beforeAll(() => stage.speak(language))

    for (const [width, height] of sizes) {
      for (const name of scenes) {
        test(`${name} at ${String(width)} x ${String(height)} has room for its texts`, async () => {
          await stage.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
          await stage.resize(width, height)
          await stage.enter(name)
          await expectGood(`${name}-${language}-${String(width)}`)
        })
      }
    }
  })
}

test.describe('in English', () => {
  test.beforeAll(async () => {
    await stage.speak('en')
    await stage.page.emulateMedia({ reducedMotion: 'reduce' })
  })

  test.afterEach(() => stage.zoom(1))

  for (const name of ['home', 'sharing-receivers', 'preview'] as const) {
    test(`${name} can be used at 200%`, async () => {
      await stage.resize(900, 600)
      await stage.enter(name)
      await stage.zoom(2)
      await expectGood(`${name}-zoomed`)
    })

    test(`${name} keeps its outlines in forced colors`, async () => {
      await stage.page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' })
      await stage.enter(name)
      await expectGood(`${name}-forced`)
      await stage.page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' })
    })

    test(`${name} has more contrast for those who ask for it`, async () => {
      await stage.page.emulateMedia({ contrast: 'more' })
      await stage.enter(name)
      await expectGood(`${name}-contrast`)
      await stage.page.emulateMedia({ contrast: 'no-preference' })
    })
  }
})

test('home says in one sentence and one picture how it works, until it has worked once', async () => {
  const { page } = stage
  await stage.speak('en')
  await stage.enter('home')
  await stage.visit(`${page.url()}&first`)
  const hint = page.locator('.first-time')
  await expect(hint).toHaveText(
    'Open Thruflux on both computers: one shares, the other enters the code.',
  )
  await expectGood('first-time')
  await stage.visit(page.url().replace('&first', ''))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(hint).toHaveCount(0)
})

test('a language that runs from right to left turns the page around', async () => {
  await stage.speak('ar')
  await stage.enter('sharing-started')
  const { page } = stage
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  const code = page.locator('.code')
  // The code itself reads as in every language.
  await expect(code).toHaveCSS('direction', 'ltr')
  await stage.speak('en')
})
