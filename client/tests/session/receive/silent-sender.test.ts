import { describe, expect, it } from 'vitest'
import type { NewPlan } from '#client/session/requests'
import { defaultReceiveOptions } from '#shared/settings/receive-options'
import { midway } from '#shared/testing/figures'
import { accepted, fail, folderOffered, greeted, type Line, met } from '../../engine-events'
import { folderWithFile, rigWithServer, type Station } from '../../rig'
import { joinShare, openShare, receiveOf } from '../../transfers'

const folder = folderWithFile()
const rig = rigWithServer()

const plan = {
  directory: folder,
  options: { ...defaultReceiveOptions, conflict: 'skip' as const },
  selection: { only: [], except: [], first: [] },
}

/** A running receive with a resume key. */
async function running(accepting: NewPlan = plan) {
  const sender = rig.station({ name: 'Mina' })
  const { share, code } = await openShare(sender)
  const { receiver, receive, line, receiveId } = await joinShare(rig.station(), code)
  receiver.engine.emit({ type: 'signal', ...line, payload: 'cGFrZTE=' })
  await sender.engine.nth('add-peer')
  receiver.engine.emit(...met(line), { type: 'resume-key', ...line, key: 'k'.repeat(43) })
  receiver.engine.emit(folderOffered(line))
  expect(receiver.client.receives.get(receive)?.accept(accepting).ok).toBe(true)
  receiver.engine.emit(accepted(line), { type: 'progress', ...line, ...midway })
  return { sender, share, receiver, receive, line, receiveId }
}

function silence({ engine }: Station, line: Line, silent: boolean): void {
  engine.emit({ type: 'silence', ...line, silent })
}

describe('an accepted receive whose sender falls silent', () => {
  it('searches for it in parallel, by its key, and continues on the new link', async () => {
    const { receiver, line, receiveId } = await running()
    silence(receiver, line, true)
    const second = await receiver.engine.nth('open-receive', 2)
    expect(second).toMatchObject({ receiveId, secret: { kind: 'resume' } })
    expect(receiveOf(receiver)?.phase).toBe('receiving')
    expect(receiver.engine.all('end-session')).toEqual([])

    receiver.engine.emit(...met(second))
    expect(receiver.engine.all('detach-session')).toEqual([
      { type: 'detach-session', session: line.session },
    ])
    expect(receiveOf(receiver)?.phase).toBe('reconnecting')
    receiver.engine.emit(folderOffered(second))
    expect(await receiver.engine.nth('accept', 2)).toMatchObject({ session: second.session })
    receiver.engine.emit(accepted(second), { type: 'progress', ...ends(second), ...midway })
    expect(receiveOf(receiver)?.phase).toBe('receiving')
    expect(receiver.engine.all('end-session')).toEqual([])
  })

  it('reports a search for another route when no data arrives over the relay', async () => {
    const { receiver, line } = await running()
    silence(receiver, line, true)
    receiver.engine.emit({ type: 'stalled', ...line, reason: 'relay' })
    expect(receiveOf(receiver)?.stall).toBe('relay')
  })

  it('reports no search when another connection could not continue it', async () => {
    const { receiver, line } = await running({ ...plan, toOutput: true })
    silence(receiver, line, true)
    receiver.engine.emit({ type: 'stalled', ...line, reason: 'relay' })
    expect(receiveOf(receiver)?.stall).toBe('network')
    expect(receiver.engine.all('open-receive')).toHaveLength(1)
  })

  it('makes the engine probe it as soon as the server reports it gone', async () => {
    const { sender, share, receiver, line } = await running()
    sender.client.shares.get(share)?.stop()
    expect(await receiver.engine.nth('probe-peer')).toEqual({
      type: 'probe-peer',
      session: line.session,
    })
    expect(receiveOf(receiver)?.phase).toBe('receiving')
    expect(receiver.engine.all('open-receive')).toHaveLength(1)
  })

  it('keeps the connection when the sender responds again', async () => {
    const { receiver, line } = await running()
    silence(receiver, line, true)
    const second = await receiver.engine.nth('open-receive', 2)
    silence(receiver, line, false)
    expect(receiver.engine.all('end-session')).toEqual([
      { type: 'end-session', session: second.session },
    ])
    receiver.engine.emit(...greeted(second))
    expect(receiver.engine.all('detach-session')).toEqual([])
    expect(receiveOf(receiver)?.phase).toBe('receiving')
  })

  it('retries after a pause while the silence lasts', async () => {
    const { receiver, line } = await running()
    silence(receiver, line, true)
    fail(receiver, await receiver.engine.nth('open-receive', 2), 'E_NO_ROUTE')
    await receiver.clock.untilDelay(1000)
    receiver.clock.advance(1000)
    const third = await receiver.engine.nth('open-receive', 3)
    expect(receiveOf(receiver)?.phase).toBe('receiving')
    fail(receiver, third, 'E_NO_ROUTE')
    silence(receiver, line, false)
    receiver.clock.advance(60_000)
    expect(receiver.engine.all('open-receive')).toHaveLength(3)
  })

  it('retries immediately when the addresses of this computer change', async () => {
    const { receiver, line } = await running()
    silence(receiver, line, true)
    fail(receiver, await receiver.engine.nth('open-receive', 2), 'E_SERVER_UNREACHABLE')
    receiver.engine.emit({ type: 'network-changed', session: 0 })
    await receiver.engine.nth('open-receive', 3)
  })

  it('begins its own attempt when the connection ends meanwhile', async () => {
    const { receiver, line } = await running()
    silence(receiver, line, true)
    const second = await receiver.engine.nth('open-receive', 2)
    fail(receiver, line, 'E_PEER_GONE')
    expect(receiveOf(receiver)).toMatchObject({ phase: 'reconnecting', attempt: 1 })
    expect(receiver.engine.all('end-session')).toContainEqual({
      ...{ type: 'end-session', session: second.session },
    })
    await receiver.clock.untilDelay(1000)
    receiver.clock.advance(1000)
    await receiver.engine.nth('open-receive', 3)
  })

  it('searches no more once it was canceled', async () => {
    const { receiver, receive, line } = await running()
    silence(receiver, line, true)
    const second = await receiver.engine.nth('open-receive', 2)
    receiver.client.receives.get(receive)?.cancel()
    expect(
      receiver.engine
        .all('end-session')
        .map(({ session }) => session)
        .sort(),
    ).toEqual([line.session, second.session].sort())
  })

  it('waits for it when its data went to an output', async () => {
    const { receiver, line } = await running({ ...plan, toOutput: true })
    silence(receiver, line, true)
    receiver.clock.advance(5000)
    expect(receiver.engine.all('open-receive')).toHaveLength(1)
  })

  it('waits for it when its data is a stream', async () => {
    const { receiver, line } = await running()
    receiver.engine.emit(
      {
        ...{ type: 'offer', ...line },
        items: [{ id: 0, name: 'data', kind: 'stream', files: 1, bytes: 0 }],
        ...{ files: 1, folders: 0, bytes: 0, dotNames: false, leftOut: [] },
      },
      { type: 'progress', ...line, ...midway },
    )
    silence(receiver, line, true)
    receiver.clock.advance(5000)
    expect(receiver.engine.all('open-receive')).toHaveLength(1)
  })
})

const ends = ({ session, peer }: Line): Line => ({ session, peer })
