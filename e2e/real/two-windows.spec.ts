/** Two real apps with the real engine on this computer: the first steps of a new user. */
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { launch, type RunningApp, startAgain } from '../launch'
import { dragFiles, homeScreen, previewSheet, receiveCard, shareCard } from '../screens/window'
import { freePort } from './free-port'
import { hashTree, makeLargeFile, makeTree } from './tree'

/** Large enough for a transfer of a few seconds. */
const largeBytes = 1_500_000_000

let mina: RunningApp
let jonas: RunningApp
let downloads: string
let port: number

test.beforeEach(async () => {
  port = await freePort()
  mina = await launch({ args: [`--local-port=${port}`, '--name=Mina Park'] })
  downloads = join(mina.directory, 'received')
  await mkdir(downloads)
  jonas = await launch({
    args: [`--local-port=${port}`, '--name=Jonas Weber', `--downloads=${downloads}`],
  })
})

test.afterEach(async () => {
  await jonas.close()
  await mina.close()
})

/** Mina drops `path` on her window and reads the code aloud. */
async function share(path: string, title: string): Promise<string> {
  await dragFiles(mina.page, [path], 'dropped')
  return shareCard(mina.page, title).readCode()
}

test('a dropped folder arrives complete and verified at the receiver', async () => {
  const folder = join(mina.directory, 'Kyoto rushes')
  await makeTree(folder)
  const code = await share(folder, 'Kyoto rushes')

  await homeScreen(jonas.page).enterCode(code)
  const preview = previewSheet(jonas.page)
  await expect(preview.title).toHaveText('Mina Park wants to send you 204 files')
  await expect(preview.items).toContainText(['Kyoto rushes'])
  await jonas.page.keyboard.press('Enter')

  await expect(receiveCard(jonas.page, 'Kyoto rushes').headline).toHaveText(
    /^Received and verified · 20/,
  )
  const [receiver] = await shareCard(mina.page, 'Kyoto rushes').receivers.all()
  await expect(receiver!).toContainText('Jonas Weber')
  await expect(receiver!).toContainText('Received and verified')
  expect(await hashTree(join(downloads, 'Kyoto rushes'))).toEqual(await hashTree(folder))
})

test('files that one window requests are sent by the other', async () => {
  const folder = join(mina.directory, 'Kyoto rushes')
  await makeTree(folder)
  await jonas.page.getByRole('button', { name: 'Request files' }).click()
  const code = await shareCard(jonas.page, 'Request for files').readCode()

  await homeScreen(mina.page).enterCode(code)
  const asked = mina.page.getByRole('article').filter({ hasText: 'This code asks for files' })
  // The system's dialog can't be driven from here: it answers with the folder.
  await mina.app.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] })
  }, folder)
  await asked.getByRole('button', { name: 'Choose folder' }).click()
  await expect(previewSheet(jonas.page).title).toHaveText('Mina Park wants to send you 204 files')
  expect(await readdir(downloads)).toEqual([])
  await jonas.page.keyboard.press('Enter')

  await expect(receiveCard(jonas.page, 'Kyoto rushes').headline).toHaveText(
    /^Received and verified/,
  )
  expect(await hashTree(join(downloads, 'Kyoto rushes'))).toEqual(await hashTree(folder))
})

test(
  'during a transfer one file is skipped, another is received first, and the rest follow',
  { tag: '@full' },
  async () => {
    const folder = join(mina.directory, 'Rushes')
    await mkdir(folder)
    const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => `${letter}.bin`)
    // At this limit the first four outlast the test's patience; the others take a second each.
    for (const name of names)
      await makeLargeFile(join(folder, name), name < 'e' ? 80_000_000 : 2_000_000)
    await mina.page.evaluate(() => window.thru.setLimits({ upload: 2_000_000, download: 0 }))
    const { page } = jonas
    await homeScreen(page).enterCode(await share(folder, 'Rushes'))
    await previewSheet(page).receive.click()

    await page.getByRole('tab', { name: /^Waiting/ }).click()
    const rows = page.getByRole('grid').getByRole('row')
    await expect(rows.nth(2)).toContainText('.bin')
    const waiting = await rows.allTextContents()
    const [skipped, first] = [waiting.at(-1), waiting.at(-2)].map(
      (row) => /[a-f]\.bin/.exec(row ?? '')?.[0] ?? '',
    )
    await page.getByRole('button', { name: `Skip ${skipped}`, exact: true }).click()
    await page.getByRole('button', { name: `Receive ${first} first`, exact: true }).click()
    await page.getByRole('tab', { name: /^Skipped/ }).click()
    await expect(rows).toContainText([skipped ?? ''])
    await page.getByRole('tab', { name: /^Done/ }).click()
    await expect(rows.filter({ hasText: first ?? '' })).toContainText('Saved', { timeout: 20_000 })
    await expect(page.getByRole('tab', { name: /^Waiting [1-9]/ })).toBeVisible()

    await mina.page.evaluate(() => window.thru.setLimits({ upload: 0, download: 0 }))
    await expect(receiveCard(page, 'Rushes').headline).toHaveText(/^Received and verified/)
    const rest = names.filter((name) => name !== skipped)
    expect((await readdir(join(downloads, 'Rushes'))).sort()).toEqual(rest)
    const [here, there] = [await hashTree(join(downloads, 'Rushes')), await hashTree(folder)]
    for (const name of rest) expect(here.get(name)).toBe(there.get(name))
  },
)

test(
  'a declined offer writes nothing and leaves both windows ready',
  { tag: '@full' },
  async () => {
    const folder = join(mina.directory, 'Unwanted')
    await makeTree(folder)
    await homeScreen(jonas.page).enterCode(await share(folder, 'Unwanted'))
    await previewSheet(jonas.page).decline.click()

    await expect(homeScreen(jonas.page).invitation).toBeVisible()
    await expect(shareCard(mina.page, 'Unwanted').receivers).toContainText(['Declined'])
    expect(await readdir(downloads)).toEqual([])
  },
)

test(
  "LINK-01 a link opens in the running app, which doesn't join automatically",
  { tag: '@full' },
  async () => {
    const code = '4821-apple-kayak-onion'
    await startAgain(jonas, [`thruflux:join?v=1&c=${code}`])
    const home = homeScreen(jonas.page)
    await expect(home.codeField).toHaveValue(code)
    await expect(home.note).toContainText('This code came from a link.')
    const windows = await jonas.app.evaluate(
      ({ BrowserWindow }) => BrowserWindow.getAllWindows().length,
    )
    expect(windows).toBe(1)
  },
)

test(
  'closing the app in the middle of a transfer leaves no process',
  { tag: '@full' },
  async () => {
    const file = join(mina.directory, 'large.bin')
    await makeLargeFile(file, largeBytes)
    await homeScreen(jonas.page).enterCode(await share(file, 'large.bin'))
    await previewSheet(jonas.page).receive.click()
    await expect(receiveCard(jonas.page, 'large.bin').bar).not.toHaveAttribute('aria-valuenow', '0')

    const processes = [...(await processesOf(mina)), ...(await processesOf(jonas))]
    expect(processes.length).toBeGreaterThan(4)
    await mina.app.close()
    await jonas.app.close()
    await expect.poll(() => processes.filter(isAlive)).toEqual([])
  },
)

const processesOf = ({ app }: RunningApp): Promise<readonly number[]> =>
  app.evaluate((electron) => electron.app.getAppMetrics().map(({ pid }) => pid))

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
