/** Join links, opened as the system does: by starting the app again. */
import { expect } from '@playwright/test'
import type { AppError } from '#shared/errors'
import type { ShareId } from '#shared/state/app-state'
import { stageBundle } from '../build-stage'
import { launch, startAgain } from '../launch'
import { homeScreen, receiveCard, topBar } from '../screens/window'
import { freshStage, page, stage, test } from './stage-app'

const code = '4821-apple-kayak-onion'
const link = `thruflux:join?v=1&c=${code}`

test.beforeAll(freshStage)

// The app accepts one link a second; an earlier test's must not block this one's.
test.beforeEach(async () => {
  await stage.enter('home')
  await stage.app.evaluate(() => globalThis.stage.forgetLinks())
})

const windows = () =>
  stage.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)

test('LINK-01 and LINK-09 a link fills the field of the running app, and joins nothing', async () => {
  const { codeField, note } = homeScreen(page)
  await startAgain(stage, [link, '--server-url=wss://evil.example', '/etc/passwd'], stageBundle)
  await expect(codeField).toHaveValue(code)
  await expect(codeField).toBeFocused()
  await expect(note).toContainText('This code came from a link.')
  expect(await stage.calls()).toEqual([])
  // The link alone connected to nothing.
  expect(await stage.prepared()).toEqual([])
  expect(await windows()).toBe(1)
  await codeField.press('Enter')
  await expect.poll(stage.calls).toEqual([{ name: 'join', arg: { code } }])
})

/** Hands links over in the way the running app gets them from later starts. */
const handOver = (links: readonly string[]) =>
  stage.app.evaluate(({ app }, handed) => {
    for (const one of handed) app.emit('second-instance', {}, ['thruflux', one], '/', null)
  }, links)

const linkWithServer = `${link}&s=wss://meet.example.org`

test("a link's server is used only after the person has agreed to it", async () => {
  const { codeField, note } = homeScreen(page)
  await handOver([linkWithServer])
  await expect(codeField).toHaveValue(code)
  await expect(note).toContainText('uses meet.example.org')
  const refusal = { code: 'E_SERVER_UNCONFIRMED', detail: 'public', subject: 'meet.example.org' }
  await stage.refuseNext(refusal as AppError)
  await codeField.press('Enter')
  await expect(note).toContainText("which you haven't used before")
  expect(await stage.calls()).toEqual([{ name: 'join', arg: { code: linkWithServer } }])
  await page.getByRole('button', { name: 'Use it' }).focus()
  await page.keyboard.press('Enter')
  await expect
    .poll(async () => (await stage.calls()).at(-1))
    .toEqual({ name: 'join', arg: { code: linkWithServer, agreed: true } })
})

test("refusing a link's server clears its code from the field", async () => {
  const { codeField, note } = homeScreen(page)
  await handOver([linkWithServer])
  const refusal = { code: 'E_SERVER_UNCONFIRMED', detail: 'loopback', subject: '127.0.0.1:8080' }
  await stage.refuseNext(refusal as AppError)
  await codeField.press('Enter')
  await expect(note).toContainText("isn't on the internet")
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(codeField).toHaveValue('')
  await codeField.fill(code)
  await codeField.press('Enter')
  await expect
    .poll(async () => (await stage.calls()).at(-1))
    .toEqual({ name: 'join', arg: { code } })
})

test('LINK-04 a link that contains command-line switches is refused without setting any', async () => {
  const { app } = stage
  const before = await app.evaluate(() => process.argv)
  const evil = 'thruflux:join?v=1&c=x" --no-sandbox --gpu-launcher=calc'
  await startAgain(stage, [evil], stageBundle)
  await expect(page.getByRole('alert')).toContainText("Thruflux doesn't understand this join link")
  await expect(homeScreen(page).codeField).toHaveValue('')
  expect(await app.evaluate(() => process.argv)).toEqual(before)
  expect(await app.evaluate(({ app: main }) => main.commandLine.hasSwitch('gpu-launcher'))).toBe(
    false,
  )
})

