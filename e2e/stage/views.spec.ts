/** Every view: no accessibility violations in light or dark, full use by keyboard, and a picture. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { repository } from '../build-stage'
import { keyboardProblems } from './keyboard'
import { cutTexts, violationsOf } from './reach'
import { freshStage, page, stage, test } from './stage-app'
import { openView, views } from './views'

/** `THRU_PICTURES=1` takes pictures of every view, also in common window sizes. */
const withPictures = process.env['THRU_PICTURES'] === '1'

const usual = [1180, 760] as const
const sizes = withPictures ? ([usual, [900, 600], [1440, 900]] as const) : [usual]

const folder = join(repository, 'test-results/views')

/** One view for each screen; the others are part of the full tests. */
const core = new Set([
  ...['home', 'text-sheet', 'preview', 'receiving', 'sharing-receivers', 'error', 'done'],
  ...['history', 'contacts', 'settings-general', 'licenses', 'shortcuts', 'fatal-error-window'],
])

test.beforeAll(freshStage)
test.beforeAll(async () => {
  await mkdir(folder, { recursive: true })
})

for (const [name, { isAnotherLook, leave }] of Object.entries(views)) {
  test(`${name} is accessible`, { tag: core.has(name) ? [] : ['@full'] }, async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await stage.resize(...usual)
    await openView(stage, name)
    // A hovered element shows its tooltip, which only a few views need.
    if (isAnotherLook !== true) await page.mouse.move(2, 400)
    await page.evaluate(() => document.fonts.ready)
    for (const [width, height] of sizes) {
      await stage.resize(width, height)
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        const path = join(folder, `${name}-${colorScheme}-${String(width)}.png`)
        if (withPictures) await page.screenshot({ path })
        if (width !== usual[0]) continue
        // Only colors differ between the two.
        const rules = colorScheme === 'dark' ? ['color-contrast'] : undefined
        expect.soft(await violationsOf(page, rules), colorScheme).toEqual([])
      }
      expect.soft(await cutTexts(page), String(width)).toEqual([])
    }
    if (isAnotherLook !== true) expect.soft(await keyboardProblems(page)).toEqual([])
    await leave?.(stage)
    expect(stage.complaints.splice(0)).toEqual([])
  })
}
