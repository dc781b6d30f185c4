/** A server between two real apps: one adds it in the window, the other gets it only from the link. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { makeJoinLink } from '#shared/code/join-link'
import { Thru } from '../../cli/tests/programs/thru'
import { launch, type RunningApp, startAgain } from '../launch'
import {
  dragFiles,
  homeScreen,
  openSettings,
  previewSheet,
  receiveCard,
  shareCard,
  topBar,
} from '../screens/window'
import { freePort } from './free-port'
import { hashTree, makeTree } from './tree'

let folder: string
let server: Thru
let address: string
const apps = new Set<RunningApp>()

test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thruflux-links-'))
  const port = await freePort()
  address = `127.0.0.1:${port}`
  server = new Thru(['serve', '--host', '127.0.0.1', '--port', `${port}`])
  await server.match(/ws:\/\//)
})

test.afterEach(async () => {
  await Promise.all([...apps].map((app) => app.close()))
  apps.clear()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

/** A person's app. Each has its own embedded server, so only the common one connects them. */
async function start(name: string, ...more: readonly string[]): Promise<RunningApp> {
  const downloads = join(folder, name)
  await mkdir(downloads, { recursive: true })
  const args = [`--local-port=${await freePort()}`, `--name=${name}`, `--downloads=${downloads}`]
  const profile = join(folder, `profile of ${name}`)
  const app = await launch({ profile, args: [...args, ...more] })
  apps.add(app)
  return app
}

async function close(app: RunningApp): Promise<void> {
  apps.delete(app)
  await app.close()
}

/** Tests a server and adds it, which takes effect immediately. */
async function useServer({ page }: RunningApp, url: string): Promise<void> {
  await openSettings(page, 'Network')
  await page.getByRole('button', { name: 'Add a server' }).click()
  await page.getByRole('textbox', { name: 'Address' }).fill(url)
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(page.getByText('This server is ready.')).toBeVisible()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText('Used', { exact: true })).toBeVisible()
}

test('a link finds a share through a server that its receiver agrees to once', async () => {
  const [mina, jonas] = await Promise.all([start('Mina Park'), start('Jonas Weber')])
  await useServer(mina, `ws://${address}`)
  const path = join(folder, 'Kyoto rushes')
  await makeTree(path)
  await dragFiles(mina.page, [path], 'dropped')
  const code = await shareCard(mina.page, 'Kyoto rushes').readCode()
  await expect(topBar(mina.page).status).toHaveText(`Ready via ${address}`)
  const link = makeJoinLink({ code, server: `ws://${address}/v1` })

  await homeScreen(jonas.page).enterCode(code)
  await expect(homeScreen(jonas.page).note).toContainText(
    'No open code on this computer has this number',
  )
  await startAgain(jonas, [link])
  await expect(homeScreen(jonas.page).note).toContainText(`uses ${address}`)
  await homeScreen(jonas.page).codeField.press('Enter')
  await expect(homeScreen(jonas.page).note).toContainText("which you haven't used before")
  await jonas.page.getByRole('button', { name: 'Use it' }).click()
  await previewSheet(jonas.page).receive.click()
  await expect(receiveCard(jonas.page, 'Kyoto rushes').headline).toHaveText(
    /^Received and verified/,
  )
  expect(await hashTree(join(folder, 'Jonas Weber', 'Kyoto rushes'))).toEqual(await hashTree(path))

  await close(jonas)
  const again = await start('Jonas Weber', link)
  await expect(homeScreen(again.page).codeField).toHaveValue(code)
  await homeScreen(again.page).codeField.press('Enter')
  await expect(previewSheet(again.page).title).toHaveText('Mina Park wants to send you 204 files')
})
