import { describe, expect, it } from 'vitest'
import { routerTypes } from '../lab/nat.mjs'
import { natOf, pairsTable, readPairs } from '../lab/pairs.mjs'

describe('pairs of gates', () => {
  it('are named one by one, or all at once', () => {
    expect(readPairs('full-cone,symmetric open,no-udp')).toEqual([
      ['full-cone', 'symmetric'],
      ['open', 'no-udp'],
    ])
    expect(readPairs('all')).toHaveLength(routerTypes.length ** 2)
    expect(readPairs(undefined)).toEqual([])
  })

  it.each(['full-cone', 'full-cone,none', 'open,open,open', ''])('are refused: "%s"', (text) => {
    expect(() => void readPairs(text)).toThrow('--nat takes all, or two of open, full-cone')
  })

  it('put routers only at sides that have one', () => {
    expect(natOf(['open', 'symmetric'])).toEqual({ receiver: 'symmetric' })
    expect(natOf(['no-udp', 'open'])).toEqual({ sender: 'no-udp' })
  })
})

describe('their table', () => {
  const run = (path: number, kind: string, transport = 'udp') => ({
    ms: { server: 200, path, 'first-byte': 100 },
    route: { kind, transport },
  })
  const lines = (result: object) => pairsTable([result]).split('\n').at(-1)

  it('says what the route was, and how long it took until the first byte', () => {
    const runs = [run(300, 'direct'), run(100, 'direct'), run(200, 'direct')]
    expect(lines({ pair: ['full-cone', 'symmetric'], runs, failed: 0 })).toMatch(
      /\| full-cone \| symmetric +\| direct +\| direct +\| 200 +\| 500 +\| 600 +\| 3 +\|/,
    )
  })

  it('says what was mixed, and what failed', () => {
    const runs = [run(1, 'relay', 'tcp'), run(1, 'direct')]
    const line = lines({ pair: ['symmetric', 'symmetric'], runs, failed: 1 })
    expect(line).toContain('| relay ')
    expect(line).toContain('| direct 1, relay (tcp) 1 |')
    expect(line).toContain('| 2, 1 failed |')
  })

  it('has a line for a pair that never connected', () => {
    const line = lines({ pair: ['no-udp', 'open'], runs: [], failed: 2 })
    expect(line).toContain('| 0, 2 failed |')
  })
})
