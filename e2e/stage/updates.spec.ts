/** Actions on the program itself: check for an update, restart into it, read the release notes. */
import { expect } from '@playwright/test'
import type { AppEvent } from '#shared/events'
import { freshStage, page, stage, test } from './stage-app'

test.beforeAll(freshStage)

async function openAbout(): Promise<void> {
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'About' }).click()
}

test('a person checks for an update, and later restarts into it', async () => {
  await stage.enter('update-newest')
  await openAbout()
  await page.getByRole('button', { name: 'Check now' }).click()
  await stage.enter('update-ready')
  await openAbout()
  await expect(page.getByText('Version 1.1.0 is installed when you quit Thruflux.')).toBeVisible()
  await page.getByRole('button', { name: 'Restart to update' }).click()
  const names = async () => (await stage.calls()).map(({ name }) => name)
  await expect.poll(names).toContain('installUpdate')
})

test('the About page says when the window has no sandbox', async () => {
  await stage.enter('update-newest')
  await openAbout()
  await expect(page.getByRole('button', { name: 'Check now' })).toBeVisible()
  // Tests start the app without the sandbox only as root.
  const isRoot = process.getuid?.() === 0
  await expect(page.getByText("Runs without Chromium's sandbox")).toHaveCount(isRoot ? 1 : 0)
})

test('no other action is possible during the download', async () => {
  await stage.enter('update-downloading')
  await openAbout()
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '37')
  await expect(page.getByRole('button', { name: 'Check now' })).toBeDisabled()
})

test('if the system installs updates, there is nothing to click or choose', async () => {
  for (const scene of ['update-by-system', 'update-nobody'] as const) {
    await stage.enter(scene)
    await openAbout()
    const card = page.locator('.setting-card').first()
    await expect(card).toContainText('Thruflux 1.0.0')
    await expect(card.getByRole('button')).toHaveCount(0)
    await expect(card.getByRole('switch')).toHaveCount(0)
  }
})

test('UPD-10: restarting waits for a running transfer', async () => {
  await stage.enter('receiving')
  const update: AppEvent = {
    ...{ type: 'update-changed', atMs: 1 },
    update: {
      ...{ version: '1.0.0', by: 'app', checkedMs: null },
      phase: { kind: 'ready', version: '1.1.0', notes: '' },
    },
  }
  await stage.play([update])
  await openAbout()
  await expect(page.getByRole('button', { name: 'Restart to update' })).toBeDisabled()
  await expect(page.getByText('when your transfers are complete')).toBeVisible()
})

test('a new version is mentioned once and quietly, with a link to the release notes', async () => {
  const { app } = stage
  await stage.enter('update-newest')
  await app.evaluate(() => globalThis.stage.request({ updated: '1.0.0' }))
  const note = page.getByRole('status').filter({ hasText: 'Thruflux is now version 1.0.0.' })
  await note.getByRole('button', { name: "What's new" }).click()
  await expect(note).toBeHidden()
  await expect(page.getByText('Shares survive a restart, with the same codes.')).toBeVisible()
})
