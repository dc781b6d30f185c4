import { describe, expect, it } from 'vitest'
import type { NewShare } from '#client/session/requests'
import { pairingDone } from '#client/testing/fake-engine'
import type { PeerId } from '#shared/state/app-state'
import { accepted, fail, greeted, type Line, scanned } from '../../engine-events'
import { rigWithServer, type Station } from '../../rig'
import { openShare, receiveOf, shareOf } from '../../transfers'

const rig = rigWithServer()

/** A share whose sender approves each receiver. */
const share = (options: Partial<NewShare> = {}) =>
  openShare(rig.station(), { approve: true, ...options })

/** Receiver number `count` joins with the code, and asks for approval. */
async function ask(sender: Station, code: string, count = 1): Promise<Line> {
  rig.station().client.join(code)
  const line = await sender.engine.nth('add-peer', count)
  sender.engine.emit(
    pairingDone(line.session, line.peer, false),
    ...greeted(line, 'Jonas', `${count}`.repeat(32)),
    { type: 'approval-requested', session: line.session, peer: line.peer },
  )
  return line
}

describe('a share whose person approves each receiver', () => {
  it('tells the engine, and shows waiting receivers', async () => {
    const { sender, code } = await share()
    expect(sender.engine.all('open-share')).toMatchObject([{ approval: true }])
    expect(shareOf(sender)?.approve).toBe(true)
    await ask(sender, code)
    expect(shareOf(sender)?.receivers).toMatchObject([
      { phase: 'approving', name: 'Jonas', safety: '482913' },
    ])
  })

  it.each([true, false])('passes an answer on only after the question: %s', async (approved) => {
    const { sender, share: id, session, code } = await share()
    const early = sender.client.shares.get(id)?.answer('p' as PeerId, approved)
    expect(early).toMatchObject({ ok: false, error: { code: 'E_BAD_ARGUMENT' } })
    const { peer } = await ask(sender, code)
    expect(sender.client.shares.get(id)?.answer(peer as PeerId, approved).ok).toBe(true)
    expect(sender.engine.all('approve-peer')).toEqual([
      { type: 'approve-peer', session, peer, approved },
    ])
  })

  it('continues with an admitted receiver', async () => {
    const { sender, share: id, session, code } = await share()
    const line = await ask(sender, code)
    sender.engine.emit({ type: 'approved', session, peer: line.peer })
    expect(shareOf(sender)?.receivers).toMatchObject([{ phase: 'deciding' }])
    sender.engine.emit(accepted(line))
    expect(shareOf(sender)?.receivers).toMatchObject([{ phase: 'receiving' }])
    expect(sender.client.shares.get(id)?.answer(line.peer as PeerId, false).ok).toBe(false)
  })

  it('shows a refused receiver as refused', async () => {
    const { sender, code } = await share()
    fail(sender, await ask(sender, code), 'E_REFUSED')
    expect(shareOf(sender)?.receivers).toMatchObject([
      { phase: 'failed', error: { code: 'E_REFUSED' } },
    ])
  })

  it('ends a code for one receiver with the first that is admitted, not the first that asks', async () => {
    const { sender, session, code } = await share({ oneReceiver: true })
    await ask(sender, code)
    const second = await ask(sender, code, 2)
    expect(shareOf(sender)?.codeEnd).toBeNull()
    sender.engine.emit({ type: 'approved', session, peer: second.peer })
    expect(shareOf(sender)?.codeEnd).toBe('one-receiver')
    expect(sender.engine.all('set-max-receivers')).toMatchObject([{ session, count: 0 }])
  })

  it('can start or stop requiring approval while it runs', async () => {
    const { sender, share: id, session } = await share({ approve: false })
    expect(sender.client.shares.get(id)?.changeCode({ approve: true }).ok).toBe(true)
    expect(shareOf(sender)?.approve).toBe(true)
    expect(sender.client.shares.get(id)?.changeCode({ approve: false }).ok).toBe(true)
    expect(shareOf(sender)?.approve).toBe(false)
    expect(sender.engine.all('set-approval')).toEqual([
      { type: 'set-approval', session, wanted: true },
      { type: 'set-approval', session, wanted: false },
    ])
    expect(sender.engine.all('set-max-receivers')).toEqual([])
  })
})

it('a receive waits for approval by the sender', async () => {
  const { code } = await share()
  const receiver = rig.station()
  receiver.client.join(code)
  const line = await receiver.engine.nth('open-receive')
  const phase = () => receiveOf(receiver)?.phase
  receiver.engine.emit(pairingDone(line.session, line.peer), ...greeted(line), {
    ...{ type: 'approval-requested', session: line.session, peer: line.peer },
  })
  expect(phase()).toBe('approving')
  receiver.engine.emit(scanned(line.session, { complete: false }))
  expect(phase()).toBe('listing')
})
