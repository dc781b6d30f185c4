/** What happens in the middle of real transfers: pauses, several receivers, a full disk. */
import { execFileSync } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { launch, type RunningApp } from '../launch'
import { dragFiles, homeScreen, previewSheet, receiveCard, shareCard } from '../screens/window'
import { freePort } from './free-port'
import { hashTree, makeLargeFile } from './tree'

let folder: string
let port: number
const apps = new Set<RunningApp>()

test.beforeEach(async () => {
  port = await freePort()
  folder = await mkdtemp(join(tmpdir(), 'thruflux-middle-'))
})

test.afterEach(async () => {
  await Promise.all([...apps].map((app) => app.close()))
  apps.clear()
  await rm(folder, { recursive: true, force: true })
})

async function start(name: string): Promise<RunningApp> {
  const downloads = join(folder, name)
  await mkdir(downloads, { recursive: true })
  const args = [`--local-port=${port}`, `--name=${name}`, `--downloads=${downloads}`]
  const app = await launch({ args })
  apps.add(app)
  return app
}

const limitUpload = ({ page }: RunningApp, upload: number) =>
  page.evaluate((most) => window.thru.setLimits({ upload: most, download: 0 }), upload)

/** Mina's folder of six files of 5 MB, at a rate at which it lasts, and the code of its share. */
async function slowShare(mina: RunningApp): Promise<string> {
  const path = join(folder, 'Rushes')
  await mkdir(path)
  for (const name of 'abcdef') await makeLargeFile(join(path, `${name}.bin`), 5_000_000)
  await limitUpload(mina, 3_000_000)
  await dragFiles(mina.page, [path], 'dropped')
  return shareCard(mina.page, 'Rushes').readCode()
}

async function receive({ page }: RunningApp, code: string): Promise<void> {
  await homeScreen(page).enterCode(code)
  await previewSheet(page).receive.click()
  await expect(receiveCard(page, 'Rushes').card).toContainText(/[1-9]%/)
}

async function expectArrival({ page }: RunningApp, name: string): Promise<void> {
  await expect(receiveCard(page, 'Rushes').headline).toHaveText(/^Received and verified/)
  expect(await hashTree(join(folder, name, 'Rushes'))).toEqual(
    await hashTree(join(folder, 'Rushes')),
  )
}

test(
  'two receivers are paused by their sender, one stays paused by its own person, and both finish',
  { tag: '@full' },
  async () => {
    const [mina, jonas, sora] = await Promise.all([start('Mina'), start('Jonas'), start('Sora')])
    const code = await slowShare(mina)
    await Promise.all([receive(jonas, code), receive(sora, code)])
    const share = shareCard(mina.page, 'Rushes')
    await expect(share.receivers).toHaveCount(2)

    await share.pauseAll.click()
    for (const { page } of [jonas, sora]) {
      await expect(receiveCard(page, 'Rushes').card).toContainText('Paused by the other side')
    }
    await receiveCard(sora.page, 'Rushes').pause.click()
    await share.pauseAll.click()
    await limitUpload(mina, 0)
    await expectArrival(jonas, 'Jonas')
    await expect(receiveCard(sora.page, 'Rushes').card).toContainText('Paused')
    await receiveCard(sora.page, 'Rushes').pause.click()
    await expectArrival(sora, 'Sora')
  },
)

test(
  'a receive waits while the disk is full, and goes on by itself when there is room',
  { tag: '@full' },
  async () => {
    test.skip(process.platform !== 'linux' || process.getuid?.() !== 0, 'root mounts a small disk')
    const [mina, jonas] = await Promise.all([start('Mina'), start('Jonas')])
    const disk = join(folder, 'Jonas')
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=40m', 'tmpfs', disk])
    try {
      const code = await slowShare(mina)
      await receive(jonas, code)
      await fill(join(disk, 'other'))
      const card = receiveCard(jonas.page, 'Rushes')
      await expect(card.card).toContainText(/Waiting for .* of disk space/, {
        timeout: 15_000,
      })
      await rm(join(disk, 'other'))
      await limitUpload(mina, 0)
      await expectArrival(jonas, 'Jonas')
    } finally {
      for (const app of apps) await app.close()
      apps.clear()
      execFileSync('umount', [disk])
    }
  },
)

/** Writes a file until the disk has no room left. */
const fill = (path: string): Promise<void> =>
  new Promise((resolve) => {
    const file = createWriteStream(path)
    const block = Buffer.alloc(64 * 1024)
    file.on('error', () => resolve())
    const more = (): void => void file.write(block, (reason) => reason ?? more())
    more()
  })
