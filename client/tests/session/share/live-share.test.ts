import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { limits } from '#shared/limits'
import type { PeerId, ShareId } from '#shared/state/app-state'
import { accepted, met } from '../../engine-events'
import { directRoute, folderWithFile, rigWithServer, type Station } from '../../rig'
import { openShare, pathItem, shareOf } from '../../transfers'

const folder = folderWithFile('video.mp4')
const file = join(folder, 'video.mp4')
const rig = rigWithServer()

const note = { kind: 'text', text: 'hello', name: 'Note' } as const
const id = 'a'.repeat(32)

async function open(options: { exclude?: string[]; links?: boolean; maxReceivers?: number } = {}) {
  return openShare(rig.station(), { items: [pathItem(file), note], ...options })
}

/** The next receiver that joins, as the engine reports it. */
async function meet(sender: Station, code: string, count: number, transfer = id) {
  rig.station().client.join(code)
  const { session, peer } = await sender.engine.nth('add-peer', count)
  const about = { session, peer }
  sender.engine.emit(...met(about, 'Jonas', transfer))
  return about
}

describe('a share', () => {
  it('offers files and texts as asked', async () => {
    const { sender } = await open({ exclude: ['*.tmp'], links: false, maxReceivers: 3 })
    expect(sender.engine.all('open-share')[0]).toMatchObject({
      ...{ items: [pathItem(file), note], exclude: ['*.tmp'], links: false, maxReceivers: 3 },
    })
    expect(shareOf(sender)).toMatchObject({ title: '2 items', maxReceivers: 3 })
  })

  it('refuses a text that is too long to read', () => {
    const { client } = rig.station()
    const text = 'ü'.repeat(limits.textBytes / 2 + 1)
    expect(client.openShare({ items: [{ ...note, text }] })).toMatchObject({
      error: { code: 'E_LIMIT_EXCEEDED' },
    })
  })

  it('accepts more items, and reports unusable ones', async () => {
    const { sender, share, session } = await open()
    const missing = pathItem(join(folder, 'missing'))
    const more = [pathItem(folder), missing]
    expect(await sender.client.addItems(share, more)).toEqual({ ok: true, value: null })
    expect(sender.engine.all('add-items')).toEqual([
      { type: 'add-items', session, items: [pathItem(folder)] },
    ])
    expect(shareOf(sender)?.problems).toMatchObject([{ error: { code: 'E_PATH_NOT_FOUND' } }])
    expect(await sender.client.addItems(share, [missing])).toMatchObject({
      error: { code: 'E_NOTHING_TO_SEND' },
    })
    sender.client.shares.get(share)?.stop()
    expect(await sender.client.addItems(share, [note])).toMatchObject({ ok: false })
  })

  it('loses an item, and takes its title from the rest', async () => {
    const { sender, share, session } = await open()
    expect(sender.client.shares.get(share)?.removeItem(2).ok).toBe(true)
    expect(sender.engine.all('remove-item')).toEqual([{ type: 'remove-item', session, item: 2 }])
    const items = [{ id: 1, name: 'video.mp4', kind: 'file', files: 1, bytes: 1 }] as const
    sender.engine.emit({
      type: 'scan-items',
      session,
      items,
      resolved: [],
      followed: 0,
      followedLinks: [],
    })
    expect(shareOf(sender)).toMatchObject({ title: 'video.mp4', items })
  })

  it('changes its number of receivers, pauses all of them and resumes', async () => {
    const { sender, share, session } = await open()
    expect(sender.client.shares.get(share)?.setMaxReceivers(0).ok).toBe(true)
    expect(sender.client.shares.get(share)?.pause(null, true).ok).toBe(true)
    expect(shareOf(sender)).toMatchObject({ maxReceivers: 0, paused: true })
    expect(sender.client.shares.get(share)?.pause(null, false).ok).toBe(true)
    expect(shareOf(sender)?.paused).toBe(false)
    expect(sender.engine.all('set-paused')).toEqual([
      { type: 'set-paused', session, peer: '', paused: true },
      { type: 'set-paused', session, peer: '', paused: false },
    ])
  })

  it('reports no change that the engine refused', async () => {
    const { sender, share } = await open()
    sender.engine.answer = () => 'E_ENGINE_BUSY'
    expect(sender.client.shares.get(share)?.setMaxReceivers(5)).toMatchObject({ ok: false })
    expect(sender.client.shares.get(share)?.pause(null, true)).toMatchObject({ ok: false })
    expect(sender.client.setLimits({ upload: 1, download: 2 })).toMatchObject({ ok: false })
    expect(shareOf(sender)).toMatchObject({ maxReceivers: 10, paused: false })
    expect(sender.client.snapshot().state.speedLimits).toEqual({ upload: 0, download: 0 })
  })

  it('refuses requests after its end', async () => {
    const { sender } = await open()
    const other = 's99' as ShareId
    const refusal = { ok: false, error: { code: 'E_BAD_ARGUMENT' } }
    expect(await sender.client.addItems(other, [note])).toMatchObject(refusal)
  })
})

