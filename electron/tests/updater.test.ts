import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { feedOf, feedTime, signedFeed, testKey } from '#client/testing/update-feed'
import { type UpdateRecord, UpdateStore } from '#client/update/update-store'
import type { Channel } from '#shared/update/feed'
import {
  clock,
  content,
  day,
  feed,
  folder,
  key,
  nameOf,
  onlyDelays,
  packagePath,
  path,
  publish,
  updaterOf,
  updaters,
  useUpdaters,
} from './updater-rig'

useUpdaters()

it('downloads a newer version, verified and ready to install', async () => {
  publish()
  const { updater, phases, check } = updaterOf()
  expect(await check()).toEqual({ kind: 'ready', version: '1.1.0', notes: '- Something new.' })
  expect([...new Set(phases.map(({ kind }) => kind))]).toEqual([
    ...['checking', 'downloading', 'ready'],
  ])
  const { ready } = updater
  expect(readFileSync(ready?.path ?? '').equals(content)).toBe(true)
})

it('reports that there is nothing newer, without a download', async () => {
  publish({ version: '1.0.0' })
  const { updater, check } = updaterOf()
  expect(await check()).toEqual({ kind: 'idle', newest: true })
  expect(updater.ready).toBeNull()
  expect(feed.asked).toEqual([path])
})

describe('UPD-01: refuses, and keeps the running version', () => {
  it.each<[string, () => string]>([
    ['an unsigned feed', () => JSON.stringify(feedOf(content, clock.now()))],
    ['a wrong key', () => signedFeed(nameOf('stable'), feedOf(content, clock.now()), testKey())],
  ])('%s', async (_, served) => {
    feed.bytes(path, served())
    const { updater, check } = updaterOf()
    expect(await check()).toMatchObject({ error: { code: 'E_UPDATE_UNTRUSTED' } })
    expect(updater.ready).toBeNull()
    expect(feed.asked).toEqual([path])
  })

  it('a feed that is cut off in transit', async () => {
    feed.on(path, (_, response) => {
      response.writeHead(200, { 'content-length': 1000 })
      response.write('{', () => response.destroy())
    })
    expect(await updaterOf().check()).toMatchObject({ error: { code: 'E_UPDATE_UNREACHABLE' } })
  })
})

describe('UPD-02: downloads nothing for', () => {
  it.each(['0.9.0', '1.0.0', '1.0.0-beta.1'])('version %s', async (version) => {
    publish({ version })
    const { check } = updaterOf()
    const phase = await check()
    if (version.includes('-')) expect(phase.kind).toBe('failed')
    else expect(phase).toEqual({ kind: 'idle', newest: true })
    expect(feed.asked).toEqual([path])
  })

  it('a feed from the future, which is not stored either', async () => {
    publish({
      releaseDate: feedTime(clock.now() + 2 * day),
      expires: feedTime(clock.now() + 9 * day),
    })
    expect(await updaterOf().check()).toMatchObject({ error: { code: 'E_UPDATE_EXPIRED' } })
    publish()
    expect(await updaterOf().check()).toMatchObject({ kind: 'ready' })
  })

  it('a feed that was good 31 days ago', async () => {
    publish()
    clock.advance(31 * day)
    expect(await updaterOf().check()).toMatchObject({ error: { code: 'E_UPDATE_EXPIRED' } })
  })

  it('an old feed served again after a newer one', async () => {
    publish({ version: '1.0.0' })
    clock.advance(day)
    const old = feedOf(content, clock.now() - day)
    publish({ version: '1.0.0' })
    await updaterOf().check()
    feed.bytes(path, signedFeed(nameOf('stable'), old, key))
    expect(await updaterOf().check()).toMatchObject({ error: { code: 'E_UPDATE_STALE' } })
  })
})

describe('UPD-03: with a valid feed', () => {
  it('another file is refused and removed', async () => {
    publish()
    feed.bytes(packagePath, randomBytes(content.length))
    expect(await updaterOf().check()).toMatchObject({ error: { code: 'E_UPDATE_DAMAGED' } })
    expect(readdirSync(join(folder, 'updates/pending'))).toEqual([])
  })

  it('a package from an earlier start is used only if it is complete', async () => {
    publish()
    await updaterOf().check()
    const [name = ''] = readdirSync(join(folder, 'updates/pending'))
    feed.asked.length = 0
    expect(await updaterOf().check()).toMatchObject({ kind: 'ready' })
    expect(feed.asked).toEqual([path])
    writeFileSync(join(folder, 'updates/pending', name), 'damaged')
    expect(await updaterOf().check()).toMatchObject({ kind: 'ready' })
    expect(feed.asked).toEqual([path, path, packagePath])
  })
})

