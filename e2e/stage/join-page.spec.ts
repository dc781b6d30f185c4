/** The page behind web links, in a window of its own, as a browser shows it. */
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { repository } from '../build-stage'
import { colorSchemes, launchStage, type StageApp, test } from './stage-app'

const code = '4821-apple-kayak-onion'
const pictures = 'test-results/views'

let stage: StageApp
let server: Server
let page: Page
let asked: string[]
const complaints: string[] = []

test.beforeAll(async () => {
  const html = await readFile(join(repository, 'resources/web/join.html'))
  server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stage = await launchStage()
  const opened = stage.app.waitForEvent('window')
  await stage.app.evaluate(async ({ BrowserWindow }) => {
    const window = new BrowserWindow({ width: 375, height: 720, useContentSize: true })
    await window.loadURL('about:blank')
  })
  page = await opened
  page.on('console', (message) => {
    // Only violations of the page's policy; Electron also warns about `about:blank`.
    if (message.text().startsWith('Refused')) complaints.push(message.text())
  })
})

test.afterAll(async () => {
  await stage.close()
  server.close()
})

test.beforeEach(() => {
  asked = []
})

const host = () => `127.0.0.1:${(server.address() as AddressInfo).port}`

for (const { colorScheme, tag } of colorSchemes) {
  test(`it shows the code and a link to the app, ${colorScheme}`, { tag }, async () => {
    await page.emulateMedia({ colorScheme })
    await page.goto('about:blank')
    await page.goto(`http://${host()}/join#c=${code}`)
    await expect(page.locator('#code')).toHaveText(code)
    await expect(page.getByRole('link', { name: 'Open in Thruflux' })).toHaveAttribute(
      'href',
      `thruflux:join?v=1&c=${code}&s=ws://${host()}`,
    )
    await page.screenshot({ path: join(repository, pictures, `join-page-${colorScheme}.png`) })
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
    expect(violations.map(({ id }) => id)).toEqual([])
    expect(complaints).toEqual([])
  })
}

test('the code never reaches the server', async () => {
  await page.goto('about:blank')
  await page.goto(`http://${host()}/join#c=${code}`)
  await expect(page.locator('#code')).toHaveText(code)
  expect(asked.filter((path) => path !== '/favicon.ico')).toEqual(['/join'])
})

test('it stays below the path of its server', async () => {
  await page.goto(`http://${host()}/thru/join#c=${code}`)
  await expect(page.getByRole('link', { name: 'Open in Thruflux' })).toHaveAttribute(
    'href',
    `thruflux:join?v=1&c=${code}&s=ws://${host()}/thru`,
  )
})

for (const hash of [
  '',
  '#c=',
  '#c=<img src=x onerror=alert(1)>',
  `#c=${code}&s=wss://evil.example`,
]) {
  test(`it opens nothing for "${hash}"`, async () => {
    await page.goto('about:blank')
    await page.goto(`http://${host()}/join${hash}`)
    await expect(page.getByRole('heading')).toHaveText('This link has no join code')
    await expect(page.getByRole('link', { name: 'Open in Thruflux' })).toBeHidden()
  })
}
