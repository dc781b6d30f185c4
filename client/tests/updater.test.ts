import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { envelope, keyList, manifestOf, testKey } from '#client/testing/update-feed'
import { type UpdateNote, UpdateNotes } from '#client/update/update-note'
import type { Channel } from '#shared/update/manifest'
import {
  address,
  clock,
  content,
  day,
  feed,
  folder,
  key,
  path,
  publish,
  time,
  updaterOf,
  updaters,
  useUpdaters,
} from './updater-rig'

useUpdaters()

it('brings a newer version, checked and ready to be installed', async () => {
  publish()
  const { updater, phases, check } = updaterOf()
  expect(await check()).toEqual({ kind: 'ready', version: '1.1.0', notes: '- Something new.' })
  expect(phases.map(({ kind }) => kind)).toEqual(['checking', 'downloading', 'ready'])
  const { ready } = updater
  expect(readFileSync(ready?.path ?? '').equals(content)).toBe(true)
})

it('says when there is nothing newer, and asks for no package', async () => {
  publish({ version: '1.0.0' })
  const { updater, check } = updaterOf()
  expect(await check()).toEqual({ kind: 'idle', newest: true })
  expect(updater.ready).toBeNull()
  expect(feed.asked).toEqual(['/keys.json', path])
})

describe('UPD-01: refuses, and keeps the version that runs', () => {
  it.each<[string, () => unknown]>([
    ['an unsigned manifest', () => manifestOf(content, clock.now())],
    ['a wrong key', () => envelope('manifest', manifestOf(content, clock.now()), [testKey()])],
    [
      'a changed byte',
      () => {
        const good = envelope('manifest', manifestOf(content, clock.now()), [key])
        const bytes = Buffer.from(good.payload, 'base64')
        bytes[100] = (bytes[100] ?? 0) ^ 1
        return { ...good, payload: bytes.toString('base64') }
      },
    ],
  ])('%s', async (_, served) => {
    feed.json(path, served())
    const { updater, check } = updaterOf()
    expect(await check()).toMatchObject({ error: { code: 'E_UPDATE_UNTRUSTED' } })
    expect(updater.ready).toBeNull()
    expect(feed.asked).toHaveLength(2)
  })

  it('a truncated manifest', async () => {
    const text = JSON.stringify(envelope('manifest', manifestOf(content, clock.now()), [key]))
    feed.on(path, (_, response) => response.end(text.slice(0, 300)))
    expect(await updaterOf().check()).toMatchObject({ error: { code: 'E_UPDATE_UNTRUSTED' } })
  })

  it('a manifest that is cut off on its way', async () => {
    feed.on(path, (_, response) => {
      response.writeHead(200, { 'content-length': 1000 })
      response.write('{', () => response.destroy())
    })
    expect(await updaterOf().check()).toMatchObject({ error: { code: 'E_UPDATE_UNREACHABLE' } })
  })

  it('the manifest of another platform', async () => {
    publish({ platform: 'win32' })
    expect(await updaterOf().check()).toMatchObject({ error: { code: 'E_UPDATE_WRONG_TARGET' } })
  })
})

describe('UPD-02: brings nothing by', () => {
  it('an older version', async () => {
    publish({ version: '0.9.0' })
    expect(await updaterOf().check()).toEqual({ kind: 'idle', newest: true })
  })

  it('a manifest from the days to come, which is not remembered either', async () => {
    const future = time(clock.now() + 2 * day)
    publish({ published: future })
    expect(await updaterOf().check()).toMatchObject({ error: { code: 'E_UPDATE_EXPIRED' } })
    publish()
    expect((await updaterOf().check()).kind).toBe('ready')
  })

  it('the same version', async () => {
    publish({ version: '1.0.0' })
    expect(await updaterOf().check()).toEqual({ kind: 'idle', newest: true })
  })

  it('a manifest that was good 31 days ago', async () => {
    publish()
    clock.advance(31 * day)
    expect(await updaterOf().check()).toMatchObject({ error: { code: 'E_UPDATE_EXPIRED' } })
  })

  it('a manifest of the beta channel', async () => {
    publish({ channel: 'beta', version: '1.1.0-beta.1' })
    expect(await updaterOf().check()).toMatchObject({ error: { code: 'E_UPDATE_WRONG_TARGET' } })
  })

  it('an old manifest that is served again in place of one that was seen', async () => {
    publish({ version: '1.0.0' })
    const [updater] = [updaterOf()]
    clock.advance(day)
    publish({ version: '1.0.0' })
    await updater.check()
    clock.advance(-day)
    publish({ version: '1.1.0' })
    clock.advance(day)
    expect(await updaterOf().check()).toMatchObject({ error: { code: 'E_UPDATE_STALE' } })
  })
})

