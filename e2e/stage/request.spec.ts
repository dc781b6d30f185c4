/** Requests for files, and sending to them. */
import { expect } from '@playwright/test'
import { appError } from '#shared/errors'
import { code, receiveId } from './scenes/scene-parts'
import { freshStage, page, stage, test } from './stage-app'

test.beforeAll(freshStage)

const lastCall = async () => (await stage.calls()).at(-1)

test('files are requested by a button, and the card shows the code and what happens', async () => {
  await stage.enter('home')
  await page.getByRole('button', { name: 'Request files' }).click()
  await expect.poll(async () => (await stage.calls()).map(({ name }) => name)).toContain('request')
  await stage.enter('requesting')
  const card = page.getByRole('article', { name: 'Request for files' })
  await expect(card).toContainText('Anyone who enters this code can send you files.')
  await expect(card).toContainText('Waiting for someone to send files')
  await expect(card.getByRole('button', { name: 'Copy code' })).toBeVisible()
  await expect(card.getByRole('button', { name: 'Add' })).toBeHidden()
  await card.getByRole('button', { name: 'Stop request' }).click()
  await expect.poll(lastCall).toEqual({ name: 'defer', arg: { stopShare: 's1' } })
})

test('a code that requests files leads to choosing some', async () => {
  const nowMs = Date.now()
  const error = appError('E_CODE_REQUESTS')
  await stage.enter('home')
  await stage.play([
    code('r1', nowMs),
    { atMs: nowMs, type: 'receive-failed', receive: receiveId('r1'), error },
  ])
  const card = page.getByRole('article').filter({ hasText: 'This code asks for files' })
  await expect(card).toContainText('Choose the files that you want to send to it.')
  await expect(card.getByRole('button', { name: 'Try again' })).toBeHidden()
  await card.getByRole('button', { name: 'Choose folder' }).click()
  await expect
    .poll(async () => await stage.calls())
    .toContainEqual({
      name: 'pickAndAnswer',
      arg: { kind: 'folder', code: '4821-apple-river-stone' },
    })
})

test('a share that answers a request names its code, and has none of its own', async () => {
  await stage.enter('answering')
  const card = page.getByRole('article', { name: 'Kyoto rushes' })
  await expect(card).toContainText('Sending to 7350-maple-cedar-wolf')
  await expect(card.getByRole('button', { name: 'Copy code' })).toBeHidden()
})
