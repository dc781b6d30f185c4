/** Windows whose page crashes, and the page that replaces it after a second crash. */
import AxeBuilder from '@axe-core/playwright'
import { expect } from '@playwright/test'
import { colorSchemes, launchStage, type StageApp, test } from './stage-app'

let stage: StageApp

test.beforeEach(async () => {
  stage = await launchStage()
})

test.afterEach(() => stage.close())

test(
  'a page that crashes is restored completely, and reports a second crash',
  { tag: '@full' },
  async () => {
    await stage.enter('sharing-started')
    /** Crashes the page, and reads its replacement. */
    const endPage = () =>
      stage.app.evaluate(async ({ BrowserWindow }) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents
        if (contents === undefined) return 'no window'
        const loaded = new Promise<void>((resolve) => {
          contents.once('did-finish-load', () => resolve())
        })
        contents.forcefullyCrashRenderer()
        await loaded
        const look = `new Promise((resolve) => {
        const read = () => {
          const title = document.querySelector('h1, .title')
          if (title) resolve(document.body.innerText)
          else requestAnimationFrame(read)
        }
        read()
      })`
        return contents.executeJavaScript(look) as Promise<string>
      })
    expect(await endPage()).toContain('Kyoto rushes')
    const said = await endPage()
    expect(said).toContain('The window stopped working')
    expect(said).toContain('Restart Thruflux')
  },
)

for (const { colorScheme, tag } of colorSchemes) {
  test(`the error page restarts the app and copies a report, ${colorScheme}`, { tag }, async () => {
    const { page, app } = stage
    await stage.resize(1180, 760)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.loadURL('app://thruflux/index.html?lang=en&fatal=engine'),
    )
    await expect(page.getByRole('heading')).toHaveText("Thruflux can't transfer files")
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
    expect(violations.map(({ id }) => id)).toEqual([])
    await page.getByRole('button', { name: 'Copy report' }).click()
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
    await page.getByRole('button', { name: 'Restart Thruflux' }).click()
    await expect.poll(stage.calls).toMatchObject([{ name: 'copyReport' }, { name: 'restart' }])
  })
}

test('a note about a crash stays until it is closed', { tag: '@full' }, async () => {
  const { page } = stage
  await stage.enter('home')
  await stage.app.evaluate(() => globalThis.stage.request({ crashed: true }))
  const note = page.getByText('Thruflux stopped unexpectedly last time.')
  await expect(note).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(note).toBeHidden()
})
