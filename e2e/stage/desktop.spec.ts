/** The app around its window: closing, tray, taskbar and sleep, in the real Electron. */
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { stageBundle } from '../build-stage'
import { startAgain } from '../launch'
import { shareCard } from '../screens/window'
import { launchStage, type StageApp, test } from './stage-app'

let stage: StageApp

test.beforeEach(async () => {
  stage = await launchStage()
})

test.afterEach(() => stage.close())

/** Closes the window like its button, and answers each following question with `button`. */
const closeWindow = (button: number) =>
  stage.app.evaluate(async ({ BrowserWindow, dialog }, response) => {
    const asked: string[] = []
    dialog.showMessageBox = (...args: unknown[]) => {
      asked.push((args.at(-1) as { readonly message: string }).message)
      return Promise.resolve({ response, checkboxChecked: false })
    }
    const [window] = BrowserWindow.getAllWindows()
    window?.close()
    // The question appears after the tray's host has answered.
    while (asked.length === 0) await new Promise((resolve) => setImmediate(resolve))
    return asked
  }, button)

const window = () =>
  stage.app.evaluate(({ BrowserWindow }) => {
    const [one] = BrowserWindow.getAllWindows()
    return { isVisible: one?.isVisible() ?? false, isMinimized: one?.isMinimized() ?? false }
  })

test(
  'closing the window without a tray asks first, and the app stays reachable',
  { tag: '@full' },
  async () => {
    await stage.enter('sharing-receivers')
    expect(await closeWindow(2)).toEqual(['There is no tray to close Thruflux to'])
    await expect.poll(window).toMatchObject({ isVisible: true })
    expect(await closeWindow(0)).toEqual(['There is no tray to close Thruflux to'])
    expect(stage.app.windows()).toHaveLength(1)
  },
)

test('with a tray the window hides, the share continues, and a second start shows the window', async () => {
  await stage.enter('sharing-receivers')
  // A program that answers like a desktop's tray.
  const program = join(stage.directory, 'gdbus')
  await writeFile(program, '#!/bin/sh\necho "(<true>,)"\n')
  await chmod(program, 0o700)
  await stage.app.evaluate((_electron, directory) => {
    process.env['PATH'] = `${directory}:${process.env['PATH'] ?? ''}`
  }, stage.directory)
  expect(await closeWindow(0)).toEqual(['Thruflux keeps running in the tray'])
  await expect.poll(window).toMatchObject({ isVisible: false })
  await startAgain(stage, [], stageBundle)
  await expect.poll(window).toMatchObject({ isVisible: true })
  await expect(shareCard(stage.page, '6 items').card).toBeVisible()
})

test('the computer stays awake only while data is moving', { tag: '@full' }, async () => {
  const isAwake = () =>
    stage.app.evaluate(({ powerSaveBlocker }) =>
      [0, 1, 2, 3, 4].some((request) => powerSaveBlocker.isStarted(request)),
    )
  await stage.enter('sharing-receivers')
  await expect.poll(isAwake).toBe(true)
  await stage.enter('home')
  await expect.poll(isAwake).toBe(false)
})
