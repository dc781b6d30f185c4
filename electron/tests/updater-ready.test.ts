import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { feedOf, feedTime, signedFeed } from '#client/testing/update-feed'
import type { Channel, Feed } from '#shared/update/feed'
import type { Updater, UpdaterOptions } from '../main/update/updater'
import {
  clock,
  content,
  day,
  feed,
  key,
  nameOf,
  onlyDelays,
  packagePath,
  path,
  publish,
  updaterOf,
  useUpdaters,
} from './updater-rig'

useUpdaters()

describe('a ready update', () => {
  const next = '/Thruflux-1.2.0.AppImage'
  const readyUpdater = async (more: Partial<UpdaterOptions> = {}) => {
    publish()
    const made = updaterOf(more)
    made.updater.start()
    clock.advance(60_000)
    expect((await made.settled()).kind).toBe('ready')
    made.phases.length = 0
    return made
  }
  /** Waits until the daily check has ended and the next one is scheduled. */
  const looked = async (): Promise<void> => {
    const before = feed.asked.length
    clock.advance(day + 60 * 60 * 1000)
    while (clock.delays[0] !== day + 60 * 60 * 1000 || feed.asked.length === before) {
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  it('is replaced by a newer version, which the daily check downloads', async () => {
    const { updater, settled } = await readyUpdater()
    const newer = randomBytes(1000)
    const [offered] = feedOf(newer, clock.now()).files
    const files: Feed['files'] = [{ ...offered, url: next.slice(1) }]
    publish({ version: '1.2.0', files }, key, newer)
    await looked()
    expect(await settled()).toMatchObject({ kind: 'ready', version: '1.2.0' })
    expect(feed.asked.at(-1)).toBe(next)
    expect(readFileSync(updater.ready?.path ?? '').equals(newer)).toBe(true)
  })

  it('stays silently while the feed is the same, with a new time', async () => {
    const { updater, phases } = await readyUpdater()
    for (let days = 0; days < 40; days += 1) {
      publish({ expires: feedTime(clock.now() + 10 * day) })
      await looked()
    }
    expect(updater.evaluateReady()?.ok).toBe(true)
    expect(phases).toEqual([])
  })

  it.each<[string, () => void]>([
    ['the feed returns to the running version', () => publish({ version: '1.0.0' })],
    ['its rollout stops', () => publish({ stagingPercentage: 0 })],
  ])('is dropped when %s', async (_, happens) => {
    const { updater } = await readyUpdater()
    clock.advance(1000)
    happens()
    await looked()
    expect(updater.ready).toBeNull()
  })

  it('stays until it expires when the feed cannot be fetched', async () => {
    const { updater, phases } = await readyUpdater()
    feed.on(path, (_, response) => response.writeHead(500).end())
    await looked()
    expect([updater.ready?.feed.version, phases]).toEqual(['1.1.0', []])
    for (let days = 0; days < 30; days += 1) await looked()
    expect(updater.ready).toBeNull()
  })

  it('is dropped when the channel changes, whose version follows', async () => {
    let channel: Channel = 'stable'
    const { updater, settled } = await readyUpdater({
      choice: () => ({ automatic: true, channel }),
    })
    const name = nameOf('beta')
    const offered = feedOf(content, clock.now(), { version: '1.2.0-beta.1' })
    feed.bytes(`/${name}`, signedFeed(name, offered, key))
    channel = 'beta'
    updater.follow()
    expect(await settled()).toMatchObject({ kind: 'ready', version: '1.2.0-beta.1' })
  })
})

describe('a download', () => {
  const file = packagePath
  const downloading = async (begin: (updater: Updater) => void) => {
    publish()
    feed.on(file, (_, response) => {
      response.writeHead(200, { 'content-length': content.length })
      response.write(content.subarray(0, 1000))
    })
    let automatic = true
    const made = updaterOf({ choice: () => ({ automatic, channel: 'stable' }) })
    begin(made.updater)
    await feed.wasAsked(file)
    automatic = false
    made.updater.follow()
    return made
  }

  it('ends when updates are turned off, and nothing else is requested', async () => {
    const { updater, settled } = await downloading((made) => {
      made.start()
      clock.advance(60_000)
    })
    expect(await settled()).toEqual({ kind: 'idle', newest: false })
    await onlyDelays(day)
    clock.advance(3 * day)
    expect(updater.ready).toBeNull()
    expect(feed.asked.at(-1)).toBe(file)
  })

  it('that a person requested continues when updates are turned off', async () => {
    const { phases } = await downloading((made) => made.check())
    expect(phases.at(-1)?.kind).toBe('downloading')
  })

  it('that waits for a transfer is dropped when updates are turned off', async () => {
    publish()
    feed.on(file, (_, response) => response.writeHead(200).write('x'))
    let automatic = true
    const { updater, settled } = updaterOf({ choice: () => ({ automatic, channel: 'stable' }) })
    updater.start()
    clock.advance(60_000)
    await feed.wasAsked(file)
    updater.setBusy(true)
    expect((await settled()).kind).toBe('waiting')
    automatic = false
    updater.follow()
    expect(await settled()).toEqual({ kind: 'idle', newest: false })
    updater.setBusy(false)
    expect(feed.asked.at(-1)).toBe(file)
    expect(feed.asked).toHaveLength(2)
  })
})
