import { beforeEach, describe, expect, it } from 'vitest'
import { Reconnection } from '#client/session/receive/reconnection'
import { ManualClock } from '#client/testing/manual-clock'
import { appError } from '#shared/errors'

const gone = appError('E_PEER_GONE')
const noServer = appError('E_SERVER_UNREACHABLE')

let clock: ManualClock
let search: Reconnection
let attempts: number
beforeEach(() => {
  clock = new ManualClock()
  search = new Reconnection(clock, () => 0.5)
  attempts = 0
})

const lose = (error = gone) => search.next(error, () => (attempts += 1))

describe('the ten minutes of a search', () => {
  it('are over when nothing changes', () => {
    lose()
    clock.advance(300_000)
    lose(noServer)
    clock.advance(299_001)
    expect(lose(noServer)).toBe('too-late')
  })

  it('start over after a wake-up, because the network may not be there yet', () => {
    lose()
    clock.advance(300_000)
    search.hurry()
    clock.advance(310_000)
    expect(lose(noServer)).toEqual({ attempt: 2 })
  })

  it('start over after an unreported sleep in a pause', () => {
    lose()
    clock.sleep(3_600_000)
    expect(attempts).toBe(1)
    expect(lose(noServer)).toEqual({ attempt: 2 })
  })

  it('start over after an unreported sleep in an attempt', () => {
    lose()
    clock.advance(1000)
    clock.sleep(3_600_000)
    expect(lose(noServer)).toEqual({ attempt: 2 })
  })

  it('start over when the clock was set back, which would extend them', () => {
    lose()
    clock.advance(1000)
    clock.setBack(7_200_000)
    lose(noServer)
    clock.advance(300_000)
    lose(noServer)
    clock.advance(300_001)
    expect(lose(noServer)).toBe('too-late')
  })

  it('have no longer pauses because the clock was set back during an attempt', () => {
    lose()
    clock.advance(1000)
    clock.setBack(7_200_000)
    clock.advance(45_000)
    lose()
    expect(clock.delays).toEqual([1500])
  })

  it('have shorter pauses after an attempt that waited for the sender', () => {
    lose()
    for (let attempt = 0; attempt < 12; attempt += 1) {
      clock.advance(clock.delays.at(-1) ?? 0)
      lose()
    }
    clock.advance(clock.delays.at(-1) ?? 0)
    clock.advance(45_000)
    lose()
    expect(clock.delays).toEqual([1000])
  })

  it('start over after a return, but the pauses grow until data arrives', () => {
    lose()
    clock.advance(1000)
    search.returned()
    clock.advance(600_000)
    expect(lose()).toEqual({ attempt: 1 })
    expect(clock.delays).toEqual([1500])
    clock.advance(1500)
    search.succeeded()
    lose()
    expect(clock.delays).toEqual([1000])
  })
})
