import { describe, expect, it } from 'vitest'
import { adviceFor, masked, reportOf } from '#shared/describe-finding'
import { finding } from '#shared/state/network-check'

const lan = finding('lan', 'heard', {})
const engine = finding('engine', 'works', {})

describe('findings', () => {
  it('are one sentence and one remedy each', () => {
    expect(adviceFor(finding('clock', 'off', { seconds: -90 }))).toEqual({
      what: "This computer's clock is 1 min 30 s behind the server's.",
      remedy: "Turn on automatic time in the system's settings.",
    })
    expect(adviceFor(finding('nat', 'hard', { mapping: 'port', filtering: 'port' })).remedy).toBe(
      'Turn on PCP or UPnP in the router, use IPv6, or add a relay.',
    )
  })

  it('become a report in order, with shortened addresses unless full ones are requested', () => {
    const detail = 'connect ECONNREFUSED 203.0.113.7:443'
    const url = 'ws://[2001:db8:1::7]:8080'
    const refused = finding('server', 'unreachable', { server: url, detail })
    const report = reportOf([lan, refused, engine], 'Thruflux 1.0')
    expect(report.split('\n').map((line) => line.split(':')[0])).toEqual([
      ...['Thruflux 1.0', 'ok      engine', 'failed  server', 'ok      lan', ''],
    ])
    expect(report).toContain('203.0.x.x')
    expect(report).toContain('[2001:db8:x]:8080')
    expect(report).not.toMatch(/113\.7|db8:1/)
  })
})

describe('a masked text', () => {
  it.each([
    ['198.51.100.7:3478', '198.51.x.x:3478'],
    ['from fe80::1234:5678%eth0', 'from fe80::x'],
    ['at 18:03:20 with 1.24.0', 'at 18:03:20 with 1.24.0'],
    ['/home/mina/.config/thruflux', '~/.config/thruflux'],
    [String.raw`C:\Users\Mina\x`, String.raw`~\x`],
    ['1,280 bytes, 10 ms', '1,280 bytes, 10 ms'],
    ['::1', '::1'],
  ])('%s', (said, shown) => {
    expect(masked(said)).toBe(shown)
  })
})
