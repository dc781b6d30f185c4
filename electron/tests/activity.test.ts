import { describe, expect, it } from 'vitest'
import type { ReceiveId, ShareId } from '#shared/state/app-state'
import { activityOf, isLive, pausable } from '../main/desktop/activity'
import { taskbarView } from '../main/desktop/taskbar'
import { progress, receive, receiver, share, stateWith } from './states'

const nowMs = 10_000

describe('activityOf', () => {
  it('counts each running receiver and receive, with their speeds', () => {
    const state = stateWith({
      shares: [
        share({
          receivers: [
            receiver({ progress: progress(1000, 10) }),
            receiver({ phase: 'finishing', progress: progress(1000, 20) }),
            receiver({ phase: 'done', progress: progress(1000, 40) }),
          ],
        }),
      ],
      receives: [receive({ progress: progress(2000, 5) }), receive({ phase: 'offered' })],
    })
    const activity = activityOf(state, nowMs)
    expect(activity).toMatchObject({ moving: 3, still: 0, bytes: 2000, totalBytes: 4000 })
    expect(activity.upload).toBeCloseTo(30)
    expect(activity.download).toBeCloseTo(5)
  })

  it('distinguishes paused transfers from moving ones', () => {
    const receives = [receive({ phase: 'paused' }), receive({ phase: 'disk-full' })]
    expect(activityOf(stateWith({ receives }), nowMs)).toMatchObject({
      moving: 0,
      still: 2,
      waitingForSpace: 1,
    })
  })
})

describe('taskbarView', () => {
  const of = (phase: 'receiving' | 'paused' | 'disk-full') =>
    taskbarView(
      activityOf(stateWith({ receives: [receive({ phase, progress: progress(3000) })] }), nowMs),
    )

  it('shows nothing while nothing runs', () => {
    expect(taskbarView(activityOf(stateWith({}), nowMs))).toEqual({
      progress: -1,
      mode: 'normal',
      badge: 0,
    })
  })

  it('shows whole percents, and the reason for a pause', () => {
    expect(of('receiving')).toEqual({ progress: 0.5, mode: 'normal', badge: 1 })
    expect(of('paused')).toEqual({ progress: 0.5, mode: 'paused', badge: 1 })
    expect(of('disk-full')).toEqual({ progress: 0.5, mode: 'error', badge: 1 })
  })

  it('never shows more than 100 %, even if a total has shrunk', () => {
    const shrunk = receive({ progress: { ...progress(1000), bytes: 5000 } })
    expect(taskbarView(activityOf(stateWith({ receives: [shrunk] }), nowMs)).progress).toBe(1)
  })
})

describe('pausable', () => {
  it('lists running transfers, or those that this side has paused', () => {
    const state = stateWith({
      shares: [
        share({ receivers: [receiver({})] }),
        share({ id: 's2' as ShareId, paused: true }),
        share({ id: 's3' as ShareId }),
        share({ id: 's4' as ShareId, phase: 'stopped', paused: true }),
      ],
      receives: [
        receive({}),
        receive({ id: 'r2' as ReceiveId, phase: 'paused' }),
        receive({ id: 'r3' as ReceiveId, phase: 'done' }),
      ],
    })
    expect(pausable(state, false)).toEqual({ shares: ['s1'], receives: ['r1'] })
    expect(pausable(state, true)).toEqual({ shares: ['s2'], receives: ['r2'] })
  })
})

describe('isLive', () => {
  it('is true for a waiting share and for a reconnecting receive, but not after their end', () => {
    expect(isLive(stateWith({ shares: [share({})] }))).toBe(true)
    expect(isLive(stateWith({ receives: [receive({ phase: 'reconnecting' })] }))).toBe(true)
    expect(
      isLive(
        stateWith({
          shares: [share({ phase: 'stopped' })],
          receives: [receive({ phase: 'interrupted' })],
        }),
      ),
    ).toBe(false)
  })
})
