/** The window's response to keys, drops and answers, with a scripted client. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { appError } from '#shared/errors'
import type { Api } from '#shared/ipc'
import type { ReceiveId } from '#shared/state/app-state'
import {
  dragFiles,
  homeScreen,
  previewSheet,
  receiveCard,
  shareCard,
  topBar,
} from '../screens/window'
import { transferId } from './scenes/scene-parts'
import { freshStage, page, stage, test } from './stage-app'

declare global {
  interface Window {
    readonly thru: Api<File>
  }
}

test.beforeAll(freshStage)

const lastCall = async () => (await stage.calls()).at(-1)

test('a drop anywhere shares exactly the files that were dropped', async () => {
  await stage.enter('home')
  const folder = join(stage.directory, 'two words')
  await mkdir(folder)
  await writeFile(join(stage.directory, 'hello.txt'), 'hello')
  const paths = [folder, join(stage.directory, 'hello.txt')]
  await dragFiles(page, paths, 'dropped')
  await expect.poll(lastCall).toEqual({ name: 'share', arg: { paths } })
})

test('files are sent to a contact by a drop on it, or by its button', async () => {
  await stage.enter('contacts-home')
  const mina = page.getByRole('button', { name: 'Send files to Mina Park' })
  await expect(page.getByRole('button', { name: /^Send files to/ })).toHaveCount(5)
  await mina.click()
  const to = { contact: Buffer.from('Mina Park.......').toString('hex') }
  await expect.poll(lastCall).toEqual({ name: 'pickAndShare', arg: { kind: 'files', to } })
  await dragFiles(page, ['/tmp'], 'held', mina)
  await expect(mina).toContainText('Drop to send to Mina Park')
  await dragFiles(page, ['/tmp'], 'dropped', mina)
  await expect.poll(lastCall).toEqual({ name: 'share', arg: { paths: ['/tmp'], to } })
  await topBar(page).place('Contacts').click()
  await mina.click()
  await expect.poll(lastCall).toEqual({ name: 'pickAndShare', arg: { kind: 'files', to } })
})

test('files are sent to a group at home and on the page of contacts, where its members are chosen', async () => {
  await stage.enter('contacts-grouped')
  const family = page.getByRole('button', { name: 'Send files to Family' })
  await expect(family).toContainText('2 contacts')
  const to = { group: 'Family' }
  await dragFiles(page, ['/tmp'], 'dropped', family)
  await expect.poll(lastCall).toEqual({ name: 'share', arg: { paths: ['/tmp'], to } })
  await topBar(page).place('Contacts').click()
  await family.click()
  await expect.poll(lastCall).toEqual({ name: 'pickAndShare', arg: { kind: 'files', to } })
  await page.getByRole('button', { name: 'Edit Mina Park' }).click()
  const groups = page.getByRole('textbox', { name: 'Groups' })
  await groups.fill('Work, family')
  await groups.press('Enter')
  const contact = Buffer.from('Mina Park.......').toString('hex')
  const arg = { contact, groups: ['Work', 'Family'] }
  await expect.poll(lastCall).toEqual({ name: 'setContactGroups', arg })
})

test('a nearby computer is sent to after its number was compared, and can be answered', async () => {
  await stage.enter('nearby')
  const kitchen = page.getByRole('button', { name: 'Send files to Kitchen tablet' })
  await kitchen.click()
  const to = { nearby: Buffer.from('Kitchen.').toString('hex') }
  await expect.poll(lastCall).toEqual({ name: 'pickAndShare', arg: { kind: 'files', to } })
  await dragFiles(page, ['/tmp'], 'dropped', kitchen)
  await expect.poll(lastCall).toEqual({ name: 'share', arg: { paths: ['/tmp'], to } })
  await stage.enter('nearby-asked')
  await page.getByText('Number 482 913').waitFor()
  await page.getByRole('button', { name: 'Yes, send' }).click()
  const compared = { share: 's1', computer: to.nearby, isRight: true }
  await expect.poll(lastCall).toEqual({ name: 'compareNumber', arg: compared })
  await stage.enter('nearby-question')
  await page.getByRole('button', { name: 'View' }).click()
  const answered = { question: 'n0', isAccepted: true }
  await expect.poll(lastCall).toEqual({ name: 'answerNearby', arg: answered })
})

test('a file created by a script is not shared', async () => {
  await stage.enter('home')
  await stage.refuseNext(appError('E_BAD_ARGUMENT'))
  const reply = await page.evaluate(() =>
    window.thru.shareFiles([new File(['secret'], 'made-up.txt')]),
  )
  expect(reply).toMatchObject({ ok: false, error: { code: 'E_BAD_ARGUMENT' } })
  expect(await stage.calls()).toEqual([])
})

for (const [what, count, sentence] of [
  ['only pictures of a page, which are no files', 1, 'There is nothing to send.'],
  ['more than a share can have', 10_001, 'This is more than Thruflux allows.'],
] as const) {
  test(`a drop of ${what}, is refused with an error`, async () => {
    await stage.enter('home')
    await page.evaluate((made) => {
      const dataTransfer = new DataTransfer()
      for (let index = 0; index < made; index += 1) {
        dataTransfer.items.add(new File(['x'], `${index}.png`, { type: 'image/png' }))
      }
      window.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }))
    }, count)
    await expect(page.getByText(sentence)).toBeVisible()
    expect(await stage.calls()).toEqual([])
  })
}

test('the page has no access to Node, the network or other pages', async () => {
  await stage.enter('home')
  const found = await page.evaluate(async () => {
    const fetched = await fetch('https://example.org').then(
      () => 'fetched',
      () => 'refused',
    )
    const opened = window.open('https://example.org')
    return { require: 'require' in window, process: 'process' in window, fetched, opened }
  })
  expect(found).toEqual({ require: false, process: false, fetched: 'refused', opened: null })
  const stays: unknown = await stage.app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows()
    return window?.webContents.executeJavaScript(
      `location.href = 'https://example.org'; document.title`,
    )
  })
  expect(stays).toBe('Thruflux')
  expect(page.url()).toBe('app://thruflux/index.html?lang=en')
})

test('keys open the pickers and focus the code field', async () => {
  await stage.enter('home')
  await page.keyboard.press('Control+O')
  await expect.poll(lastCall).toEqual({ name: 'pickAndShare', arg: { kind: 'files' } })
  await page.keyboard.press('Control+Shift+O')
  await expect.poll(lastCall).toEqual({ name: 'pickAndShare', arg: { kind: 'folder' } })
  await page.keyboard.press('Control+L')
  await expect(topBar(page).codeField).toBeFocused()
})

test('a code pasted anywhere fills the field and joins nothing automatically', async () => {
  const { app } = stage
  await stage.enter('sharing-started')
  await app.evaluate(({ clipboard }) => clipboard.writeText('  4821 Apple Kayak\u2013Onion\n'))
  await page.keyboard.press('Control+V')
  const { codeField } = topBar(page)
  await expect(codeField).toHaveValue('4821-apple-kayak-onion')
  await expect(codeField).toBeFocused()
  expect(await stage.calls()).toEqual([])
  await page.keyboard.press('Enter')
  await expect.poll(lastCall).toEqual({ name: 'join', arg: { code: '4821-apple-kayak-onion' } })
})

test('a refused code stays in the field with the reason until it is edited', async () => {
  const home = homeScreen(page)
  await stage.enter('home')
  await home.enterCode('4821-apple')
  await expect(home.note).toContainText("This isn't a join code.")
  await expect(home.codeField).toHaveValue('4821-apple')
  expect(await stage.calls()).toEqual([])
  await home.codeField.press('End')
  await home.codeField.press('-')
  await expect(home.note).toBeEmpty()
})

test('a code that is being looked up can be canceled with Esc', async () => {
  await stage.enter('code-on-its-way')
  await expect(homeScreen(page).note).toContainText('Connecting')
  await page.keyboard.press('Control+L')
  await page.keyboard.press('Escape')
  await expect.poll(stage.calls).toEqual([
    { name: 'cancel', arg: { receive: 'r1' } },
    { name: 'dismiss', arg: { id: 'r1' } },
  ])
})

test('Enter accepts an offer, into a different folder if one was chosen', async () => {
  const { change, sheet, receive } = previewSheet(page)
  await stage.enter('preview')
  await expect(receive).toBeFocused()
  await change.click()
  await expect(sheet).toContainText('/media/sora/Projects/Kyoto')
  await receive.focus()
  await page.keyboard.press('Enter')
  await expect.poll(lastCall).toMatchObject({
    name: 'accept',
    arg: {
      ...{ receive: 'r1', selection: { only: [], except: [] } },
      options: { conflict: 'update-unchanged' },
    },
  })
})

test('Esc leaves an offer for later, and it can be opened again', async () => {
  await stage.enter('preview')
  const { sheet } = previewSheet(page)
  await expect(sheet).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(page.getByText('Waiting for your answer')).toBeVisible()
  expect(await stage.calls()).toEqual([])
  await page.getByRole('button', { name: 'Review' }).click()
  await expect(sheet).toBeVisible()
})

test('a declined offer disappears from the screen', async () => {
  await stage.enter('preview')
  await previewSheet(page).decline.click()
  await expect.poll(stage.calls).toEqual([
    { name: 'cancel', arg: { receive: 'r1' } },
    { name: 'dismiss', arg: { id: 'r1' } },
  ])
  const receive = 'r1' as ReceiveId
  await stage.play([
    { atMs: Date.now(), type: 'receive-failed', receive, error: appError('E_DECLINED') },
  ])
  await expect(previewSheet(page).sheet).toBeHidden()
  await expect(homeScreen(page).invitation).toBeVisible()
})

test('IPC-15 foreign names are shown as text and never as markup', async () => {
  await stage.enter('home')
  const receive = 'r1' as ReceiveId
  const name = '<img src=x onerror=alert(1)><b>bold</b>'
  const totals = { files: 1, folders: 0, bytes: 1, complete: true }
  const route = { kind: 'direct', family: 4, transport: 'udp', remote: name, relay: '' } as const
  await stage.play(
    [
      {
        type: 'receive-opened',
        code: '4821-apple-river-stone',
        transfer: transferId('r1'),
      } as const,
      { type: 'receive-connected', from: name, route } as const,
      {
        type: 'receive-offered',
        title: name,
        items: [{ id: 0, name, kind: 'file', files: 1, bytes: 1 }],
        totals,
      } as const,
    ].map((event) => ({ ...event, receive, atMs: Date.now() })),
  )
  const { sheet, items } = previewSheet(page)
  await expect(items).toContainText(name)
  await expect(sheet.locator('img, b')).toHaveCount(0)
})

test(
  'copying sends the code to the clipboard command and confirms for a moment',
  { tag: '@full' },
  async () => {
    await stage.enter('sharing-started')
    const { copy, code } = shareCard(page, 'Kyoto rushes')
    await expect(code).toHaveAccessibleName('Join code 4 8 2 1, apple, river, stone. Copy')
    await copy.click()
    await expect(copy).toHaveText(/Copied/)
    await expect
      .poll(lastCall)
      .toEqual({ name: 'copyText', arg: { text: '4821-apple-river-stone' } })
    await expect(copy).toHaveText(/Copy code/)
    await page.keyboard.press('Control+C')
    await expect.poll(async () => (await stage.calls()).length).toBe(2)
  },
)

test('a row opens as a card and one card is open at a time', async () => {
  await stage.enter('receiving')
  const slides = page.getByRole('article', { name: 'Lecture slides' })
  const rushes = receiveCard(page, '4 items')
  await expect(rushes.bar).toHaveAttribute('aria-valuenow', '62')
  await slides.getByRole('button', { name: 'Expand' }).click()
  await expect(shareCard(page, 'Lecture slides').receivers).toHaveCount(2)
  await expect(rushes.card.getByRole('button', { name: 'Expand' })).toBeVisible()
})

test("a code entered while sharing doesn't affect the share", { tag: '@full' }, async () => {
  await stage.enter('sharing-receivers')
  const receive = 'r9' as ReceiveId
  const atMs = Date.now()
  await stage.play([
    {
      atMs,
      type: 'receive-opened',
      receive,
      transfer: transferId('r9'),
      code: '7350-maple-cedar-wolf',
    },
    { atMs, type: 'receive-found', receive },
  ])
  await expect(page.getByRole('article', { name: '7350-maple-cedar-wolf' })).toContainText(
    'Connecting',
  )
  await expect(shareCard(page, '6 items').receivers).toHaveCount(3)
})

test('a failed receive can be tried again, and its details copied', { tag: '@full' }, async () => {
  await stage.enter('error')
  const failed = receiveCard(page, '4821-apple-river-stone')
  await failed.details.click()
  await expect(failed.card).toContainText('E_NO_ROUTE')
  await failed.tryAgain.click()
  await expect.poll(stage.calls).toEqual([
    { name: 'join', arg: { code: '4821-apple-river-stone' } },
    { name: 'dismiss', arg: { id: 'r1' } },
  ])
})

test('the smallest window cuts nothing off at its sides', { tag: '@full' }, async () => {
  await stage.resize(820, 560)
  for (const scene of [
    'home',
    'sharing-started',
    'sharing-receivers',
    'preview',
    'done',
  ] as const) {
    await stage.enter(scene)
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow, scene).toBe(0)
  }
})
