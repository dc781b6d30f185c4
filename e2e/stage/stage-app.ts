/** The staged app for tests. */
import { writeFile } from 'node:fs/promises'
import { type Page, test as base } from '@playwright/test'
import type { AppError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import type { Language } from '#shared/language'
import { stageBundle } from '../build-stage'
import { launch, type RunningApp } from '../launch'
import type { InvitationMessage } from './main'
import { type SceneName, scenes } from './scenes/scenes'

export type StageApp = RunningApp & {
  /** Resets the app and plays the events of a scene. */
  readonly enter: (scene: SceneName) => Promise<void>
  /** Loads the page with another address. */
  readonly visit: (address: string) => Promise<void>
  readonly play: (events: readonly AppEvent[]) => Promise<void>
  readonly refuseNext: (error: AppError) => Promise<void>
  /** The page's commands since `enter`. */
  readonly calls: () => Promise<readonly InvitationMessage[]>
  /** Nameplates that the page has had prepared since `enter`. */
  readonly prepared: () => Promise<readonly string[]>
  /** Complaints in the page's console, including violations of its content security policy. */
  readonly complaints: string[]
  readonly resize: (width: number, height: number) => Promise<void>
  /** Takes effect with the next scene. */
  readonly speak: (language: Language) => Promise<void>
  /** 2 is a zoom of 200%. */
  readonly zoom: (factor: number) => Promise<void>
  /** A picture of the window as zoomed; Playwright's own ignores the zoom. */
  readonly capture: (path: string) => Promise<void>
}

/** The schemes that a test runs in; the dark one only in the full tier. */
export const colorSchemes: { colorScheme: 'light' | 'dark'; tag: string[] }[] = [
  { colorScheme: 'light', tag: [] },
  { colorScheme: 'dark', tag: ['@full'] },
]

let shared: StageApp | null = null

/** The staged app after `freshStage`, and its page. */
export let stage: StageApp
export let page: Page

/** Undoes the changes of other files. A worker's files share one app: its start takes longer than most tests. */
export async function freshStage(): Promise<void> {
  shared ??= await launchStage()
  stage = shared
  page = stage.page
  await stage.app.evaluate(({ BrowserWindow }) => {
    globalThis.stage.restore()
    const [window] = BrowserWindow.getAllWindows()
    window?.webContents.setZoomFactor(1)
    window?.show()
    window?.focus()
  })
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
  await stage.speak('en')
  await stage.resize(1180, 760)
  stage.complaints.length = 0
}

export const test = base.extend<object, { readonly closing: undefined }>({
  closing: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from the pattern.
    async ({}, use) => {
      await use(undefined)
      await shared?.close()
    },
    { scope: 'worker', auto: true },
  ],
})

/** A test of the shared stage in each color scheme. */
export function testInColors(
  title: string,
  body: () => Promise<void>,
  options: { readonly tag?: string } = {},
): void {
  for (const { colorScheme, tag } of colorSchemes)
    test(`${title}, ${colorScheme}`, { tag, ...options }, async () => {
      // The contrast of colors in transition isn't theirs.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await body()
    })
}

export async function launchStage(): Promise<StageApp> {
  const running = await launch({ entry: stageBundle })
  const { app, page } = running
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', ({ message }) => complaints.push(message))
  const play = (events: readonly AppEvent[]) =>
    app.evaluate((_electron, played) => globalThis.stage.play(played), events)
  return {
    ...running,
    complaints,
    play,
    enter: async (scene) => {
      await app.evaluate(
        (_electron, happened) => globalThis.stage.reset(happened),
        scenes[scene](Date.now()),
      )
      await page.waitForSelector('.app')
    },
    visit: async (address) => {
      await app.evaluate(
        ({ BrowserWindow }, wanted) =>
          BrowserWindow.getAllWindows()[0]?.webContents.loadURL(wanted),
        address,
      )
      await page.waitForSelector('.app, .fatal-error')
    },
    refuseNext: (error) =>
      app.evaluate((_electron, refusal) => {
        globalThis.stage.refusal = refusal
      }, error),
    calls: () => app.evaluate(() => globalThis.stage.calls),
    prepared: () => app.evaluate(() => [...new Set(globalThis.stage.prepared)]),
    speak: (language) =>
      app.evaluate((_electron, chosen) => globalThis.stage.speak(chosen), language),
    capture: async (path) => {
      const png = await app.evaluate(async ({ BrowserWindow }) => {
        const image = await BrowserWindow.getAllWindows()[0]?.webContents.capturePage()
        return image?.toPNG().toString('base64') ?? ''
      })
      await writeFile(path, png, 'base64')
    },
    zoom: (factor) =>
      app.evaluate(
        ({ BrowserWindow }, chosen) =>
          BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(chosen),
        factor,
      ),
    resize: async (width, height) => {
      await app.evaluate(
        ({ BrowserWindow }, size) =>
          BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height),
        { width, height },
      )
      await page.waitForFunction(
        (size) => innerWidth === size.width && innerHeight === size.height,
        { width, height },
      )
    },
  }
}
