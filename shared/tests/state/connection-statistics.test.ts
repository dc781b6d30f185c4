import { describe, expect, it } from 'vitest'
import { bottleneckShares, latenessOf, lossOf } from '#shared/state/connection-statistics'
import { statisticsExample } from '../statistics-example'

describe('figures of a connection', () => {
  it('give the share of time of each limit, largest first, without those that round to nothing', () => {
    expect(bottleneckShares(statisticsExample)).toEqual([
      ['pacing', 71],
      ['congestion', 20],
      ['disk', 9],
    ])
    expect(bottleneckShares({ limitedMs: {} })).toEqual([])
    expect(bottleneckShares({ limitedMs: { peer: 0 } })).toEqual([])
  })

  it('give the fraction of packets that was lost', () => {
    expect(lossOf(statisticsExample)).toBe(0.005)
    expect(lossOf({ packetsLost: 0, packetsSent: 0 })).toBe(0)
  })

  it('give the fraction of lost packets that arrived after all', () => {
    expect(latenessOf(statisticsExample)).toBe(0.12)
    expect(latenessOf({ packetsLost: 0, packetsLate: 0 })).toBe(0)
    expect(latenessOf({ packetsLost: 7, packetsLate: null })).toBe(0)
  })
})
