/** An updater of a test with a feed, a folder and a clock of its own. */
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach } from 'vitest'
import { ManualClock } from '#client/testing/manual-clock'
import { temporaryFolder } from '#client/testing/temporary-folder'
import { envelope, manifestOf, TestFeed, type TestKey, testKey } from '#client/testing/update-feed'
import { UpdateNotes } from '#client/update/update-note'
import { Updater, type UpdaterOptions } from '#client/update/updater'
import type { UpdateManifest } from '#shared/update/manifest'
import type { UpdatePhase } from '#shared/update/update-status'

export const day = 24 * 60 * 60 * 1000
export const content = randomBytes(200_000)
export const path = '/stable/linux-x64-appimage.json'
/** As manifests have it. */
export const time = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')

export let feed: TestFeed
export let address: URL
export let folder: string
export let clock: ManualClock
export let key: TestKey
export let updaters: Updater[]
/** To be called by each file of tests: a module of several files runs once. */
export function useUpdaters(): void {
  const at = temporaryFolder()
  beforeEach(async () => {
    feed = new TestFeed()
    address = await feed.listen()
    folder = at()
    clock = new ManualClock()
    key = testKey()
    updaters = []
  })
  afterEach(async () => {
    for (const updater of updaters) updater.close()
    await feed.close()
  })
}

/** An updater with all phases that it went through, and a way to wait for one of them. */
export function updaterOf(more: Partial<UpdaterOptions> = {}) {
  const phases: UpdatePhase[] = []
  let looked: () => void = () => undefined
  const updater = new Updater({
    feed: { address, known: { keys: [key.publicKey], serial: 0 } },
    installation: { version: '1.0.0', platform: 'linux', arch: 'x64', kind: 'appimage' },
    notes: new UpdateNotes({ directory: folder }),
    directory: folder,
    clock,
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

export function publish(more: Partial<UpdateManifest> = {}, keys = [key], bytes = content): void {
  const manifest = manifestOf(bytes, clock.now(), more)
  feed.json(path, envelope('manifest', manifest, keys))
  feed.bytes(`/stable/${manifest.file}`, bytes)
}
