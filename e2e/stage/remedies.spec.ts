/** Errors in the window: each has the button that its sentence mentions, if any. */
import { expect } from '@playwright/test'
import { appError } from '#shared/errors'
import { topBar } from '../screens/window'
import { violationsOf } from './reach'
import { receiveId, shareId } from './scenes/scene-parts'
import { freshStage, page, stage, test, testInColors } from './stage-app'

test.beforeAll(freshStage)

const names = async () => (await stage.calls()).map(({ name }) => name)

testInColors('a share without anything to send offers to choose other files', async () => {
  await stage.enter('sharing-started')
  const error = appError('E_NOTHING_TO_SEND')
  await stage.play([{ type: 'share-failed', atMs: Date.now(), share: shareId('s1'), error }])
  const card = page.getByRole('article').filter({ hasText: 'nothing to send' })
  expect(await violationsOf(page)).toEqual([])
  await card.getByRole('button', { name: 'Choose files' }).click()
  await expect.poll(names).toContain('pickAndShare')
})

test(
  'a receive without a route links to the network settings, and can be tried again',
  { tag: '@full' },
  async () => {
    await stage.enter('receiving')
    const error = appError('E_NO_ROUTE')
    await stage.play([
      { type: 'receive-interrupted', atMs: Date.now(), receive: receiveId('r1'), error },
    ])
    await expect(page.getByRole('button', { name: 'Resume' }).first()).toBeVisible()
    await page.getByRole('button', { name: 'Network settings' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Network' })).toBeVisible()
  },
)

test('an internal error offers a report, and confirms that it was copied', async () => {
  await stage.enter('sharing-started')
  const error = appError('E_INTERNAL')
  await stage.play([{ type: 'share-failed', atMs: Date.now(), share: shareId('s1'), error }])
  await page.getByRole('button', { name: 'Copy report' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
})

test('the notice about a refused request has its remedy button', async () => {
  await stage.enter('home')
  await stage.refuseNext(appError('E_SERVER_UNREACHABLE', '', 'meet.example.org'))
  await page.keyboard.press('Control+O')
  const note = page.getByRole('alert')
  await expect(note).toContainText('meet.example.org')
  await note.getByRole('button', { name: 'Network settings' }).click()
  await expect(topBar(page).place('Settings')).toHaveAttribute('aria-current', 'page')
  await expect(note).toBeHidden()
})
