import { expect, it, vi } from 'vitest'
import type { Client } from '#client/client'
import { ManualClock } from '#client/testing/manual-clock'
import { appError } from '#shared/errors'
import { err, ok } from '#shared/result'
import type { ReceiveId, ShareId } from '#shared/state/app-state'
import { type Act, actOf, Deferred, undoMs } from '../main/deferred'

const act = (run = vi.fn<Act['run']>(() => Promise.resolve(ok(null)))) => ({
  pause: vi.fn(),
  run,
})

it('runs the act after its delay, and not before', async () => {
  const clock = new ManualClock()
  const stop = act()
  const reply = new Deferred(clock).defer(stop)
  clock.advance(undoMs - 1)
  expect(stop.run).not.toHaveBeenCalled()
  clock.advance(1)
  expect(await reply).toEqual(ok(true))
  expect(stop.pause.mock.calls).toEqual([[true]])
})

it('changes nothing when it is undone', async () => {
  const clock = new ManualClock()
  const deferred = new Deferred(clock)
  const stop = act()
  const reply = deferred.defer(stop)
  deferred.undo()
  expect(await reply).toEqual(ok(false))
  clock.advance(undoMs)
  deferred.undo()
  await deferred.flush()
  expect(stop.pause.mock.calls).toEqual([[true], [false]])
  expect(stop.run).not.toHaveBeenCalled()
})

it('runs the act immediately when another one follows, or the app ends', async () => {
  const deferred = new Deferred(new ManualClock())
  const [first, second] = [act(), act()]
  const replies = [deferred.defer(first), deferred.defer(second)]
  expect(await replies[0]).toEqual(ok(true))
  expect(second.run).not.toHaveBeenCalled()
  await deferred.flush()
  expect(await replies[1]).toEqual(ok(true))
  expect([first.run, second.run].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
})

it('reports the error of the act', async () => {
  const deferred = new Deferred(new ManualClock())
  const error = err(appError('E_DISK_IO'))
  const reply = deferred.defer(act(vi.fn(() => Promise.resolve(error))))
  await deferred.flush()
  expect(await reply).toEqual(error)
})

it('removes several ended transfers from the list', async () => {
  const dismiss = vi.fn(() => ok(null))
  const client = { dismiss } as unknown as Client
  expect(await actOf(client, { dismiss: ['s1', 'r1'] }).run()).toEqual(ok(null))
  expect(dismiss.mock.calls).toEqual([['s1'], ['r1']])
})

it('pauses a running transfer until then, and resumes it on undo', async () => {
  const share = { id: 's1' as ShareId, paused: false, receivers: [{ phase: 'receiving' }] }
  const receive = { id: 'r1' as ReceiveId, phase: 'receiving', flow: { kind: 'flowing' } }
  const still = { id: 'r2' as ReceiveId, phase: 'paused', flow: { kind: 'paused' } }
  const [pauseShare, pauseReceive, cancel] = [vi.fn(), vi.fn(), vi.fn(() => ok(null))]
  const client = {
    snapshot: () => ({ state: { shares: [share], receives: [receive, still] } }),
    shares: new Map([[share.id, { pause: pauseShare }]]),
    receives: new Map([
      [receive.id, { pause: pauseReceive }],
      [still.id, { pause: pauseReceive, cancel }],
    ]),
  } as unknown as Client
  const deferred = new Deferred(new ManualClock())
  void deferred.defer(actOf(client, { stopShare: share.id }))
  deferred.undo()
  expect(pauseShare.mock.calls).toEqual([
    [null, true],
    [null, false],
  ])
  void deferred.defer(actOf(client, { cancelReceive: receive.id }))
  deferred.undo()
  expect(pauseReceive.mock.calls).toEqual([[true], [false]])
  void deferred.defer(actOf(client, { cancelReceive: still.id }))
  await deferred.flush()
  expect(pauseReceive).toHaveBeenCalledTimes(2)
  expect(cancel).toHaveBeenCalledOnce()
})
