import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ManualClock } from '#client/testing/manual-clock'
import { temporaryFolder } from '#client/testing/temporary-folder'
import {
  appImage,
  feedOf,
  feedTime,
  signedFeed,
  TestFeed,
  testKey,
} from '#client/testing/update-feed'
import { UpdateStore } from '#client/update/update-store'
import { type AppState, emptyState } from '#shared/state/app-state'
import type { UpdateStatus } from '#shared/update/update-status'
import { AppUpdates, type AppUpdatesOptions } from '../main/update/app-updates'
import { installAppImage } from '../main/update/appimage-installer'
import type { Install } from '../main/update/installer'
import { adapterOf, nameOf, NodeExecutor } from './updater-rig'

const image = (): Buffer => appImage(100_000)
const [before, after] = [image(), image()]
const key = testKey()
const hour = 60 * 60 * 1000

const at = temporaryFolder()
let feed: TestFeed
let address: URL
let clock: ManualClock
let store: UpdateStore
let state: AppState
let statuses: UpdateStatus[]
let listeners: (() => void)[]
const quit = vi.fn()
const relaunch = vi.fn()
const tellUpdated = vi.fn()
const publish = (more: object = {}): void => {
  const offered = feedOf(after, clock.now(), more)
  feed.bytes(`/${nameOf('stable')}`, signedFeed(nameOf('stable'), offered, key))
  feed.bytes(`/${offered.files[0].url}`, after)
}
beforeEach(async () => {
  feed = new TestFeed()
  address = await feed.listen()
  mkdirSync(at('updates'), { mode: 0o700 })
  writeFileSync(at('Thruflux.AppImage'), before, { mode: 0o755 })
  vi.stubEnv('APPIMAGE', at('Thruflux.AppImage'))
  clock = new ManualClock()
  store = new UpdateStore({ directory: at() })
  state = emptyState('/downloads')
  statuses = []
  listeners = []
  for (const mock of [quit, relaunch, tellUpdated]) mock.mockReset()
  publish()
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await feed.close()
})

const install = (): Install => installAppImage(at('Thruflux.AppImage'), relaunch)
const updatesOf = (more: Partial<AppUpdatesOptions> = {}) =>
  new AppUpdates({
    client: {
      snapshot: () => ({ seq: 0, state }),
      subscribe: (listener) => {
        listeners.push(() => listener([]))
        return () => undefined
      },
      setUpdateStatus: (status) => statuses.push(status),
    },
    packaging: { by: 'app', kind: 'appimage' },
    source: { address, keys: [key.publicKey] },
    installFor: install,
    executor: () => new NodeExecutor(),
    app: adapterOf('1.0.0', at()),
    ...{ store, clock, quit, tellUpdated, version: '1.0.0', directory: at('updates') },
    changelog: '## 1.0.0\n\n- Something.\n',
    mayLook: true,
    random: () => 0,
    ...more,
  })
const last = (): UpdateStatus | undefined => statuses.at(-1)
const until = async (kind: string): Promise<void> => {
  while (last()?.phase.kind !== kind) await new Promise((resolve) => setImmediate(resolve))
}
/** The updates after a requested check has found a version and downloaded it. */
async function readyUpdates(more?: Partial<AppUpdatesOptions>): Promise<AppUpdates> {
  const updates = updatesOf(more)
  await updates.handlers.checkForUpdate(undefined)
  await until('ready')
  return updates
}
const is = (name: string, bytes: Uint8Array): boolean => readFileSync(at(name)).equals(bytes)
/** Replaces the verified package with another one. */
const changePackage = (): void => {
  const packages = at('updates', 'pending')
  for (const name of readdirSync(packages).filter((each) => each.endsWith('.AppImage')))
    writeFileSync(join(packages, name), image())
}
/** Data of a receive is in flight. */
const receiving = (): AppState =>
  ({ ...state, receives: [{ phase: 'receiving' }] }) as unknown as AppState

