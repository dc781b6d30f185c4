import { describe, expect, it } from 'vitest'
import { appError } from '#shared/errors'
import type { ReceiveId, ShareId } from '#shared/state/app-state'
import { fieldReceive, openId, stackIds } from '../view/stack'
import { now, receive, share } from './states'

const r = (id: string) => id as ReceiveId
const s = (id: string) => id as ShareId

describe('stackIds', () => {
  it('is empty while there is only a pending code', () => {
    for (const phase of ['looking-up', 'connecting', 'listing', 'offered'] as const) {
      expect(stackIds({ shares: [], receives: [receive({ phase })] })).toEqual([])
    }
  })

  it('shows a pending code as a row once there is another transfer', () => {
    const state = {
      shares: [share({ startedAtMs: now - 1 })],
      receives: [receive({ phase: 'connecting' })],
    }
    expect(stackIds(state)).toEqual(['r1', 's1'])
  })

  it('has the newest first, shares and receives alike', () => {
    const state = {
      shares: [share({ id: s('s2'), startedAtMs: 3 }), share({ startedAtMs: 1 })],
      receives: [receive({ startedAtMs: 2 })],
    }
    expect(stackIds(state)).toEqual(['s2', 'r1', 's1'])
  })

  it('omits a refused code, which its field shows, and a declined offer', () => {
    const refused = receive({ phase: 'failed', from: '', error: appError('E_NO_SUCH_CODE') })
    const declined = receive({ phase: 'failed', directory: null, error: appError('E_DECLINED') })
    expect(stackIds({ shares: [share()], receives: [refused, declined] })).toEqual(['s1'])
  })

  it('keeps failed transfers, and those canceled after they had begun', () => {
    const noRoute = receive({ phase: 'failed', from: '', error: appError('E_NO_ROUTE') })
    const canceled = receive({ id: r('r2'), phase: 'failed', error: appError('E_CANCELLED') })
    expect(stackIds({ shares: [], receives: [noRoute, canceled] })).toEqual(['r1', 'r2'])
  })
})

describe('openId', () => {
  const state = {
    shares: [share({ startedAtMs: 1 })],
    receives: [receive({ id: r('r2'), phase: 'connecting' }), receive({ startedAtMs: 2 })],
  }

  it('is the newest with details', () => {
    expect(openId(state, 'newest')).toBe('r1')
  })

  it('is the chosen one while it exists', () => {
    expect(openId(state, { card: 's1' })).toBe('s1')
    expect(openId(state, { card: 'gone' })).toBe('r1')
  })

  it('is none when the person wants none', () => {
    expect(openId(state, 'none')).toBeNull()
  })

  it('is never a stopped share', () => {
    expect(
      openId({ shares: [share({ phase: 'stopped' })], receives: [] }, { card: 's1' }),
    ).toBeNull()
  })
})

describe('fieldReceive', () => {
  it('is the pending code at home', () => {
    const state = { shares: [], receives: [receive({ phase: 'offered' })] }
    expect(fieldReceive(state)?.id).toBe('r1')
  })

  it('is only the lookup once the code has a row', () => {
    const connecting = receive({ phase: 'connecting' })
    const lookingUp = receive({ id: r('r2'), phase: 'looking-up' })
    expect(fieldReceive({ shares: [share()], receives: [connecting] })).toBeNull()
    expect(fieldReceive({ shares: [share()], receives: [connecting, lookingUp] })?.id).toBe('r2')
  })
})