describe('UPD-07: a server', () => {
  it('that sends more than the feed announces is cut off', async () => {
    publish()
    let sent = 0
    feed.on(packagePath, (_, response) => {
      const more = (): void => {
        sent += content.length
        if (!response.destroyed && sent < 1e10) response.write(content, more)
      }
      more()
    })
    expect(await updaterOf().check()).toMatchObject({ error: { code: 'E_UPDATE_DAMAGED' } })
    expect(sent).toBeLessThan(100_000_000)
  })

  it('that sends a byte occasionally is given up after a minute', async () => {
    publish()
    let isWritten: () => void = () => undefined
    const written = new Promise<void>((resolve) => {
      isWritten = resolve
    })
    feed.on(packagePath, (_, response) => {
      response.writeHead(200, { 'content-length': content.length })
      response.write('x', isWritten)
    })
    const done = updaterOf().check()
    await written
    clock.advance(60_000)
    expect(await done).toMatchObject({
      error: { code: 'E_UPDATE_INTERRUPTED', detail: 'the server is too slow' },
    })
  })

  it('that lacks the package does not make the version unknown', async () => {
    publish()
    feed.on(packagePath, (_, response) => response.writeHead(404).end())
    expect(await updaterOf().check()).toMatchObject({ error: { code: 'E_UPDATE_INTERRUPTED' } })
  })
})

describe('it checks automatically', () => {
  it('a minute after the start, and then after a day and up to two hours', async () => {
    publish({ version: '1.0.0' })
    const { updater, settled } = updaterOf()
    updater.start()
    expect(clock.delays).toEqual([60_000])
    clock.advance(60_000)
    await settled()
    await onlyDelays(day + 60 * 60 * 1000)
  })

  it('only once if another start follows within the day', async () => {
    publish({ version: '1.0.0' })
    await updaterOf().check()
    clock.advance(day / 2)
    const { updater } = updaterOf()
    for (const other of updaters) other.close()
    updater.start()
    expect(clock.delays).toEqual([60_000 + day / 2 + 60 * 60 * 1000])
  })

  it('soon for a known version, whichever program found it', async () => {
    await new UpdateStore({ directory: folder }).change({ found: '1.1.0', checkedMs: clock.now() })
    updaterOf().updater.start()
    expect(clock.delays).toEqual([60_000])
  })

  it('not while that is turned off', () => {
    publish()
    const { updater } = updaterOf({ choice: () => ({ automatic: false, channel: 'stable' }) })
    updater.start()
    clock.advance(3 * day)
    // The next check is scheduled, and no request was sent.
    expect(clock.delays).toHaveLength(1)
    expect(feed.asked).toEqual([])
  })

  it('not when it was turned off while a transfer delayed the check', () => {
    publish()
    let automatic = true
    const { updater } = updaterOf({ choice: () => ({ automatic, channel: 'stable' }) })
    updater.start()
    updater.setBusy(true)
    clock.advance(60_000)
    automatic = false
    updater.setBusy(false)
    expect(updater.ready).toBeNull()
    expect(clock.delays).toEqual([day])
  })

  it('never again once it is closed', async () => {
    feed.on(path, () => undefined)
    const { updater, phases } = updaterOf()
    updater.check()
    await feed.wasAsked(path)
    updater.close()
    await onlyDelays()
    expect(phases.map(({ kind }) => kind)).toEqual(['checking'])
    expect(feed.asked).toEqual([path])
  })

  it('but leaves staged versions to their turn, unless a person asks', async () => {
    publish({ stagingPercentage: 10 })
    const { updater, settled, check } = updaterOf()
    updater.start()
    clock.advance(60_000)
    expect(await settled()).toEqual({ kind: 'idle', newest: false })
    expect((await check()).kind).not.toBe('failed')
    await settled()
    expect(updater.ready?.feed.version).toBe('1.1.0')
  })

  it('again within the hour when a download failed', async () => {
    publish()
    feed.on(packagePath, (_, response) => {
      response.writeHead(200, { 'content-length': content.length })
      response.write(content.subarray(0, 1000), () => response.destroy())
    })
    const { check } = updaterOf()
    expect(await check()).toMatchObject({ error: { code: 'E_UPDATE_INTERRUPTED' } })
    await onlyDelays(60 * 60 * 1000)
  })
})

