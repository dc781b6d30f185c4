/** Pastes outside of fields. Codes: `code-field.spec.ts`, `behaviour.spec.ts`. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from '@playwright/test'
import type { NativeImage } from 'electron'
import { homeScreen } from '../screens/window'
import { freshStage, page, stage, test } from './stage-app'

/** Additional methods of the clipboard in some versions of Electron. */
type OlderClipboard = {
  readonly writeBuffer?: (format: string, content: Buffer) => void
  readonly writeImage?: (image: NativeImage) => void
}

test.beforeAll(freshStage)

test.beforeEach(async () => {
  await stage.enter('home')
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  })
})

const sheet = () => page.getByRole('dialog')
const field = () => page.getByRole('textbox', { name: 'Text' })

async function paste(words: string): Promise<void> {
  await stage.app.evaluate(({ clipboard }, pasted) => clipboard.writeText(pasted), words)
  await page.keyboard.press('Control+V')
}

/** Pastes a file made by a script, which has no path. */
const pasteFile = (type: string, size: number, beginning: readonly number[] = []) =>
  page.evaluate(
    (made) => {
      const clipboardData = new DataTransfer()
      const bytes = new Uint8Array(made.size)
      bytes.set(made.beginning)
      clipboardData.items.add(new File([bytes], 'image', { type: made.type }))
      document.body.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      )
    },
    { type, size, beginning },
  )

test('a pasted text is shown first, and sent only after a confirmation', async () => {
  await paste('Gate code: 4417\nPark behind.')
  await expect(field()).toHaveValue('Gate code: 4417\nPark behind.')
  expect(await stage.calls()).toEqual([])
  await sheet().getByRole('button', { name: 'Share' }).click()
  await expect.poll(stage.calls).toMatchObject([{ name: 'shareText' }])
})

test('a pasted text above 1 MiB is refused with the reason', async () => {
  await paste(`${'ö'.repeat(99)}\n`.repeat(6_000))
  await expect(page.getByText('This text is 1.2 MB')).toBeVisible()
  await expect(sheet()).toBeHidden()
})

test('a text pasted while a sheet is open opens no second one', async () => {
  await page.keyboard.press('F1')
  await expect(sheet()).toBeVisible()
  await paste('Park behind.')
  await page.keyboard.press('Escape')
  await expect(sheet()).toBeHidden()
  expect(await stage.calls()).toEqual([])
})

test('a text pasted into the code field stays in that field', async () => {
  const { codeField } = homeScreen(page)
  await codeField.focus()
  await paste('apple')
  await expect(codeField).toHaveValue('apple')
  await expect(sheet()).toBeHidden()
})

test('files copied in a file manager are shared', async () => {
  const paths = ['hello.txt', 'two words.txt'].map((name) => join(stage.directory, name))
  for (const path of paths) await writeFile(path, 'hello')
  const list = paths.map((path) => `${pathToFileURL(path).href}\r\n`).join('')
  const isCopied = await stage.app.evaluate(({ clipboard }, uris) => {
    const { writeBuffer } = clipboard as OlderClipboard
    writeBuffer?.call(clipboard, 'text/uri-list', Buffer.from(uris))
    return writeBuffer !== undefined
  }, list)
  test.skip(!isCopied, "this Electron can't copy files")
  await page.keyboard.press('Control+V')
  await expect.poll(stage.calls).toEqual([{ name: 'share', arg: { paths } }])
})

test('a pasted image is shared', async () => {
  await pasteFile('image/png', 100, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  await expect.poll(stage.calls).toEqual([{ name: 'shareImage', arg: { bytes: 100 } }])
})

test('an image copied in another program is shared', async () => {
  const isCopied = await stage.app.evaluate(({ clipboard, nativeImage }) => {
    const { writeImage } = clipboard as OlderClipboard
    const pixels = Buffer.alloc(16 * 16 * 4, 0xff)
    writeImage?.call(clipboard, nativeImage.createFromBitmap(pixels, { width: 16, height: 16 }))
    return writeImage !== undefined
  })
  test.skip(!isCopied, "this Electron can't copy images")
  await page.keyboard.press('Control+V')
  await expect.poll(stage.calls).toMatchObject([{ name: 'shareImage' }])
})

test('an invalid image is refused by the main process', async () => {
  await pasteFile('image/png', 100)
  await expect(page.getByText('not a PNG')).toBeVisible()
  expect(await stage.calls()).toEqual([])
})

test('an image above 64 MiB is refused with the reason', async () => {
  await pasteFile('image/png', 64 * 1024 * 1024 + 1)
  await expect(page.getByText('Save it and share the file instead.')).toBeVisible()
  expect(await stage.calls()).toEqual([])
})

test('a file created by a script is not shared by a paste', async () => {
  await pasteFile('text/html', 100)
  await paste('Park behind.')
  await expect(field()).toBeVisible()
  expect(await stage.calls()).toEqual([])
})
