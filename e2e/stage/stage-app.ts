/** The staged app as tests use it. */
import type { AppError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import { stageBundle } from '../build-stage'
import { launch, type RunningApp } from '../launch'
import type { InvitationMessage } from './main'
import { type SceneName, scenes } from './scenes'

export type StageApp = RunningApp & {
  /** An empty app in which these events happen. */
  readonly enter: (scene: SceneName) => Promise<void>
  readonly play: (events: readonly AppEvent[]) => Promise<void>
  readonly refuseNext: (error: AppError) => Promise<void>
  /** What the page has asked for since `enter`. */
  readonly calls: () => Promise<readonly InvitationMessage[]>
  /** What the page's console complained about, a breach of its content policy included. */
  readonly complaints: readonly string[]
  readonly resize: (width: number, height: number) => Promise<void>
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
    app.evaluate((_electron, played) => {
      globalThis.stage.play(played)
    }, events)
  return {
    ...running,
    complaints,
    play,
    enter: async (scene) => {
      await app.evaluate(() => globalThis.stage.reset())
      await page.waitForSelector('.app')
      await play(scenes[scene](Date.now()))
    },
    refuseNext: (error) =>
      app.evaluate((_electron, refusal) => {
        globalThis.stage.refusal = refusal
      }, error),
    calls: () => app.evaluate(() => globalThis.stage.calls),
    resize: async (width, height) => {
      await app.evaluate(
        ({ BrowserWindow }, size) => {
          BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height)
        },
        { width, height },
      )
      await page.waitForFunction(
        (size) => innerWidth === size.width && innerHeight === size.height,
        { width, height },
      )
    },
  }
}
