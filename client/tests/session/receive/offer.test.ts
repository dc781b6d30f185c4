import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { EngineEvent } from '#client/engine'
import { PendingAnswers } from '#client/session/pending-answers'
import { SettingsInMemory } from '#client/settings/settings-store'
import { noConflicts } from '#client/testing/fake-engine'
import { ManualClock } from '#client/testing/manual-clock'
import { describeError } from '#shared/describe-error'
import { appError } from '#shared/errors'
import { defaultReceiveOptions, selectAll } from '#shared/settings/receive-options'
import { defaultSettings, type Settings } from '#shared/settings/settings'
import { directRoute, folderWithFile, rigWithServer } from '../../rig'
import { joinShare, openShare } from '../../transfers'

const folder = folderWithFile()
const rig = rigWithServer()

async function offered(receiving: Partial<Settings['receiving']> = {}) {
  const { code } = await openShare(rig.station())
  const settings = new SettingsInMemory({
    ...defaultSettings,
    receiving: { ...defaultSettings.receiving, ...receiving },
  })
  const receiver = rig.station({ settings })
  const { client, engine } = receiver
  const { receive, line } = await joinShare(receiver, code)
  const { session, peer } = line
  const questions = client.receives.get(receive)?.questions
  const early = await questions?.list({ path: '', query: '', offset: 0, limit: 10 })
  engine.emit(
    { type: 'connected', session, peer, route: directRoute },
    { type: 'greeted', session, peer, name: 'Mina', id: 'f'.repeat(32), browser: false },
    {
      type: 'offer',
      session,
      peer,
      items: [],
      files: 2,
      folders: 1,
      bytes: 10,
      dotNames: false,
      leftOut: [],
    },
  )
  return { client, engine, receive, session, peer, early }
}

const entries = [{ name: 'a', kind: 'file', files: 1, bytes: 5, mtimeMs: 7 }] as const

const preflight = (session: number, directory: string, freeBytes: number): EngineEvent => ({
  ...{ type: 'preflight', session, directory, error: null, conflicts: noConflicts },
  ...{
    updatedFiles: 0,
    updatedBytes: 0,
    conflictPaths: [],
    wantedFiles: 2,
    wantedBytes: 10,
    resumedBytes: 0,
    neededBytes: 10,
    freeBytes,
  },
  ...{ mappedCount: 0, mappedNames: [], tooLarge: [] },
})