describe.runIf(process.platform === 'linux')('an AppImage', () => {
  it('checks on request, and restarts into the new version', async () => {
    const updates = updatesOf()
    expect(last()).toMatchObject({ by: 'app', version: '1.0.0' })
    await updates.handlers.checkForUpdate(undefined)
    await until('ready')
    expect(is('Thruflux.AppImage', before)).toBe(true)
    expect(await updates.handlers.installUpdate(undefined)).toEqual({ ok: true, value: null })
    expect(is('Thruflux.AppImage', after)).toBe(true)
    expect(relaunch).toHaveBeenCalledExactlyOnceWith(at('Thruflux.AppImage'))
    expect(quit).toHaveBeenCalledOnce()
    await updates.installOnQuit()
    expect(relaunch).toHaveBeenCalledOnce()
  })

  it('installs when it quits, without a restart', async () => {
    const updates = await readyUpdates()
    await updates.installOnQuit()
    expect(is('Thruflux.AppImage', after)).toBe(true)
    expect(relaunch).not.toHaveBeenCalled()
  })

  it('installs nothing when it quits if automatic updates were turned off since', async () => {
    const updates = updatesOf()
    await updates.start()
    clock.advance(60_000)
    await until('ready')
    const { settings } = state
    const off = { ...settings, updates: { ...settings.updates, automatic: false } }
    state = { ...state, settings: off }
    await updates.installOnQuit()
    expect(is('Thruflux.AppImage', before)).toBe(true)
  })

  it('UPD-10: does not restart into the update while a transfer runs', async () => {
    const updates = await readyUpdates()
    state = receiving()
    expect(await updates.handlers.installUpdate(undefined)).toMatchObject({ ok: false })
    expect(is('Thruflux.AppImage', before)).toBe(true)
    expect(quit).not.toHaveBeenCalled()
  })

  it('UPD-10: checks only when the transfer is over', async () => {
    const updates = updatesOf()
    const idle = state
    state = receiving()
    for (const listener of listeners) listener()
    await updates.handlers.checkForUpdate(undefined)
    expect(feed.asked).toEqual([])
    state = idle
    for (const listener of listeners) listener()
    await until('ready')
  })

  it('UPD-10: does not end during a transfer that began while it was installed, but afterwards', async () => {
    const [idle, busy] = [state, receiving()]
    const own = install()
    let begun = busy
    const updates = await readyUpdates({
      installFor:
        () =>
        (...asked) => {
          state = begun
          return own(...asked)
        },
    })
    expect(await updates.handlers.installUpdate(undefined)).toMatchObject({ ok: false })
    expect([quit.mock.calls, relaunch.mock.calls]).toEqual([[], []])
    expect(last()?.phase.kind).toBe('ready')
    begun = idle
    state = idle
    expect(await updates.handlers.installUpdate(undefined)).toEqual({ ok: true, value: null })
    expect(relaunch).toHaveBeenCalledOnce()
    expect(quit).toHaveBeenCalledOnce()
    expect(is('Thruflux.AppImage', after)).toBe(true)
  })

  it('delays its end during an installation, and installs once', async () => {
    const updates = await readyUpdates()
    const pressed = updates.handlers.installUpdate(undefined)
    await updates.installOnQuit()
    expect(is('Thruflux.AppImage', after)).toBe(true)
    expect((await pressed).ok).toBe(true)
  })

  describe.each<[string, string, () => unknown]>([
    ['whose time has ended', 'E_UPDATE_EXPIRED', () => clock.advance(2 * hour)],
    [
      'that a later feed has taken back',
      'E_UPDATE_STALE',
      () => store.change({ published: { stable: '2999-01-01T00:00:00Z', beta: '' } }),
    ],
  ])('does not install a package %s since its download', (_, code, happens) => {
    beforeEach(() => {
      publish({ expires: feedTime(clock.now() + hour) })
    })

    it.each(['when it quits', 'when a person wants to restart'])('%s', async (when) => {
      const updates = await readyUpdates()
      await happens()
      if (when === 'when it quits') await updates.installOnQuit()
      else {
        await updates.handlers.installUpdate(undefined)
        expect(last()?.phase).toMatchObject({ kind: 'failed', error: { code } })
        expect(quit).not.toHaveBeenCalled()
      }
      expect(is('Thruflux.AppImage', before)).toBe(true)
    })
  })

  it('UPD-03: keeps the old version when the package was changed at the last moment', async () => {
    const updates = await readyUpdates()
    changePackage()
    await updates.handlers.installUpdate(undefined)
    expect(last()?.phase).toMatchObject({ kind: 'failed', error: { code: 'E_UPDATE_DAMAGED' } })
    expect(is('Thruflux.AppImage', before)).toBe(true)
    expect(quit).not.toHaveBeenCalled()
  })

  it('downloads an update again on request if it could not be installed', async () => {
    const updates = await readyUpdates()
    changePackage()
    await updates.handlers.installUpdate(undefined)
    await updates.handlers.checkForUpdate(undefined)
    expect(last()?.phase.kind).not.toBe('failed')
    await until('ready')
    await updates.handlers.installUpdate(undefined)
    expect(is('Thruflux.AppImage', after)).toBe(true)
  })

  it('never replaces another AppImage that was put there since the start', async () => {
    const updates = await readyUpdates()
    const newer = image()
    writeFileSync(at('newer'), newer, { mode: 0o755 })
    renameSync(at('newer'), at('Thruflux.AppImage'))
    await updates.installOnQuit()
    expect(is('Thruflux.AppImage', newer)).toBe(true)
  })

  it('makes no automatic checks if the environment forbids them, but still checks on request', async () => {
    const updates = updatesOf({ mayLook: false })
    await updates.start()
    clock.advance(48 * 60 * 60 * 1000)
    expect(feed.asked).toEqual([])
    await updates.handlers.checkForUpdate(undefined)
    await until('ready')
  })
})

it.each([
  ['a build without a place to look', { source: null }, 'nobody'],
  ['a deb', { packaging: { by: 'system', kind: null } }, 'system'],
  ['an archive', { packaging: { by: 'person', kind: null } }, 'person'],
] as const)('%s reports who updates it, and checks nothing', async (_, more, by) => {
  const updates = updatesOf(more)
  await updates.start()
  await updates.handlers.checkForUpdate(undefined)
  clock.advance(48 * 60 * 60 * 1000)
  expect(last()?.by).toBe(by)
  expect(await updates.handlers.installUpdate(undefined)).toMatchObject({ ok: false })
  await updates.installOnQuit()
  expect(feed.asked).toEqual([])
})

describe("what's new", () => {
  it('is shown once, at the first start of a different version', async () => {
    await updatesOf().start()
    expect(tellUpdated).not.toHaveBeenCalled()
    await updatesOf({ version: '1.1.0' }).start()
    await updatesOf({ version: '1.1.0' }).start()
    expect(tellUpdated).toHaveBeenCalledExactlyOnceWith('1.1.0')
  })

  it('is read from the changelog', async () => {
    const news = await updatesOf().handlers.news(undefined)
    expect(news).toMatchObject({ value: { sections: [{ points: ['Something.'] }] } })
  })
})