describe('a receiver', () => {
  it('is paused alone, and shows the reason', async () => {
    const { sender, share, code } = await open()
    const about = await meet(sender, code, 1)
    const peer = about.peer as PeerId
    sender.engine.emit(accepted(about))
    expect(sender.client.shares.get(share)?.pause(peer, true).ok).toBe(true)
    expect(sender.engine.all('set-paused')).toEqual([
      { type: 'set-paused', ...about, paused: true },
    ])
    sender.engine.emit({ type: 'flow', ...about, state: { kind: 'peer-disk-full', need: 5 } })
    expect(shareOf(sender)?.receivers[0]).toMatchObject({
      ...{ phase: 'peer-disk-full', flow: { need: 5 } },
    })
    sender.engine.emit({ type: 'stalled', ...about, reason: 'network' })
    expect(shareOf(sender)?.receivers[0]?.stall).toBe('network')
    const paused = sender.client.shares.get(share)?.pause('nobody' as PeerId, true)
    expect(paused).toMatchObject({ ok: false })
  })

  it('that returns replaces its old connection', async () => {
    const { sender, code } = await open()
    const before = await meet(sender, code, 1)
    sender.engine.emit(accepted(before))
    await meet(sender, code, 2, 'b'.repeat(32))
    const back = await meet(sender, code, 3)
    expect(shareOf(sender)?.receivers).toMatchObject([
      { peer: back.peer, reconnections: 1, phase: 'deciding' },
      { reconnections: 0 },
    ])
    expect(sender.engine.all('disconnect-peer')).toEqual([
      { type: 'disconnect-peer', ...before, mayResume: true },
    ])
    sender.engine.emit({ type: 'failed', ...before, error: { code: 'E_PEER_GONE', detail: '' } })
    expect(shareOf(sender)?.receivers[0]?.phase).toBe('deciding')
  })

  it('that lost its connection waits for its return', async () => {
    const { sender, code } = await open()
    const before = await meet(sender, code, 1)
    sender.engine.emit(accepted(before))
    sender.engine.emit({ type: 'failed', ...before, error: { code: 'E_PEER_GONE', detail: '' } })
    expect(shareOf(sender)?.receivers).toMatchObject([{ phase: 'interrupted' }])
    const back = await meet(sender, code, 2)
    sender.engine.emit(accepted(back))
    expect(shareOf(sender)?.receivers).toMatchObject([{ phase: 'receiving', reconnections: 1 }])
  })

  it('is shown by its new route when the route changes', async () => {
    const { sender, code } = await open()
    const about = await meet(sender, code, 1)
    const route = { ...directRoute, kind: 'relay', relay: 'relay:3478' } as const
    sender.engine.emit({ type: 'route-changed', ...about, route })
    expect(shareOf(sender)?.receivers).toMatchObject([
      { name: 'Jonas', phase: 'deciding', route, reconnections: 0 },
    ])
  })
})

describe('a share that was stopped', () => {
  it('returns the usable part of its offer until it is dismissed', async () => {
    const { sender, share } = await open({ exclude: ['*.tmp'], maxReceivers: 3 })
    const { client } = sender
    expect(await client.offerOf(share)).toBeNull()
    await client.addItems(share, [pathItem(folder)])
    client.shares.get(share)?.stop()
    const options = { exclude: ['*.tmp'], maxReceivers: 3 }
    const items = [pathItem(file), note, pathItem(folder)]
    expect(await client.offerOf(share)).toMatchObject({ ...options, items })
    client.dismiss(share)
    expect(await client.offerOf(share)).toBeNull()
  })

  it('omits removed items, and returns nothing when all of them are gone', async () => {
    const { sender, share } = await open()
    sender.client.shares.get(share)?.removeItem(0)
    sender.client.shares.get(share)?.stop()
    expect(await sender.client.offerOf(share)).toMatchObject({ items: [note] })
    const lost = join(folderWithFile('lost'), 'lost')
    const other = sender.client.openShare({ items: [pathItem(lost)] })
    if (!other.ok) throw new Error(other.error.detail)
    await sender.engine.nth('open-share', 2)
    rmSync(lost)
    sender.client.shares.get(other.value)?.stop()
    expect(await sender.client.offerOf(other.value)).toBeNull()
  })
})

it('limits the speed of all transfers together', () => {
  const { client, engine } = rig.station()
  expect(client.setLimits({ upload: 1000, download: 0 }).ok).toBe(true)
  expect(engine.all('set-limits')).toEqual([{ type: 'set-limits', upload: 1000, download: 0 }])
  expect(client.snapshot().state.speedLimits).toEqual({ upload: 1000, download: 0 })
})