describe('UPD-10: while a transfer runs', () => {
  it('no request is made, and the check follows afterwards', async () => {
    publish()
    const { updater, settled } = updaterOf()
    updater.setBusy(true)
    updater.check()
    expect(feed.asked).toEqual([])
    updater.setBusy(false)
    expect((await settled()).kind).toBe('ready')
  })

  it('many short ones cause at most two checks a minute', async () => {
    feed.on(path, () => undefined)
    const { updater, phases, settled } = updaterOf()
    updater.check()
    for (let count = 0; count < 50; count += 1) {
      updater.setBusy(true)
      await settled()
      updater.setBusy(false)
      clock.advance(100)
    }
    expect(phases.filter(({ kind }) => kind === 'checking')).toHaveLength(2)
    publish()
    clock.advance(30_000)
    while (updater.ready === null) await new Promise((resolve) => setImmediate(resolve))
    // It is still a person's request.
    expect(updater.ready.isAsked).toBe(true)
  })

  it('a download waits, and restarts afterwards', async () => {
    publish()
    let cut: () => void = () => undefined
    const isCut = new Promise<void>((resolve) => {
      cut = resolve
    })
    feed.on(packagePath, (_, response) => {
      response.writeHead(200, { 'content-length': content.length })
      response.write(content.subarray(0, 100_000))
      response.once('close', cut)
    })
    const { updater, settled, phases } = updaterOf()
    updater.check()
    await feed.wasAsked(packagePath)
    updater.setBusy(true)
    expect(await settled()).toEqual({ kind: 'waiting', version: '1.1.0' })
    // The download was aborted.
    await isCut
    feed.bytes(packagePath, content)
    updater.setBusy(false)
    phases.length = 0
    expect((await settled()).kind).toBe('ready')
  })
})

it('a newer feed that another program of this account has seen is respected', async () => {
  publish()
  const stable = feedTime(clock.now() + 1000)
  const store = new UpdateStore({ directory: folder })
  const patch: Partial<UpdateRecord> = { published: { stable, beta: '' }, found: '1.2.0' }
  const change = store.change.bind(store)
  vi.spyOn(store, 'change').mockImplementationOnce(async (own) => {
    await new UpdateStore({ directory: folder }).change(patch)
    await change(own)
  })
  expect(await updaterOf({ store }).check()).toMatchObject({ error: { code: 'E_UPDATE_STALE' } })
  expect(store.read()).toMatchObject({ published: { stable }, found: '1.2.0' })
})

it('requests the feed of the selected channel', async () => {
  const name = nameOf('beta')
  const offered = feedOf(content, clock.now(), { version: '1.1.0-beta.2' })
  feed.bytes(`/${name}`, signedFeed(name, offered, key))
  feed.bytes(packagePath, content)
  const choice = () => ({ automatic: true, channel: 'beta' as Channel })
  expect((await updaterOf({ choice }).check()).kind).toBe('ready')
})

it('reveals nothing else to the server', async () => {
  publish()
  const headers: object[] = []
  for (const [asked, answer] of [
    [path, readFileOf(feedOf(content, clock.now()))],
    [packagePath, content],
  ] as const)
    feed.on(asked, (request, response) => {
      headers.push(request.headers)
      response.writeHead(200, { 'content-length': Buffer.byteLength(answer) }).end(answer)
    })
  await updaterOf().check()
  const names = headers.flatMap((one) => Object.keys(one))
  expect([...new Set(names)].sort()).toEqual([
    ...['accept', 'cache-control', 'connection', 'host', 'user-agent'],
  ])
  expect(headers).toHaveLength(2)
  for (const one of headers) expect(one).toMatchObject({ 'user-agent': 'electron-builder' })
})

const readFileOf = (offered: object): string => signedFeed(nameOf('stable'), offered, key)

it('an invalid note is ignored, and its file is set aside', async () => {
  writeFileSync(join(folder, 'updates.json'), '{"version":1,"found":7}')
  publish()
  expect(await updaterOf().check()).toMatchObject({ kind: 'ready' })
})

it('a note of a later version keeps its known fields', async () => {
  const store = new UpdateStore({ directory: folder })
  await store.change({ newsOf: '1.1.0' })
  const file = join(folder, 'updates.json')
  const content = JSON.parse(readFileSync(file, 'utf8')) as object
  writeFileSync(file, JSON.stringify({ ...content, later: true }))
  await store.change({ found: '1.1.0' })
  expect(store.read()).toMatchObject({ newsOf: '1.1.0', found: '1.1.0' })
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ later: true })
})
