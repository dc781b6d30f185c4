/** Real apps on computers of one network, without a server or any setting. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { type Computer, Lan } from '../../cli/tests/programs/net/lan/lan'
import { launch, type RunningApp } from '../launch'
import {
  dragFiles,
  homeScreen,
  peopleList,
  previewSheet,
  questionRows,
  receiveCard,
  shareCard,
} from '../screens/window'
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

const numberIn = (words: string) => /Number (\d{3} \d{3})/.exec(words)?.[1]

/** Mina drops a folder on Jonas; both compare the number, and Jonas receives. */
async function sendByNumber({ page: mina }: RunningApp, { page: jonas }: RunningApp) {
  const person = peopleList(mina).person('Jonas Weber')
  await expect(person).toContainText('Nearby')
  await dragFiles(mina, [join(folder, 'Kyoto rushes')], 'dropped', person)
  const { card, receivers } = shareCard(mina, 'Kyoto rushes')
  const question = questionRows(jonas)
  await expect(question).toContainText('Mina Park wants to send you files')
  await expect(card).toContainText('does the other screen show the same number?')
  const number = numberIn(await card.innerText())
  expect(number).toBeDefined()
  expect(numberIn(await question.innerText())).toBe(number)
  await question.getByRole('button', { name: 'View' }).click()
  await expect(question).toContainText('waiting for the sender to confirm it')
  await card.getByRole('button', { name: 'Yes, send' }).click()
  await expect(previewSheet(jonas).title).toHaveText('Mina Park wants to send you 204 files')
  await previewSheet(jonas).receive.click()
  await expect(receiveCard(jonas, 'Kyoto rushes').headline).toHaveText(/^Received and verified/)
  await expect(receivers).toContainText('Received and verified')
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

test('files dropped on a nearby computer arrive after both people compared a number', async () => {
  const [mina, jonas] = await Promise.all([
    appOn('host', 'Mina Park'),
    appOn('join', 'Jonas Weber'),
  ])
  await sendByNumber(mina, jonas)
  expect(await arrivedAt('join')).toEqual(await sent())
  await expect(shareCard(mina.page, 'Kyoto rushes').code).toHaveCount(0)

  await jonas.page.getByRole('button', { name: 'Add to contacts' }).click()
  await questionRows(mina.page).getByRole('button', { name: 'Add' }).click()
  await expect(jonas.page.getByText('Contact', { exact: true })).toBeVisible()
  await expect(peopleList(mina.page).person('Jonas Weber')).toContainText('Nearby')
})

test('a nearby computer whose person declines gets nothing', { tag: '@full' }, async () => {
  const [mina, jonas] = await Promise.all([
    appOn('host', 'Mina Park'),
    appOn('join', 'Jonas Weber'),
  ])
  const person = peopleList(mina.page).person('Jonas Weber')
  await expect(person).toContainText('Nearby')
  await dragFiles(mina.page, [join(folder, 'Kyoto rushes')], 'dropped', person)
  await questionRows(jonas.page).getByRole('button', { name: 'Decline' }).click()
  await expect(shareCard(mina.page, 'Kyoto rushes').card).toContainText('Declined')
  await expect(questionRows(jonas.page)).toHaveCount(0)
})
