/** Transfers and entries that a wrong key or click would end: movement of the focus, and undo. */
import { expect } from '@playwright/test'
import { appError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import { defaultReceiveOptions, selectAll } from '#shared/settings/receive-options'
import type { ReceiveId, ShareId } from '#shared/state/app-state'
import { homeScreen, receiveCard, shareCard } from '../screens/window'
import { openHistory, someEntries } from './scenes/history-scenes'
import { transferId } from './scenes/scene-parts'
import { freshStage, page, stage, test } from './stage-app'

test.beforeAll(freshStage)

const lastCall = async () => (await stage.calls()).at(-1)

/** Performs the delayed action, as if the time for undoing it were over. */
const carryOut = () => stage.app.evaluate(() => globalThis.stage.deferred.flush())

const share = 'share-1' as ShareId
const made: readonly AppEvent[] = [
  { atMs: 1, type: 'share-opened', share, title: 'Text', maxReceivers: 10 },
]
const coded: readonly AppEvent[] = [
  { atMs: 2, type: 'share-coded', share, code: '4821-apple-river-stone' },
]

test('a new share has the focus on its code, and Space copies it', async () => {
  const { copy, stop } = shareCard(page, 'Text')
  await stage.enter('home')
  await homeScreen(page).sendText.press('Enter')
  await page.getByRole('textbox', { name: 'Text' }).fill('The gate code is 4417.')
  await page.keyboard.press('Control+Enter')
  await expect.poll(lastCall).toMatchObject({ name: 'shareText' })
  await stage.play(made)
  await expect(stop).toBeVisible()
  await expect(stop).not.toBeFocused()
  await stage.play(coded)
  await expect(copy).toBeFocused()
  await page.keyboard.press('Space')
  await expect.poll(lastCall).toMatchObject({ name: 'copyText' })
})

test('stopping a share is undone, and no button that stops it has the focus', async () => {
  const { card, stop } = shareCard(page, 'Text')
  await stage.enter('home')
  await stage.play([...made, ...coded])
  await stop.press('Enter')
  await expect.poll(lastCall).toEqual({ name: 'defer', arg: { stopShare: share } })
  await expect(card).toContainText('Stopping')
  await expect(card.getByRole('button', { name: 'Undo' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect.poll(lastCall).toMatchObject({ name: 'undo' })
  await expect(stop).toBeVisible()
  await expect(stop).not.toBeFocused()
})

test('a stopped share can be shared again while its items exist', async () => {
  const { card, stop } = shareCard(page, 'Text')
  const again = card.getByRole('button', { name: 'Share again' })
  await stage.enter('home')
  await stage.play([...made, ...coded])
  await stop.click()
  await expect(card).toContainText('Stopping')
  await stage.play([{ atMs: 3, type: 'share-stopped', share }])
  await carryOut()
  await again.click()
  await expect
    .poll(stage.calls)
    .toMatchObject([
      { name: 'defer' },
      { name: 'shareAgain', arg: { share } },
      { name: 'dismiss', arg: { id: share } },
    ])
})

test('a canceled receive is undone, resumed, or its partial files are deleted', async () => {
  const { card, cancel } = receiveCard(page, '4 items')
  const receive = 'r1' as ReceiveId
  const button = (name: string) => card.getByRole('button', { name })
  await stage.enter('receiving')
  await cancel.click()
  await expect.poll(lastCall).toEqual({ name: 'defer', arg: { cancelReceive: receive } })
  await expect(card).toContainText('Canceling')
  await stage.play([
    {
      ...{ atMs: Date.now(), type: 'resumable-recorded' },
      entry: {
        ...{ transfer: transferId('r1'), title: '4 items', from: 'Mina Park', directory: '/in' },
        ...{ bytes: 5, totalBytes: 9, lastSeenMs: 1, hasResumeKey: true },
        ...{ options: defaultReceiveOptions, selection: selectAll, changes: [] },
      },
    },
    { atMs: Date.now(), type: 'receive-failed', receive, error: appError('E_CANCELLED') },
  ])
  await carryOut()
  await expect(button('Resume')).toBeVisible()
  await button('Delete partial files').click()
  await expect(card).toContainText('Delete up to 5 B of partial files?')
  await button('Cancel').click()
  await button('Resume').click()
  await expect
    .poll(stage.calls)
    .toMatchObject([
      { name: 'defer' },
      { name: 'dismiss', arg: { id: receive } },
      { name: 'resume', arg: { transfer: transferId('r1') } },
    ])
})

test('Undo restores an entry of the history, and the whole history', async () => {
  await stage.enter('home')
  await openHistory(stage, someEntries)
  const rows = page.locator('.history').getByRole('listitem')
  const undo = page.getByRole('button', { name: 'Undo' })
  await rows.first().getByRole('button', { name: 'Remove from history' }).press('Enter')
  await expect(undo).toBeFocused()
  await undo.press('Enter')
  await expect(rows.first().getByRole('button', { name: 'Remove from history' })).toBeVisible()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('button', { name: 'Clear history' }).click()
  await expect(page.locator('.history')).toContainText('Clearing the history')
  await expect(rows).toHaveCount(0)
  await undo.click()
  await expect(rows.first()).toBeVisible()
})

test('finished transfers leave the list together, unless that is undone', async () => {
  await stage.enter('home')
  const ended = ['r1', 'r2'].flatMap((id): AppEvent[] => {
    const receive = id as ReceiveId
    const about = { receive, code: '4821-apple-river-stone', transfer: transferId(id) }
    return [
      { atMs: 1, type: 'receive-opened', ...about },
      { atMs: 2, type: 'receive-failed', receive, error: appError('E_PEER_GONE') },
    ]
  })
  await stage.play([...made, ...coded, ...ended])
  const cards = page.locator('.entry')
  await expect(cards).toHaveCount(3)
  await page.getByRole('button', { name: 'Clear finished' }).click()
  await expect.poll(lastCall).toEqual({ name: 'defer', arg: { dismiss: ['r2', 'r1'] } })
  await expect(cards).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(cards).toHaveCount(3)
})
