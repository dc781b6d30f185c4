import { describe, expect, it } from 'vitest'
import { describePath, linkLines, payloadLimit } from '../lab/path.mjs'

const lines = (path: object) => linkLines(path)

describe('the plan of an emulated path', () => {
  it('splits the round trip, and puts the server midway with half of the loss', () => {
    expect(lines({ rtt: 100, loss: 0.2 })).toEqual([
      'link sender receiver delay_us=50000 jitter_us=0 loss=0.002 loss_burst=1',
      'link receiver sender delay_us=50000 jitter_us=0 loss=0.002 loss_burst=1',
      'link sender server delay_us=25000 jitter_us=0 loss=0.001 loss_burst=1',
      'link server sender delay_us=25000 jitter_us=0 loss=0.001 loss_burst=1',
      'link receiver server delay_us=25000 jitter_us=0 loss=0.001 loss_burst=1',
      'link server receiver delay_us=25000 jitter_us=0 loss=0.001 loss_burst=1',
    ])
  })

  it('puts the server elsewhere', () => {
    expect(lines({ rtt: 40, serverRtt: 80 })[2]).toContain('link sender server delay_us=40000 ')
  })

  it('has a queue of 40 ms, or of a few packets if that is more', () => {
    expect(lines({ rtt: 1, rate: 300 })[0]).toContain('rate_bits=300000000 queue_bytes=1500000')
    expect(lines({ rtt: 1, rate: 1 })[0]).toContain('queue_bytes=262144')
    expect(lines({ rtt: 1, rate: 1, queue: 5000 })[0]).toContain('queue_bytes=5000')
  })

  it('holds packets back', () => {
    expect(lines({ rtt: 40, late: 2, lateBy: [5, 30] })[0]).toContain(
      'late=0.02 late_least_us=5000 late_most_us=30000',
    )
  })
})

it('leaves the headers of full packets out of the payload', () => {
  expect(payloadLimit({ rate: 300 })).toBe(294.4e6)
  expect(payloadLimit({} as never)).toBeUndefined()
})

it('says a path in words', () => {
  expect(describePath({ rtt: 100, rate: 300, loss: 0.2, burst: 20 })).toBe(
    '100 ms, 300 Mbit/s, 0.2% lost 20 at a time',
  )
  expect(describePath({ rtt: 40, late: 2, lateBy: [5, 30], serverRtt: 80 })).toBe(
    '40 ms, 2% late by 5 to 30 ms, 80 ms to the server',
  )
  expect(describePath(undefined as never)).toContain('linked directly')
})
