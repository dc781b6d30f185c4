import { describe, expect, it } from 'vitest'
import { canBeDirect, firewallRules, natKinds, natRules, routerTypes } from '../lab/nat.mjs'

const wiring = { uplink: 'e0', inside: '10.77.1.2', outside: '198.18.1.1' }

describe('the rules of a router', () => {
  it.each(natKinds)('%s translates outgoing packets', (kind) => {
    expect(natRules(kind, wiring)).toMatch(/^table ip router \{\n.*oifname "e0" (snat|masquerade)/s)
  })

  it.each(natKinds)('%s hides the addresses behind it', (kind) => {
    expect(natRules(kind, wiring)).toContain('ip daddr != 198.18.1.1 drop')
  })

  it.each(natKinds)('%s translates nothing over IPv6', (kind) => {
    const rules = firewallRules(kind, wiring)
    expect(rules).toMatch(/^table ip6 router \{\n/)
    expect(rules).not.toMatch(/nat|masquerade/)
  })

  it('lets only a full cone forward unrequested packets', () => {
    expect(natRules('full-cone', wiring)).toContain('dnat to 10.77.1.2')
    expect(firewallRules('full-cone', wiring)).not.toContain('drop')
    for (const kind of natKinds.filter((each) => each !== 'full-cone')) {
      expect(natRules(kind, wiring)).toContain('ct state new')
      expect(firewallRules(kind, wiring)).toContain('ct state new')
    }
  })

  it('filters by address alone if it is address-restricted', () => {
    expect(natRules('address-restricted', wiring)).toContain('ip saddr @asked dnat to 10.77.1.2')
    expect(firewallRules('address-restricted', wiring)).toContain('ip6 saddr != @asked drop')
  })

  it('maps ports by destination, blocks UDP, or allows one port', () => {
    expect(natRules('symmetric', wiring)).toContain('fully-random')
    expect(natRules('no-udp', wiring)).toContain('meta l4proto udp drop')
    expect(firewallRules('only-443', wiring)).toContain('tcp dport != 443 drop')
  })
})

describe('direct connections', () => {
  it('are possible in both directions or in none', () => {
    for (const one of routerTypes) {
      for (const other of routerTypes) expect(canBeDirect(one, other)).toBe(canBeDirect(other, one))
    }
  })

  it('are possible for every kind over IPv6 except only-443', () => {
    const alone = routerTypes.filter((kind) =>
      routerTypes.every((one) => !canBeDirect(kind, one, 6)),
    )
    expect(alone).toEqual(['only-443'])
    expect(canBeDirect('symmetric', 'symmetric', 6)).toBe(true)
  })

  it('without UDP need a side that accepts TCP', () => {
    const called = (family: 4 | 6) =>
      routerTypes.filter((kind) => canBeDirect('no-udp', kind, family))
    expect([called(4), called(6)]).toEqual([['open'], ['open', 'full-cone', 'address-restricted']])
  })

  it('from a symmetric NAT need a side that ignores ports', () => {
    const reached = routerTypes.filter((kind) => canBeDirect('symmetric', kind))
    expect(reached).toEqual(['open', 'full-cone', 'address-restricted'])
  })
})