describe('keys', () => {
  it('are replaced by a list that one of them has signed, also when the other one is lost', async () => {
    const [lost, kept, next] = [testKey(), testKey(), testKey()]
    const known = { keys: [lost.publicKey, kept.publicKey], serial: 0 }
    feed.json('/keys.json', [keyList(1, [kept, next], [kept])])
    publish({}, [next])
    expect((await updaterOf({ feed: { address, known } }).check()).kind).toBe('ready')
  })

  it('that a list left out no longer count, even while the feed hides that list', async () => {
    const next = testKey()
    feed.json('/keys.json', [keyList(1, [next], [key])])
    publish({ version: '1.0.0' }, [next])
    expect((await updaterOf().check()).kind).toBe('idle')
    feed.json('/keys.json', [])
    publish({}, [key])
    expect(await updaterOf().check()).toMatchObject({ error: { code: 'E_UPDATE_UNTRUSTED' } })
  })

  it('of a list that a stranger signed never count', async () => {
    const stranger = testKey()
    feed.json('/keys.json', [keyList(1, [stranger], [stranger])])
    publish({}, [stranger])
    expect(await updaterOf().check()).toMatchObject({ error: { code: 'E_UPDATE_UNTRUSTED' } })
  })

  it('of a newer built-in list count, whatever list a thief of an older one has signed', async () => {
    const [thief, next] = [testKey(), testKey()]
    feed.json(
      '/keys.json',
      [1, 2, 3].map((serial) => keyList(serial, [thief], [key, thief])),
    )
    publish({ version: '1.0.0' }, [thief])
    expect((await updaterOf().check()).kind).toBe('idle')
    const known = { keys: [next.publicKey], serial: 1 }
    publish({}, [thief])
    const installed = () => updaterOf({ feed: { address, known } })
    expect(await installed().check()).toMatchObject({ error: { code: 'E_UPDATE_UNTRUSTED' } })
    publish({}, [next])
    expect((await installed().check()).kind).toBe('ready')
  })
})

describe('by itself it looks', () => {
  it('a minute after the start, and a day and up to two hours later', async () => {
    publish({ version: '1.0.0' })
    const { updater, settled } = updaterOf()
    updater.start()
    expect(clock.delays).toEqual([60_000])
    clock.advance(60_000)
    await settled()
    expect(clock.delays).toEqual([day + 60 * 60 * 1000])
  })

  it('not once more when another start follows within the day', async () => {
    publish({ version: '1.0.0' })
    await updaterOf().check()
    clock.advance(day / 2)
    const { updater } = updaterOf()
    for (const other of updaters) other.close()
    updater.start()
    expect(clock.delays).toEqual([60_000 + day / 2 + 60 * 60 * 1000])
  })

  it('soon for a version that is known of, whoever found it', async () => {
    await new UpdateNotes({ directory: folder }).change({ found: '1.1.0', checkedMs: clock.now() })
    updaterOf().updater.start()
    expect(clock.delays).toEqual([60_000])
  })

  it('not while that is switched off', () => {
    publish()
    const { updater } = updaterOf({ choice: () => ({ automatic: false, channel: 'stable' }) })
    updater.start()
    clock.advance(3 * day)
    // The next look is due at its time, and no request is on its way.
    expect(clock.delays).toHaveLength(1)
    expect(feed.asked).toEqual([])
  })

  it('not when it was switched off while a transfer held the look up', () => {
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
    feed.on('/keys.json', () => undefined)
    const { updater, phases } = updaterOf()
    updater.check()
    await feed.wasAsked('/keys.json')
    updater.close()
    while (clock.delays.length > 0) await new Promise((resolve) => setImmediate(resolve))
    expect(phases.map(({ kind }) => kind)).toEqual(['checking'])
    expect(feed.asked).toEqual(['/keys.json'])
  })

  it('past versions that it is not the turn of this installation for, and which a person gets', async () => {
    publish({ staged: 0 })
    const { updater, settled, check } = updaterOf()
    updater.start()
    clock.advance(60_000)
    expect(await settled()).toEqual({ kind: 'idle', newest: false })
    expect((await check()).kind).not.toBe('failed')
    await settled()
    expect(updater.ready?.manifest.version).toBe('1.1.0')
  })

  it('past a version that a person went back from', async () => {
    publish()
    await new UpdateNotes({ directory: folder }).change({ skipped: '1.1.0' })
    const { updater, settled } = updaterOf()
    updater.start()
    clock.advance(60_000)
    expect(await settled()).toEqual({ kind: 'idle', newest: false })
  })

  it('again within the hour when a download broke off', async () => {
    publish()
    feed.on('/stable/Thruflux-1.1.0.AppImage', (_, response) => {
      response.writeHead(200, { 'content-length': content.length })
      response.write(content.subarray(0, 1000), () => response.destroy())
    })
    const { check } = updaterOf()
    expect(await check()).toMatchObject({ error: { code: 'E_UPDATE_INTERRUPTED' } })
    expect(clock.delays).toEqual([60 * 60 * 1000])
  })
})

