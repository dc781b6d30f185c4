/** State that outlives the app: shares, unfinished receives, and the history. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { launch, type RunningApp } from '../launch'
import {
  dragFiles,
  homeScreen,
  previewSheet,
  receiveCard,
  shareCard,
  topBar,
} from '../screens/window'
import { freePort } from './free-port'
import { hashTree, makeLargeFile } from './tree'

const size = 40_000_000

let folder: string
let port: number
const running = new Set<RunningApp>()

test.beforeEach(async () => {
  port = await freePort()
  folder = await mkdtemp(join(tmpdir(), 'thruflux-restart-'))
})

test.afterEach(async () => {
  await Promise.all([...running].map((app) => app.close()))
  running.clear()
  await rm(folder, { recursive: true, force: true })
})

/** A person's app, with its earlier state if it ran before. */
async function start(name: string): Promise<RunningApp> {
  const profile = join(folder, `profile of ${name}`)
  const downloads = join(folder, name)
  await mkdir(downloads, { recursive: true })
  const args = [`--local-port=${port}`, `--name=${name}`, `--downloads=${downloads}`]
  const app = await launch({ profile, args })
  running.add(app)
  return app
}

/** Quits an app from its menu while bytes move, and waits for its process to exit. */
async function quit(app: RunningApp): Promise<void> {
  running.delete(app)
  const gone = new Promise((resolve) => app.app.process().once('exit', resolve))
  await app.app
    .evaluate(({ dialog, Menu }) => {
      // The person confirms quitting.
      dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false })
      Menu.getApplicationMenu()?.getMenuItemById('quit')?.click()
    })
    // The app may exit before it answers.
    .catch(() => undefined)
  await gone
  await rm(app.directory, { recursive: true, force: true })
}

const limitUpload = ({ page }: RunningApp, upload: number) =>
  page.evaluate((most) => window.thru.setLimits({ upload: most, download: 0 }), upload)

/** A receive from Mina's app in Jonas's, started and slow enough to last. */
async function middle() {
  const [mina, jonas] = await Promise.all([start('Mina Park'), start('Jonas Weber')])
  const path = join(folder, 'Night run')
  await mkdir(path)
  await makeLargeFile(join(path, 'a.bin'), size)
  await limitUpload(mina, 4_000_000)
  await dragFiles(mina.page, [path], 'dropped')
  const code = await shareCard(mina.page, 'Night run').readCode()
  await homeScreen(jonas.page).enterCode(code)
  await previewSheet(jonas.page).receive.click()
  const receive = receiveCard(jonas.page, 'Night run')
  await expect(receive.card).toContainText(/[1-9]%|[1-9]\d%/)
  const hasArrived = async (app: RunningApp): Promise<void> => {
    await expect(receiveCard(app.page, 'Night run').headline).toHaveText(/^Received and verified/, {
      timeout: 30_000,
    })
    const there = join(folder, 'Jonas Weber', 'Night run')
    expect(await hashTree(there)).toEqual(await hashTree(path))
  }
  return { mina, jonas, code, receive, hasArrived }
}

test(
  'a share survives quitting its app, and the receiver finishes automatically',
  { tag: '@full' },
  async () => {
    const { mina, jonas, code, receive, hasArrived } = await middle()
    await quit(mina)
    await expect(receive.card).toContainText('Reconnecting')
    const again = await start('Mina Park')
    const share = shareCard(again.page, 'Night run')
    expect(await share.readCode()).toBe(code)
    await limitUpload(again, 0)
    await hasArrived(jonas)
    await topBar(again.page).place('History').click()
    await expect(again.page.locator('.history')).toContainText('Jonas Weber')
  },
)

test('a receive interrupted by quitting resumes at the next start', async () => {
  const { mina, jonas, hasArrived } = await middle()
  await quit(jonas)
  const again = await start('Jonas Weber')
  await limitUpload(mina, 0)
  await again.page.getByRole('button', { name: 'Resume' }).click()
  await previewSheet(again.page).receive.click()
  await hasArrived(again)
})
