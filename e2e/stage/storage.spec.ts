/** The window's notes about its own files when one of them can't be used. */
import { expect } from '@playwright/test'
import type { StorageError } from '#shared/state/storage-error'
import { violationsOf } from './reach'
import { freshStage, page, stage, test, testInColors } from './stage-app'

test.beforeAll(freshStage)

const file = '/home/sora/.config/thruflux/config.toml'
const error: StorageError = {
  ...{ file, kind: 'malformed' },
  detail: 'line 12: Unexpected end of input',
}

testInColors('invalid settings are reported until they are corrected', async () => {
  await stage.enter('sharing-started')
  await stage.play([{ type: 'storage-failed', atMs: 1, storageError: error }])
  const note = page.getByRole('status').filter({ hasText: 'config.toml' })
  await expect(note).toContainText('To share, receive or save changes, correct it')
  await expect(note).toContainText('line 12')
  expect(await violationsOf(page)).toEqual([])
  await note.getByRole('button', { name: 'Show file' }).click()
  await expect.poll(stage.calls).toEqual([{ name: 'showStorage', arg: { file } }])
  await stage.play([{ type: 'storage-mended', atMs: 2, file }])
  await expect(note).toBeHidden()
})
