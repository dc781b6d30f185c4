/** A receive that stays in step with a watched share. */
import { expect, it } from 'vitest'
import { defaultReceiveOptions } from '#shared/settings/receive-options'
import { oneFile } from '#shared/testing/figures'
import { accepted, fail, type Line, offerTo } from '../../engine-events'
import { folderWithFile, rigWithServer, type Station } from '../../rig'
import { joinShare, openShare, receiveOf } from '../../transfers'

const folder = folderWithFile()
const rig = rigWithServer()

const outcome = { ...oneFile, files: 2, bytes: 10, transferred: 4 }

function finishRound(receiver: Station, line: Line): void {
  const { session, peer } = line
  receiver.engine.emit({ type: 'finished', session, peer, ...outcome, inStep: true })
}

/** A receive that is in step after its first round. */
async function following() {
  const sender = rig.station({ name: 'Mina' })
  const { code } = await openShare(sender)
  const { receiver, receive, line } = await joinShare(rig.station(), code)
  offerTo(receiver, line)
  const plan = { directory: folder, options: { ...defaultReceiveOptions, follow: true } }
  expect(receiver.client.receives.get(receive)?.accept(plan).ok).toBe(true)
  expect(receiver.engine.all('accept').at(-1)).not.toHaveProperty('waitForRoom')
  receiver.engine.emit(accepted(line))
  finishRound(receiver, line)
  expect(receiveOf(receiver)).toMatchObject({ phase: 'in-step', outcome: { files: 2 } })
  return { receiver, line }
}

/** Ends the connection, and accepts again on the next one. */
async function returning(receiver: Station, line: Line, why: 'E_SHARE_CHANGED' | 'E_PEER_GONE') {
  fail(receiver, line, why)
  await receiver.clock.untilDelay(1000)
  receiver.clock.advance(1000)
  const next = await receiver.engine.nth('open-receive', 2)
  offerTo(receiver, next)
  await receiver.engine.nth('accept', 2)
  return next
}

it('returns for changes, and counts them anew', async () => {
  const { receiver, line } = await following()
  const next = await returning(receiver, line, 'E_SHARE_CHANGED')
  expect(receiveOf(receiver)).toMatchObject({ phase: 'preparing', progress: null, outcome: null })
  receiver.engine.emit(accepted(next))
  finishRound(receiver, next)
  expect(receiveOf(receiver)).toMatchObject({ phase: 'in-step', outcome: { transferred: 4 } })
})

it('waits for room in later rounds', async () => {
  const { receiver, line } = await following()
  await returning(receiver, line, 'E_SHARE_CHANGED')
  expect(receiver.engine.all('accept').at(-1)).toMatchObject({ waitForRoom: true })
})

it.each(['E_SHARE_CHANGED', 'E_PEER_GONE'] as const)(
  'fails if the round after %s does, and can be resumed',
  async (why) => {
    const { receiver, line } = await following()
    const next = await returning(receiver, line, why)
    fail(receiver, next, 'E_TARGET_GONE')
    expect(receiveOf(receiver)).toMatchObject({ phase: 'failed', error: { code: 'E_TARGET_GONE' } })
    expect(receiver.client.snapshot().state.resumableReceives).toHaveLength(1)
  },
)

it('is done when the sender ends its share', async () => {
  const { receiver, line } = await following()
  fail(receiver, line, 'E_STOPPED')
  expect(receiveOf(receiver)).toMatchObject({ phase: 'done', outcome: { files: 2 } })
  expect(receiver.client.snapshot().state.resumableReceives).toEqual([])
})

it('is not done when the sender ends its share before a change has come', async () => {
  const { receiver, line } = await following()
  fail(receiver, await returning(receiver, line, 'E_SHARE_CHANGED'), 'E_STOPPED')
  expect(receiveOf(receiver)).toMatchObject({ phase: 'failed', error: { code: 'E_STOPPED' } })
})

it('fails on an error while it waits', async () => {
  const { receiver, line } = await following()
  fail(receiver, line, 'E_PEER_PROTOCOL')
  expect(receiveOf(receiver)).toMatchObject({ phase: 'failed', error: { code: 'E_PEER_PROTOCOL' } })
})

it('looks for a lost sender all night', async () => {
  const { receiver, line } = await following()
  fail(receiver, line, 'E_PEER_GONE')
  for (let passedMs = 0, count = 2; passedMs < 60 * 60_000; passedMs += 30_000, count += 1) {
    receiver.clock.advance(30_000)
    const { session, peer } = await receiver.engine.nth('open-receive', count)
    fail(receiver, { session, peer }, 'E_PEER_GONE')
  }
  expect(receiveOf(receiver)?.phase).toBe('reconnecting')
})
