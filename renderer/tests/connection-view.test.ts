import { describe, expect, it } from 'vitest'
import type { ConnectionStatistics } from '#shared/state/connection-statistics'
import { limitedWords } from '../view/connection-view'

const words = (limitedMs: ConnectionStatistics['limitedMs'], side: 'sender' | 'receiver') =>
  limitedWords({ limitedMs }, side)

describe('the bottleneck', () => {
  it('is described in plain words, the longest first', () => {
    expect(words({ disk: 90, pacing: 710, congestion: 200 }, 'sender')).toBe(
      "What limits the speed: the network (91%), this computer's disk (9%).",
    )
  })

  it('has at most three causes', () => {
    const all = { 'rate-limit': 400, 'flow-control': 300, processor: 200, socket: 100 }
    expect(words(all, 'sender')).toBe(
      'What limits the speed: a speed limit (40%), the other computer (30%), ' +
        "this computer's processor (20%).",
    )
  })

  it('is limited to what a receiver knows, and empty without measurements', () => {
    expect(words({ peer: 97, disk: 3 }, 'receiver')).toContain(
      'the other computer or the network (97%)',
    )
    expect(words({ peer: 5 }, 'sender')).toContain('waiting for the other computer')
    expect(words({}, 'sender')).toBeNull()
  })
})
