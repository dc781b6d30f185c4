/** Real apps on computers of one network, without a server or any setting. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { type Computer, Lan } from '../../cli/tests/programs/net/lan'
import { launch, type RunningApp } from '../launch'
import { dragFiles, homeScreen, previewSheet, receiveCard, shareCard } from '../screens/window'
import { hashTree, makeTree } from './tree'

test.skip(process.platform !== 'linux', 'network namespaces exist on Linux only')
test.skip(process.getuid?.() !== 0, 'only root can create network namespaces')

let lan: Lan
let folder: string
const apps: RunningApp[] = []

test.beforeEach(async () => {
  lan = await Lan.make('both')
  folder = await mkdtemp(join(tmpdir(), 'thruflux-lan-'))
  await makeTree(join(folder, 'Kyoto rushes'))
})

test.afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()))
  await lan.remove()
  await rm(folder, { recursive: true, force: true })
})

/** The app on a computer, which saves its receives in a folder with that computer's name. */
async function appOn(computer: Computer, name: string): Promise<RunningApp> {
  const downloads = join(folder, computer)
  await mkdir(downloads)
  const args = [`--name=${name}`, `--downloads=${downloads}`]
  const app = await launch({ args, usesNetwork: true, within: lan.within(computer) })
  apps.push(app)
  return app
}

async function share({ page }: RunningApp): Promise<string> {
  await dragFiles(page, [join(folder, 'Kyoto rushes')], 'dropped')
  return shareCard(page, 'Kyoto rushes').readCode()
}

const arrivedAt = (computer: Computer) => hashTree(join(folder, computer, 'Kyoto rushes'))
const sent = () => hashTree(join(folder, 'Kyoto rushes'))

test('the code alone is enough to send a folder from app to app', async () => {
  const [mina, jonas] = await Promise.all([
    appOn('host', 'Mina Park'),
    appOn('join', 'Jonas Weber'),
  ])
  await homeScreen(jonas.page).enterCode(await share(mina))
  await previewSheet(jonas.page).receive.click()
  await expect(receiveCard(jonas.page, 'Kyoto rushes').headline).toHaveText(
    /^Received and verified/,
  )
  const receiver = shareCard(mina.page, 'Kyoto rushes').receivers
  await expect(receiver).toContainText('Received and verified')
  expect(await arrivedAt('join')).toEqual(await sent())
})
