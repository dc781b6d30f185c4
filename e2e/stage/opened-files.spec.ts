/** Files that the system hands over by starting the app again. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { stageBundle } from '../build-stage'
import { launch, startAgain } from '../launch'
import { launchStage, test } from './stage-app'

test('a second start with files shares them in the running app, under one code', async () => {
  const stage = await launchStage()
  await stage.enter('home')
  const files = [join(stage.directory, 'two words.txt'), join(stage.directory, 'b.txt')]
  for (const file of files) await writeFile(file, 'hello')
  await startAgain(stage, files, stageBundle)
  await expect.poll(stage.calls).toEqual([{ name: 'share', arg: { paths: files } }])
  await stage.close()
})

test('files of the first start are shared once the window is open', async () => {
  const first = await launch({ entry: stageBundle, args: ['/etc/hostname'] })
  const calls = () => first.app.evaluate(() => globalThis.stage.calls)
  await expect.poll(calls).toEqual([{ name: 'share', arg: { paths: ['/etc/hostname'] } }])
  await first.close()
})

test(
  'a start with files succeeds although the page reloads meanwhile',
  { tag: '@full' },
  async () => {
    const stage = await launchStage()
    await stage.app.evaluate(async () => {
      const opened = globalThis.stage.openWindow?.()
      opened?.window.webContents.reload()
      await opened?.loaded
      opened?.window.destroy()
    })
    await stage.close()
  },
)
