/** An updater for tests, with its own feed, folder and clock. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { type ClientRequest, type IncomingMessage, request, type RequestOptions } from 'node:http'
import { join } from 'node:path'
import type { AppAdapter } from 'electron-updater/out/AppAdapter'
import { ElectronHttpExecutor } from 'electron-updater/out/electronHttpExecutor'
import { afterEach, beforeEach, vi } from 'vitest'
import { ManualClock } from '#client/testing/manual-clock'
import { temporaryFolder } from '#client/testing/temporary-folder'
import { feedOf, signedFeed, TestFeed, type TestKey, testKey } from '#client/testing/update-feed'
import { UpdateStore } from '#client/update/update-store'
import { type Channel, type Feed, feedName } from '#shared/update/feed'
import type { UpdatePhase } from '#shared/update/update-status'
import { Updater, type UpdaterOptions } from '../main/update/updater'

export const day = 24 * 60 * 60 * 1000
export const content = randomBytes(200_000)
export const nameOf = (channel: Channel): string =>
  feedName(channel, process.platform, process.arch)
export const path = `/${nameOf('stable')}`
export const packagePath = '/Thruflux-1.1.0.AppImage'

export const adapterOf = (version: string, folder: string): AppAdapter => ({
  ...{ version, name: 'thruflux', isPackaged: true, userDataPath: folder, baseCachePath: folder },
  appUpdateConfigPath: join(folder, 'app-update.yml'),
  whenReady: () => Promise.resolve(),
  quit: vi.fn(),
  relaunch: vi.fn(),
  onQuit: vi.fn(),
})

/** Replaces Electron's network, which is unavailable here, by Node's. */
export class NodeExecutor extends ElectronHttpExecutor {
  override createRequest(
    options: RequestOptions,
    callback: (response: IncomingMessage) => void,
  ): never {
    const made: ClientRequest = request({ ...options, agent: false }, callback)
    return made as never
  }

  /** Node has no event for redirects. */
  override addRedirectHandlers(): void {
    // The library then follows redirects itself.
  }
}

export let feed: TestFeed
export let address: URL
export let folder: string
export let clock: ManualClock
export let key: TestKey
export let updaters: Updater[]
/** Each test file must call it: a shared module runs only once. */
export function useUpdaters(): void {
  const at = temporaryFolder()
  beforeEach(async () => {
    feed = new TestFeed()
    address = await feed.listen()
    folder = at()
    clock = new ManualClock()
    key = testKey()
    updaters = []
    // Otherwise the library does not recognize an AppImage.
    vi.stubEnv('APPIMAGE', at('Thruflux.AppImage'))
    // The library's random id for staged versions, here one with a late turn.
    writeFileSync(at('.updaterId'), '00000000-0000-5000-8000-0000f0000000')
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    for (const updater of updaters) updater.close()
    await feed.close()
  })
}

/** An updater with all its phases so far, and a function that waits for one. */
export function updaterOf(more: Partial<UpdaterOptions> = {}) {
  const phases: UpdatePhase[] = []
  let looked: () => void = () => undefined
  const updater = new Updater({
    source: { address, keys: [key.publicKey] },
    ...{ version: '1.0.0', kind: 'appimage', clock, executor: new NodeExecutor() },
    app: adapterOf('1.0.0', folder),
    store: new UpdateStore({ directory: folder }),
    directory: join(folder, 'updates'),
    random: () => 0.5,
    choice: () => ({ automatic: true, channel: 'stable' }),
    changed: ({ phase }) => {
      phases.push(phase)
      looked()
    },
    ...more,
  })
  updaters.push(updater)
  const settled = async (): Promise<UpdatePhase> => {
    for (;;) {
      const phase = phases.at(-1)
      const isOver = phase !== undefined && !['checking', 'downloading'].includes(phase.kind)
      if (isOver) return phase
      await new Promise<void>((resolve) => {
        looked = resolve
      })
    }
  }
  const check = (): Promise<UpdatePhase> => {
    updater.check()
    return settled()
  }
  return { updater, phases, settled, check }
}

/** Resolves when only timers with these delays are left; those of requests end with the requests. */
export async function onlyDelays(...delays: readonly number[]): Promise<void> {
  while (JSON.stringify(clock.delays) !== JSON.stringify(delays)) {
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Publishes a signed feed of the stable channel with its package. */
export function publish(more: Partial<Feed> = {}, by = key, bytes = content): void {
  const offered = feedOf(bytes, clock.now(), more)
  feed.bytes(path, signedFeed(nameOf('stable'), offered, by))
  feed.bytes(`/${offered.files[0].url}`, bytes)
}
