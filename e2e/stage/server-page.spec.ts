/** The page at `/` of a real signaling server, in a window of its own, as a browser shows it. */
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { repository } from '../build-stage'
import { ServerProgram } from '../server-program'
import { launchStage, type StageApp, test } from './stage-app'

const pictures = join(repository, 'test-results/views')
/** Tall enough for the whole page: without a scroll bar it is as wide as the window. */
const sizes = { wide: { width: 1280, height: 1100 }, narrow: { width: 375, height: 1760 } }

let stage: StageApp
let server: ServerProgram
let page: Page
const complaints: string[] = []
const asked: string[] = []

test.beforeAll(async () => {
  server = await ServerProgram.start('--install-url', 'https://example.org/thruflux')
  stage = await launchStage()
  const opened = stage.app.waitForEvent('window')
  await stage.app.evaluate(async ({ BrowserWindow }) => {
    const window = new BrowserWindow({ width: 1280, height: 800, useContentSize: true })
    await window.loadURL('about:blank')
  })
  page = await opened
  page.on('console', (message) => {
    // Only violations of the page's policy; Electron also warns about `about:blank`.
    if (message.text().startsWith('Refused')) complaints.push(message.text())
  })
  page.on('request', (request) => asked.push(request.url()))
})

test.afterAll(async () => {
  await stage.close()
  await server.stop()
})

for (const [language, heading] of [
  ['en', 'Files go straight from one computer to the other'],
  ['ko', '파일은 컴퓨터에서 컴퓨터로 바로 갑니다'],
] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const size of ['wide', 'narrow'] as const) {
      const tag = language === 'ko' || colorScheme === 'dark' || size === 'narrow' ? '@full' : []
      test(`it explains itself, ${language}, ${colorScheme}, ${size}`, { tag }, async () => {
        asked.length = 0
        await page.setExtraHTTPHeaders({ 'Accept-Language': language })
        await page.setViewportSize(sizes[size])
        await page.emulateMedia({ colorScheme })
        await page.goto(server.page)
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
        await expect(page.locator('.url')).toHaveText(server.page.replace('http:', 'ws:'))
        const name = `server-page-${language}-${colorScheme}-${size}.png`
        await page.screenshot({ path: join(pictures, name) })
        const width = await page.evaluate(() => document.documentElement.scrollWidth)
        expect(width).toBe(sizes[size].width)
        const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
        expect(violations.map(({ id }) => id)).toEqual([])
        expect(complaints).toEqual([])
        const others = asked.filter((url) => !url.startsWith('data:'))
        expect(others).toEqual([`${server.page}/`])
      })
    }
  }
}