describe('UPD-10: while a transfer runs', () => {
  it('nothing is asked, and the check follows when it is over', async () => {
    publish()
    const { updater, settled } = updaterOf()
    updater.setBusy(true)
    updater.check()
    expect(feed.asked).toEqual([])
    updater.setBusy(false)
    expect((await settled()).kind).toBe('ready')
  })

  it('many short ones make it ask twice a minute at most', async () => {
    feed.on('/keys.json', () => undefined)
    const { updater, phases, settled } = updaterOf()
    updater.check()
    for (let count = 0; count < 50; count += 1) {
      updater.setBusy(true)
      await settled()
      updater.setBusy(false)
      clock.advance(100)
    }
    expect(phases.filter(({ kind }) => kind === 'checking')).toHaveLength(2)
    feed.on('/keys.json', (_, response) => response.writeHead(404).end())
    publish()
    clock.advance(30_000)
    while (updater.ready === null) await new Promise((resolve) => setImmediate(resolve))
    // A person asked for it, and still does.
    expect(updater.ready.isAsked).toBe(true)
  })

  it('a download waits, and is resumed when it is over', async () => {
    publish()
    const file = '/stable/Thruflux-1.1.0.AppImage'
    feed.on(file, (_, response) => {
      response.writeHead(200, { 'content-length': content.length })
      response.write(content.subarray(0, 100_000))
    })
    const { updater, settled, phases } = updaterOf()
    updater.check()
    await feed.wasAsked(file)
    const part = join(folder, 'packages')
    const manifest = manifestOf(content, clock.now())
    const name = join(part, `package-${manifest.sha512.slice(0, 16)}.part`)
    while ((statSync(name, { throwIfNoEntry: false })?.size ?? 0) < 100_000) {
      await new Promise((resolve) => setImmediate(resolve))
    }
    updater.setBusy(true)
    expect(await settled()).toEqual({ kind: 'waiting', version: '1.1.0' })
    feed.bytes(file, content)
    updater.setBusy(false)
    phases.length = 0
    expect((await settled()).kind).toBe('ready')
    expect(feed.asked.at(-1)).toBe(`${file} bytes=100000-`)
  })
})

describe('another program of this account that looks at the same time', () => {
  const known = () => ({ keys: [key.publicKey], serial: 0 })
  /** Notes that somebody else changes right before the first change of their own. */
  const notesWith = async (patch: Partial<UpdateNote>): Promise<UpdateNotes> => {
    const notes = new UpdateNotes({ directory: folder })
    await notes.lot()
    const change = notes.change.bind(notes)
    vi.spyOn(notes, 'change').mockImplementationOnce(async (own) => {
      await new UpdateNotes({ directory: folder }).change(patch)
      await change(own)
    })
    return notes
  }

  it('has seen a newer manifest, and that counts', async () => {
    publish()
    const stable = time(clock.now() + 1000)
    const notes = await notesWith({ published: { stable, beta: '' }, found: '1.2.0' })
    expect(await updaterOf({ notes }).check()).toMatchObject({ error: { code: 'E_UPDATE_STALE' } })
    expect(notes.read()).toMatchObject({ published: { stable }, found: '1.2.0' })
  })

  it('has followed the lists of keys further, and that stays', async () => {
    const [next, last] = [testKey(), testKey()]
    feed.json('/keys.json', [keyList(1, [next], [key])])
    publish({}, [next])
    const keys = { serial: 2, keys: [last.publicKey], from: 0 }
    const notes = await notesWith({ keys })
    await updaterOf({ notes, feed: { address, known: known() } }).check()
    expect(notes.read().keys).toEqual(keys)
  })
})

it('asks for the manifest of the channel that is chosen', async () => {
  const manifest = manifestOf(content, clock.now(), { channel: 'beta', version: '1.1.0-beta.2' })
  feed.json('/beta/linux-x64-appimage.json', envelope('manifest', manifest, [key]))
  feed.bytes('/beta/Thruflux-1.1.0.AppImage', content)
  const choice = () => ({ automatic: true, channel: 'beta' as Channel })
  expect((await updaterOf({ choice }).check()).kind).toBe('ready')
})

it('tells the server nothing but what it wants', async () => {
  let headers: object = {}
  feed.on(path, (request, response) => {
    headers = request.headers
    response.writeHead(404).end()
  })
  await updaterOf().check()
  expect(Object.keys(headers).sort()).toEqual(['accept-encoding', 'connection', 'host'])
})

it('a note that makes no sense is none, and its file is set aside', async () => {
  writeFileSync(join(folder, 'updates.json'), '{"version":1,"lot":7}')
  publish()
  expect((await updaterOf().check()).kind).toBe('ready')
})

it('a note that a later version wrote more into keeps what this one knows of', async () => {
  const notes = new UpdateNotes({ directory: folder })
  await notes.change({ skipped: '1.1.0' })
  const file = join(folder, 'updates.json')
  const content = JSON.parse(readFileSync(file, 'utf8')) as object
  writeFileSync(file, JSON.stringify({ ...content, later: true }))
  await notes.change({ found: '1.1.0' })
  expect(notes.read()).toMatchObject({ skipped: '1.1.0', found: '1.1.0' })
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ later: true })
})
