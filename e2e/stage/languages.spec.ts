/**
 * The main screens in other languages, zoomed, and in forced colors: no truncated texts and no accessibility
 * violations.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import type { Language } from '#shared/language'
import { repository } from '../build-stage'
import { cutTexts, violationsOf } from './reach'
import { freshStage, page, stage, test } from './stage-app'
import { openView, views } from './views'

/** `THRU_PICTURES=1` takes every screen in every language and size; a plain run takes a few. */
const isWhole = process.env['THRU_PICTURES'] === '1'

const folder = join(repository, 'test-results/languages')

const small = [900, 600] as const
const large = [1440, 900] as const

type Look = {
  readonly language: Language
  readonly size: readonly [number, number]
  readonly names: readonly string[]
}

const few = ['home', 'sharing-receivers', 'preview']
const main = [...few, 'sharing-started', 'receiving', 'states', 'done', 'error']
const all = Object.keys(views)

/** The home screen in each look; the others are part of the full tests. */
const tagOf = (name: string) => (name === 'home' ? [] : ['@full'])

const previews = ['de', 'es', 'fr', 'it', 'pt-BR', 'ja', 'zh-Hans'] as const

const looks: readonly Look[] = isWhole
  ? [
      { language: 'ko', size: small, names: all },
      { language: 'ar', size: large, names: all },
      { language: 'en-XA', size: small, names: all },
      ...previews.map((language) => ({ language, size: small, names: main })),
    ]
  : (['ko', 'ar', 'en-XA'] as const).map((language) => ({ language, size: small, names: few }))

test.beforeAll(freshStage)
test.beforeAll(async () => {
  await mkdir(folder, { recursive: true })
})

async function expectGood(name: string): Promise<void> {
  if (name.startsWith('preview')) await page.waitForSelector('.sheet .node')
  await page.evaluate(async () => {
    await document.fonts.ready
    // Recent changes are painted in the next frame.
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame)
  })
  expect(stage.complaints).toEqual([])
  await stage.capture(join(folder, `${name}.png`))
  expect(await cutTexts(page)).toEqual([])
  expect(await violationsOf(page)).toEqual([])
}

for (const { language, size, names } of looks) {
  test.describe(language, () => {
    test.beforeAll(() => stage.speak(language))

    for (const name of names) {
      test(`${name} has room for its texts in ${language}`, { tag: tagOf(name) }, async () => {
        await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
        await stage.resize(...size)
        await openView(stage, name)
        await expectGood(`${name}-${language}`)
        await views[name]?.leave?.(stage)
      })
    }
  })
}

test.describe('in English', () => {
  test.beforeAll(async () => {
    await stage.speak('en')
    await page.emulateMedia({ reducedMotion: 'reduce' })
  })

  test.afterEach(() => stage.zoom(1))

  for (const name of [...few, 'settings-receiving', 'history', 'text-sheet', 'shortcuts']) {
    test(`${name} can be used at 200%`, { tag: tagOf(name) }, async () => {
      await stage.resize(900, 600)
      await openView(stage, name)
      await stage.zoom(2)
      await expectGood(`${name}-zoomed`)
    })

    test(`${name} keeps its outlines in forced colors`, { tag: '@full' }, async () => {
      await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' })
      await openView(stage, name)
      await expectGood(`${name}-forced`)
      await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' })
    })

    test(`${name} has more contrast if the system requests it`, { tag: '@full' }, async () => {
      await page.emulateMedia({ contrast: 'more' })
      await openView(stage, name)
      await expectGood(`${name}-contrast`)
      await page.emulateMedia({ contrast: 'no-preference' })
    })
  }

  for (const name of [...main, 'settings-receiving', 'history', 'text-sheet', 'shortcuts']) {
    test(`${name} fits the narrowest window`, { tag: tagOf(name) }, async () => {
      await stage.resize(480, 640)
      await openView(stage, name)
      await expectGood(`${name}-narrow`)
      const beyond = () =>
        document.documentElement.scrollWidth - document.documentElement.clientWidth
      expect(await page.evaluate(beyond)).toBe(0)
    })
  }
})

test('home explains the app in a sentence and a picture until the first transfer', async () => {
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

test('a right-to-left language mirrors the page', async () => {
  await stage.speak('ar')
  await stage.enter('sharing-started')
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  const code = page.locator('.code')
  // The code itself reads as in every language.
  await expect(code).toHaveCSS('direction', 'ltr')
  await stage.speak('en')
})
