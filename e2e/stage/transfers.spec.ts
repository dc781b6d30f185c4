/** Pausing, changing a share, texts, limits, and interrupted receives. */
import { expect } from '@playwright/test'
import { appError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import type { PeerId, ShareId } from '#shared/state/app-state'
import {
  dragFiles,
  homeScreen,
  previewSheet,
  receiveCard,
  shareCard,
  topBar,
} from '../screens/window'
import { GB, outcome, receiveId, transferId } from './scenes/scene-parts'
import { freshStage, page, stage, test } from './stage-app'

test.beforeAll(freshStage)

const lastCall = async () => (await stage.calls()).at(-1)

test('a receive pauses and resumes, by its button and by Space', async () => {
  const rushes = receiveCard(page, '4 items')
  await stage.enter('receiving-stalled')
  await expect(rushes.card).toContainText('no data is getting through')
  await rushes.pause.click()
  await expect.poll(lastCall).toEqual({
    name: 'pauseReceive',
    arg: { receive: 'r1', paused: true },
  })
  await stage.enter('receiving-paused')
  await expect(rushes.card).toContainText('Paused by you')
  await rushes.card.focus()
  await page.keyboard.press('Space')
  await expect.poll(lastCall).toEqual({
    name: 'pauseReceive',
    arg: { receive: 'r1', paused: false },
  })
})

test('changed names are shown while files arrive, and after', async () => {
  const { card } = receiveCard(page, '4 items')
  await stage.enter('receiving')
  await expect(card).not.toContainText('changed')
  const about = { atMs: Date.now(), receive: receiveId('r1') } as const
  const mappedNames = [{ path: 'Sound/take: 4?.wav', writtenAs: 'Sound/take_ 4_.wav' }]
  await stage.play([
    { ...about, type: 'receive-names-mapped', mappedCount: 1, mappedNames },
    { ...about, type: 'receive-names-mapped', mappedCount: 1235, mappedNames: [] },
  ])
  await card.getByText('1,235 names were changed').click()
  await expect(card).toContainText('Sound/take_ 4_.wav')
  await expect(card).toContainText('and 1,234 more')
  await stage.play([{ ...about, type: 'receive-finished', outcome: outcome(1_282, GB) }])
  await card.getByText('1,235 names were changed').click()
  await expect(card).toContainText('and 1,234 more')
})

test('a share pauses for one receiver or for all', async () => {
  await stage.enter('sharing-receivers')
  const { receivers, pauseAll } = shareCard(page, '6 items')
  const jonas = receivers.filter({ hasText: 'Jonas Weber' })
  await jonas.focus()
  await page.keyboard.press('Space')
  await expect.poll(lastCall).toEqual({
    name: 'pauseShare',
    arg: { share: 's1', peer: 'p2', paused: true },
  })
  await pauseAll.click()
  await expect.poll(lastCall).toEqual({
    name: 'pauseShare',
    arg: { share: 's1', peer: null, paused: true },
  })
})

test('a card shows the reach of its code, its limit, and the remedy', async () => {
  const { card } = shareCard(page, 'Kyoto rushes')
  const about = { atMs: Date.now(), share: 's1' as ShareId, type: 'share-coded' } as const
  const code = '4821-apple-river-stone'
  await stage.enter('sharing-started')
  await expect(card).toContainText('The code works from any network that reaches meet.example.org.')
  await stage.play([{ ...about, code }])
  await expect(card).toContainText('The code works on this network only.')
  await stage.enter('sharing-nearby')
  await expect(card).toContainText(`doesn't accept your password`)
  await expect(card).toContainText(
    'Until this computer can use the server, the code works on this network only.',
  )
  await stage.play([{ ...about, code, server: 'wss://meet.example.org/v1' }])
  await expect(card).toContainText('The code works from any network that reaches meet.example.org.')
  await expect(card).not.toContainText('password')
  await stage.enter('sharing-nearby')
  await card.getByRole('button', { name: 'Network settings' }).click()
  await expect(page.getByRole('heading', { name: 'Network' })).toBeVisible()
})

test('home shows the reach of a code without a server', async () => {
  await stage.enter('home')
  await expect(page.locator('.hero')).toContainText('The code works on this network only.')
  await page.getByRole('button', { name: 'Add a server' }).click()
  await expect(page.getByRole('heading', { name: 'Network' })).toBeVisible()
})

test('every state of a receiver has a text', async () => {
  await stage.enter('sharing-held-up')
  await expect(shareCard(page, '6 items').receivers).toContainText([
    'Paused by you',
    'Paused by the other side',
    'Waiting for 3.4 GB of space on their disk',
    'Finishing',
    "the other computer's disk is busy",
  ])
})

test('files are added from a menu or by a drop on the card', async () => {
  await stage.enter('sharing-started')
  const { card, add } = shareCard(page, 'Kyoto rushes')
  await add.click()
  await card.getByRole('button', { name: 'Folder' }).click()
  await expect.poll(lastCall).toEqual({ name: 'pickAndAdd', arg: { share: 's1', kind: 'folder' } })
  await dragFiles(page, ['/tmp'], 'dropped')
  await expect.poll(lastCall).toEqual({ name: 'add', arg: { share: 's1', paths: ['/tmp'] } })
})

test('an item is removed from a running share', async () => {
  await stage.enter('sharing-receivers')
  const { card } = shareCard(page, '6 items')
  await card.getByRole('button', { name: 'Remove Drone' }).click()
  await expect.poll(lastCall).toEqual({ name: 'removeItem', arg: { share: 's1', item: 3 } })
})

test('a share admits as many receivers as its sender chooses, or no new ones', async () => {
  await stage.enter('sharing-receivers')
  const { card, more } = shareCard(page, '6 items')
  await more.click()
  await card.getByRole('textbox', { name: 'Maximum receivers' }).fill('25')
  await expect.poll(lastCall).toEqual({ name: 'setMaxReceivers', arg: { share: 's1', count: 25 } })
  await card.getByRole('checkbox', { name: 'Accept new receivers' }).click()
  await expect.poll(lastCall).toEqual({ name: 'setMaxReceivers', arg: { share: 's1', count: 0 } })
})

test("a code's rules change while it is shared", async () => {
  await stage.enter('sharing-receivers')
  const { card, more } = shareCard(page, '6 items')
  await more.click()
  await card.getByRole('checkbox', { name: 'One receiver only' }).click()
  await expect
    .poll(lastCall)
    .toEqual({ name: 'changeCode', arg: { share: 's1', change: { oneReceiver: true } } })
  await card.getByRole('combobox', { name: 'Code expires' }).selectOption('10 minutes from now')
  await expect
    .poll(lastCall)
    .toEqual({ name: 'changeCode', arg: { share: 's1', change: { codeLifeMs: 600_000 } } })
  const endsAtMs = Date.now() + 300_000
  await stage.play([
    {
      ...{ atMs: 1, type: 'share-code-changed', share: 's1' as ShareId },
      ...{ oneReceiver: true, approve: false, endsAtMs },
    },
  ])
  await expect(card).toContainText(/code expires in (5 min|4 min \d+ s)/)
  await expect(card.getByRole('checkbox', { name: 'One receiver only' })).toBeChecked()
})

test('a waiting receiver shows its identity, and is let in or refused', async () => {
  await stage.enter('approval')
  const question = (name: string) =>
    page.getByRole('article', { name: `${name} wants to receive Kyoto rushes` })
  await expect(question('Jonas Weber')).toContainText('Safety number 482 913')
  await question('Jonas Weber').getByRole('button', { name: 'Let in' }).click()
  const answer = { share: 's1', peer: 'p2', approved: true }
  await expect.poll(lastCall).toEqual({ name: 'approveReceiver', arg: answer })
  await question('Aiko Tanaka').getByRole('button', { name: 'Refuse' }).click()
  const refusal = { share: 's1', peer: 'p3', approved: false }
  await expect.poll(lastCall).toEqual({ name: 'approveReceiver', arg: refusal })
  await stage.play([
    { atMs: 1, type: 'receiver-approved', share: 's1' as ShareId, peer: 'p2' as PeerId },
    {
      ...{ atMs: 1, type: 'receiver-failed', share: 's1' as ShareId, peer: 'p3' as PeerId },
      error: appError('E_REFUSED'),
    },
  ])
  await expect(page.getByRole('article', { name: /wants to receive/ })).toHaveCount(0)
  const { card, more } = shareCard(page, 'Kyoto rushes')
  await expect(card).toContainText('Not let in')
  await more.click()
  await card.getByRole('checkbox', { name: 'Ask before anyone receives' }).click()
  await expect
    .poll(lastCall)
    .toEqual({ name: 'changeCode', arg: { share: 's1', change: { approve: false } } })
})

test('a receive shows whose approval it waits for', async () => {
  await stage.enter('approval')
  await expect(page.getByRole('article', { name: '7350-maple-cedar-wolf' })).toContainText(
    'Waiting for Ben Ito to let you in',
  )
})

test('a text is shared without a name of its own', async () => {
  await stage.enter('home')
  await homeScreen(page).sendText.click()
  const share = page.getByRole('dialog').getByRole('button', { name: 'Share' })
  await expect(share).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('textbox', { name: 'Text' }).fill('Gate code: 4417\nPark behind.')
  await share.click()
  await expect.poll(lastCall).toEqual({
    name: 'shareText',
    arg: { text: 'Gate code: 4417\nPark behind.' },
  })
})

test('a text above 1 MiB is not shared', async () => {
  await stage.enter('home')
  await homeScreen(page).sendText.click()
  // Like a paste, because typing that much takes Chromium minutes.
  await page.getByRole('textbox', { name: 'Text' }).evaluate((field) => {
    const value = `${'ö'.repeat(99)}\n`.repeat(6_000)
    const { set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value') ?? {}
    set?.call(field, value)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
  await expect(page.getByRole('dialog')).toContainText('This text is 1.2 MB')
  await page.keyboard.press('Control+Enter')
  expect(await stage.calls()).toEqual([])
})

const textArrived: readonly AppEvent[] = [
  { atMs: 1, type: 'receive-accepted', receive: receiveId('r1'), directory: '/home/sora' },
  {
    ...{ atMs: 2, type: 'receive-text-arrived', receive: receiveId('r1') },
    ...{ name: 'Text', text: 'The gate code is 4417.' },
  },
]

test('an offered text is shown, copied or declined, without mentioning files', async () => {
  const { sheet, title, decline } = previewSheet(page)
  const show = sheet.getByRole('button', { name: 'Show' })
  await stage.enter('text-offered')
  await expect(title).toHaveText('Mina Park sends you a text')
  await expect(show).toBeFocused()
  await expect(sheet.getByRole('tree')).toHaveCount(0)
  await expect(sheet).not.toContainText(/Save to|Receive/)
  await page.keyboard.press('Enter')
  await expect.poll(lastCall).toEqual({ name: 'accept', arg: { receive: 'r1' } })

  await stage.enter('text-offered')
  await sheet.getByRole('button', { name: 'Copy' }).click()
  await expect.poll(lastCall).toEqual({ name: 'accept', arg: { receive: 'r1' } })
  await stage.play(textArrived)
  await expect.poll(lastCall).toMatchObject({ name: 'copyText', arg: { text: /4417/ } })

  await stage.enter('text-offered')
  await decline.click()
  await expect.poll(stage.calls).toMatchObject([{ name: 'cancel' }, { name: 'dismiss' }])
})

test('a received text is copied or saved, and its links open', async () => {
  await stage.enter('text-received')
  const { card } = receiveCard(page, 'Text')
  await card.getByRole('link').click()
  await expect.poll(lastCall).toEqual({
    name: 'openLink',
    arg: { receive: 'r1', link: 'https://studio.example.org/map' },
  })
  await card.getByRole('button', { name: 'Copy' }).click()
  await expect.poll(lastCall).toMatchObject({ name: 'copyText' })
  await card.getByRole('button', { name: 'Save' }).click()
  await expect.poll(lastCall).toMatchObject({
    name: 'saveText',
    arg: { receive: 'r1', name: 'Text' },
  })
})

test('an interrupted receive resumes without a code if its sender gave it a key', async () => {
  await stage.enter('interrupted')
  const rushes = page.getByRole('article', { name: 'Kyoto rushes' })
  await expect(rushes).toContainText('38.4 of 61.9 GB received')
  await rushes.getByRole('button', { name: 'Resume' }).click()
  await expect.poll(lastCall).toEqual({ name: 'resume', arg: { transfer: transferId('rushes') } })
})

test('an interrupted receive resumes with the code that is entered next', async () => {
  await stage.enter('interrupted')
  const thesis = page.getByRole('article', { name: 'Thesis data set' })
  await thesis.getByRole('button', { name: 'Enter code' }).click()
  const { codeField } = topBar(page)
  await expect(codeField).toBeFocused()
  await page.keyboard.type('4821-apple-kayak-onion')
  await page.keyboard.press('Enter')
  await expect.poll(lastCall).toEqual({
    name: 'join',
    arg: { code: '4821-apple-kayak-onion', resumes: transferId('thesis') },
  })
})

test('partial files are deleted after one question', async () => {
  await stage.enter('interrupted')
  const rushes = page.getByRole('article', { name: 'Kyoto rushes' })
  await rushes.getByRole('button', { name: 'Delete partial files' }).click()
  expect(await stage.calls()).toEqual([])
  await rushes.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect
    .poll(lastCall)
    .toEqual({ name: 'deletePartial', arg: { transfer: transferId('rushes') } })
})

test('speed limits are set from presets or freely', async () => {
  await stage.enter('receiving-paused')
  const { limits } = topBar(page)
  await expect(limits).toContainText('25.0 MB/s')
  await limits.click()
  await page.getByRole('combobox', { name: 'Upload' }).selectOption('5.0 MB/s')
  await expect.poll(lastCall).toEqual({
    name: 'setLimits',
    arg: { upload: 5e6, download: 25e6 },
  })
  await page.getByRole('combobox', { name: 'Download' }).selectOption('Custom')
  await page.getByRole('textbox', { name: 'Download in MB/s' }).fill('12')
  await expect.poll(lastCall).toEqual({
    name: 'setLimits',
    arg: { upload: 0, download: 12e6 },
  })
  await page.keyboard.press('Escape')
  await expect(limits).toBeFocused()
})

test('only received files count as verified, and existing files are counted separately', async () => {
  await stage.enter('done-before')
  const { card, headline } = receiveCard(page, '4 items')
  await expect(headline).toHaveText(/^Received and verified · 52\.7 GB in /)
  await expect(card).toContainText("The received files match the sender's.")
  await expect(card).not.toContainText('Every file matches')
  await expect(card).toContainText(
    '316 files were already here (same size and time, not compared) · 1,282 of 1,382 files, your choice',
  )
  const same = receiveCard(page, 'Photo archive').card
  await expect(same).toContainText(
    'Nothing new · 1,282 files were already here (same size and time, not compared)',
  )
  await expect(same).not.toContainText('erified')
})

test('a sender sees which receivers chose a part, and which already had the files', async () => {
  await stage.enter('sharing-finished')
  const { card } = shareCard(page, 'Kyoto rushes')
  const receiver = (name: string) => card.getByRole('listitem', { name })
  await expect(receiver('Mina Park')).not.toContainText('choice')
  await expect(receiver('Jonas Weber')).toContainText('files, their choice')
  await expect(receiver('Ben Ito')).toContainText('files, their choice')
  await expect(receiver('Aiko Tanaka')).toContainText('Nothing new')
  await expect(receiver('Aiko Tanaka')).not.toContainText('erified')
  await expect(page.getByText('has received everything')).toHaveCount(0)
})