describe('an offer', () => {
  it('stays when the connection changes its route', async () => {
    const { client, engine, session, peer } = await offered()
    const route = { ...directRoute, kind: 'relay', relay: 'relay:3478' } as const
    engine.emit({ type: 'route-changed', session, peer, route })
    expect(client.snapshot().state.receives[0]).toMatchObject({ phase: 'offered', route })
  })

  it('is listed folder by folder, once it is there', async () => {
    const { client, engine, receive, session, early } = await offered()
    expect(early).toMatchObject({ error: { code: 'E_BAD_ARGUMENT' } })
    const questions = client.receives.get(receive)?.questions
    const renames = [{ item: 'a', name: 'b' }]
    const found = questions?.list({ path: '', query: 'x', renames, offset: 0, limit: 10 })
    const [top, inner] = [
      questions?.list({ path: '', query: '', offset: 0, limit: 10 }),
      questions?.list({ path: 'x', query: '', offset: 5, limit: 1 }),
    ]
    expect(engine.all('list-offer')).toEqual([
      { type: 'list-offer', session, path: '', query: 'x', renames, offset: 0, limit: 10 },
      { type: 'list-offer', session, path: '', query: '', offset: 0, limit: 10 },
      { type: 'list-offer', session, path: 'x', query: '', offset: 5, limit: 1 },
    ])
    const listed = { type: 'listing', session, query: '' } as const
    engine.emit({ ...listed, path: 'x', offset: 5, total: 6, entries })
    engine.emit({ ...listed, path: '', offset: 0, total: 1, entries: [] })
    engine.emit({ ...listed, path: '', query: 'x', offset: 0, total: 7, entries: [] })
    expect(await found).toMatchObject({ value: { total: 7 } })
    expect(await inner).toEqual({ ok: true, value: { path: 'x', offset: 5, total: 6, entries } })
    expect(await top).toMatchObject({ value: { path: '', total: 1 } })
  })

  it('is checked against a folder without being accepted', async () => {
    const { client, engine, receive, session } = await offered()
    const [one, other] = [folder, join(folder, 'b')].map((directory) =>
      client.receives.get(receive)?.preflight({ directory }),
    )
    const options = defaultReceiveOptions
    expect(engine.all('preflight')[0]).toEqual({
      ...{ type: 'preflight', session, directory: folder, options, selection: selectAll },
    })
    const error = { code: 'E_TARGET_NOT_WRITABLE', detail: 'EACCES' }
    const refused = { ...preflight(session, join(folder, 'b'), 0), error } as EngineEvent
    engine.emit(refused, preflight(session, folder, 7))
    expect(await one).toMatchObject({ value: { neededBytes: 10, freeBytes: 7, error: null } })
    expect(await other).toMatchObject({
      value: { error: { code: 'E_TARGET_NOT_WRITABLE', subject: join(folder, 'b') } },
    })
    expect(client.snapshot().state.receives[0]?.phase).toBe('offered')
  })

  it('is refused for a name without blaming the folder', async () => {
    const { client, engine, receive, session } = await offered()
    const found = client.receives.get(receive)?.preflight({ directory: folder })
    const error = { code: 'E_NAME_NOT_ALLOWED', detail: 'reserved name on Windows: con: a' }
    engine.emit({ ...preflight(session, folder, 0), error } as EngineEvent)
    const result = await found
    const refused = result?.ok === true ? result.value.error : null
    expect(refused).toEqual(appError('E_NAME_NOT_ALLOWED', error.detail, 'con: a'))
    expect(refused && describeError(refused).what).toContain('con: a')
  })

  it('leaves no question open when it ends', async () => {
    const { client, engine, receive, session, peer } = await offered()
    const questions = [
      client.receives.get(receive)?.questions.list({ path: '', query: '', offset: 0, limit: 1 }),
      client.receives.get(receive)?.preflight({ directory: '/' }),
    ]
    engine.emit({ type: 'failed', session, peer, error: { code: 'E_STOPPED', detail: '' } })
    for (const question of questions) {
      expect(await question).toMatchObject({ error: { code: 'E_STOPPED' } })
    }
    expect(client.receives.size).toBe(0)
  })

  it('brings its texts into the state', async () => {
    const { client, engine, session, peer } = await offered()
    engine.emit({ type: 'text', session, peer, name: 'Note', text: 'hello' })
    expect(client.snapshot().state.receives[0]?.texts).toEqual([{ name: 'Note', text: 'hello' }])
  })
})

describe('prefetching', () => {
  it('is asked for when a receive begins', async () => {
    const { engine, session } = await offered()
    expect(engine.all('open-receive')).toMatchObject([{ session, prefetch: true }])
  })

  it('is off if the setting is', async () => {
    const { engine } = await offered({ prefetch: false })
    expect(engine.all('open-receive')).toMatchObject([{ prefetch: false }])
  })
})

describe('pending answers', () => {
  it('answer the oldest question with the same key first', async () => {
    const pending = new PendingAnswers<number>(new ManualClock())
    const all = ['a', 'b', 'a'].map((key) => pending.ask(key, () => null))
    for (const [index, key] of ['a', 'a', 'b', 'c'].entries()) pending.answer(key, index)
    expect(await Promise.all(all)).toEqual([0, 2, 1].map((value) => ({ ok: true, value })))
  })

  it('are bounded, and refusals are reported', async () => {
    const pending = new PendingAnswers<number>(new ManualClock())
    const busy = appError('E_ENGINE_BUSY')
    expect(await pending.ask('a', () => busy)).toEqual({ ok: false, error: busy })
    const many = Array.from({ length: 100 }, () => pending.ask('a', () => null))
    expect(await pending.ask('a', () => null)).toMatchObject({ error: { code: 'E_ENGINE_BUSY' } })
    pending.fail(busy)
    for (const answer of await Promise.all(many)) expect(answer.ok).toBe(false)
  })

  it('are given up after half a minute, but count until the engine has answered', async () => {
    const clock = new ManualClock()
    const pending = new PendingAnswers<number>(clock)
    const many = Array.from({ length: 100 }, () => pending.ask('/mnt/photos', () => null))
    clock.advance(30_000)
    for (const answer of await Promise.all(many)) {
      expect(answer).toMatchObject({ error: { code: 'E_ENGINE_BUSY', subject: '/mnt/photos' } })
    }
    const refused = await pending.ask('/mnt/photos', () => null)
    expect(refused).toMatchObject({ error: { code: 'E_ENGINE_BUSY' } })
    pending.answer('/mnt/photos', 1)
    const next = pending.ask('/mnt/music', () => null)
    pending.answer('/mnt/music', 2)
    expect(await next).toEqual({ ok: true, value: 2 })
  })
})