for (const [id, text] of [
  ['LINK-02', `thruflux://join/?v=1&c=${code}`],
  ['LINK-03', `${link}&out=/etc&accept=1&server=evil.example`],
  ['LINK-05', `${link}%00`],
  ['LINK-05', `${link}${'a'.repeat(1_048_576)}`],
  ['LINK-10', 'thruflux:join?v=1&c=<img src=x onerror=alert(1)>'],
] as const) {
  const tag = id === 'LINK-03' ? [] : '@full'
  test(`${id} a link such as ${text.slice(0, 60)} is refused with an error`, { tag }, async () => {
    await handOver([text])
    await expect(page.getByRole('alert')).toContainText(
      'Ask whoever sent it for the code, and type it.',
    )
    await expect(homeScreen(page).codeField).toHaveValue('')
    await expect(page.locator('img')).toHaveCount(0)
    expect(await page.content()).not.toContain('onerror')
    expect(await stage.calls()).toEqual([])
  })
}

test('LINK-06 a thousand links make one window and one notice', { tag: '@full' }, async () => {
  await handOver(Array.from({ length: 1000 }, (_, count) => `${link}&x=${count}`))
  await expect(page.getByRole('alert')).toHaveCount(1)
  expect(await windows()).toBe(1)
  expect(await stage.calls()).toEqual([])
})

test("LINK-07 a link doesn't affect a running transfer", { tag: '@full' }, async () => {
  await stage.enter('receiving')
  const rushes = receiveCard(page, '4 items')
  await expect(rushes.bar).toHaveAttribute('aria-valuenow', '62')
  await handOver([link])
  await expect(topBar(page).codeField).toHaveValue(code)
  await expect(rushes.bar).toHaveAttribute('aria-valuenow', '62')
  expect(await stage.calls()).toEqual([])
})

test('LINK-08 the link of the first start waits for the window', { tag: '@full' }, async () => {
  const first = await launch({ entry: stageBundle, args: [link] })
  await expect(homeScreen(first.page).codeField).toHaveValue(code)
  await expect(homeScreen(first.page).note).toContainText('This code came from a link.')
  await first.close()
})

test('a share has the address at which a browser on this network receives it', async () => {
  await stage.enter('sharing-started')
  const copy = page.getByRole('button', { name: 'Copy link for a browser on this network' })
  const open = page.getByRole('button', { name: 'QR code' })
  await open.click()
  await expect(page.getByRole('button', { name: 'Copy link', exact: true })).toBeVisible()
  await expect(copy).toBeHidden()
  const localNetwork = {
    phase: 'visible',
    urls: ['ws://192.168.7.1:41480'],
    hasPage: true,
  } as const
  await stage.play([{ type: 'local-network-changed', localNetwork, atMs: Date.now() }])
  await expect(page.getByText('it opens in a browser, without Thruflux')).toBeVisible()
  await copy.click()
  const address = 'http://192.168.7.1:41480/join#c=4821-apple-river-stone'
  await expect.poll(stage.calls).toEqual([{ name: 'copyText', arg: { text: address } }])
})

test('a share at a server with a page has a QR code for any browser', async () => {
  await stage.enter('sharing-started')
  const coded = {
    type: 'share-coded',
    share: 's1' as ShareId,
    code: '4821-apple-river-stone',
  } as const
  const server = 'wss://meet.example.org/v1'
  await stage.play([{ ...coded, server, web: true, atMs: Date.now() }])
  await page.getByRole('button', { name: 'QR code' }).click()
  await expect(page.getByText('it opens in a browser through meet.example.org')).toBeVisible()
  await page.getByRole('button', { name: 'Copy web link' }).click()
  const address = 'https://meet.example.org/join#c=4821-apple-river-stone'
  await expect.poll(stage.calls).toEqual([{ name: 'copyText', arg: { text: address } }])
})
