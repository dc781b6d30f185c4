import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { envelope, keyList, manifestOf, testKey } from '#client/testing/update-feed'
import type { Updater, UpdaterOptions } from '#client/update/updater'
import type { Channel } from '#shared/update/manifest'
import {
  clock,
  content,
  day,
  feed,
  key,
  path,
  publish,
  time,
  updaterOf,
  useUpdaters,
} from './updater-rig'

useUpdaters()

describe('what is ready', () => {
  const next = '/stable/Thruflux-1.2.0.AppImage'
  const readyUpdater = async (more: Partial<UpdaterOptions> = {}) => {
    publish()
    const made = updaterOf(more)
    made.updater.start()
    clock.advance(60_000)
    expect((await made.settled()).kind).toBe('ready')
    made.phases.length = 0
    return made
  }
  /** The daily look has come to its end: the one after it is due. */
  const looked = async (): Promise<void> => {
    const before = feed.asked.length
    clock.advance(day + 60 * 60 * 1000)
    while (clock.delays[0] !== day + 60 * 60 * 1000 || feed.asked.length === before) {
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  it('makes room for a newer version, which is brought at the daily look', async () => {
    const { updater, settled } = await readyUpdater()
    const newer = randomBytes(1000)
    publish({ version: '1.2.0', file: 'Thruflux-1.2.0.AppImage' }, [key], newer)
    await looked()
    expect(await settled()).toMatchObject({ kind: 'ready', version: '1.2.0' })
    expect(feed.asked.at(-1)).toBe(next)
    expect(readFileSync(updater.ready?.path ?? '').equals(newer)).toBe(true)
  })

  it('stays without a word while the feed says the same, with a new time', async () => {
    const { updater, phases } = await readyUpdater()
    for (let days = 0; days < 40; days += 1) {
      publish({ published: time(clock.now()), expires: time(clock.now() + 10 * day) })
      await looked()
    }
    expect(updater.judgeReady()?.ok).toBe(true)
    expect(phases).toEqual([])
  })

  it.each<[string, () => void]>([
    ['the feed goes back to the version that runs', () => publish({ version: '1.0.0' })],
    ['nobody else gets it', () => publish({ staged: 0 })],
    [
      'its key is replaced',
      () => {
        const other = testKey()
        feed.json('/keys.json', [keyList(1, [other], [key])])
        publish({}, [other], randomBytes(10))
        feed.on(path, (_, response) => response.writeHead(404).end())
      },
    ],
  ])('goes when %s', async (_, happens) => {
    const { updater } = await readyUpdater()
    clock.advance(1000)
    happens()
    await looked()
    expect(updater.ready).toBeNull()
  })

  it('stays when the feed can not be asked, until its time ends', async () => {
    const { updater, phases } = await readyUpdater()
    feed.on(path, (_, response) => response.writeHead(500).end())
    await looked()
    expect([updater.ready?.manifest.version, phases]).toEqual(['1.1.0', []])
    for (let days = 0; days < 30; days += 1) await looked()
    expect(updater.ready).toBeNull()
  })

  it('goes when another channel is chosen, whose version follows', async () => {
    let channel: Channel = 'stable'
    const { updater, settled } = await readyUpdater({
      choice: () => ({ automatic: true, channel }),
    })
    const manifest = manifestOf(content, clock.now(), { channel: 'beta', version: '1.2.0-beta.1' })
    feed.json('/beta/linux-x64-appimage.json', envelope('manifest', manifest, [key]))
    feed.bytes('/beta/Thruflux-1.1.0.AppImage', content)
    channel = 'beta'
    updater.follow()
    expect(await settled()).toMatchObject({ kind: 'ready', version: '1.2.0-beta.1' })
  })
})

describe('a download', () => {
  const file = '/stable/Thruflux-1.1.0.AppImage'
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

  it('ends when updates are switched off, and nothing else is asked', async () => {
    const { updater, settled } = await downloading((made) => {
      made.start()
      clock.advance(60_000)
    })
    expect(await settled()).toEqual({ kind: 'idle', newest: false })
    expect(clock.delays).toEqual([day])
    clock.advance(3 * day)
    expect(updater.ready).toBeNull()
    expect(feed.asked.at(-1)).toBe(file)
  })

  it('that a person asked for goes on when updates are switched off', async () => {
    const { phases } = await downloading((made) => {
      made.check()
    })
    expect(phases.at(-1)?.kind).toBe('downloading')
  })

  it('that waits for a transfer is forgotten when updates are switched off', async () => {
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
    expect(feed.asked).toHaveLength(3)
  })
})
