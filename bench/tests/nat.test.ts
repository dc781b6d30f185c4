import { expect, it } from 'vitest'
import { natKinds, natRules } from '../lab/nat.mjs'

const addresses = { inside: '10.77.1.2', outside: '198.18.1.1' }

it.each(natKinds)('%s NATs translate what leaves', (kind) => {
  expect(natRules(kind, addresses)).toMatch(
    /^table ip translation \{\n.*oifname "e0" (snat|masquerade)/s,
  )
})

it('lets only a full cone pass on what nobody asked for', () => {
  expect(natRules('full-cone', addresses)).toContain('dnat to 10.77.1.2')
  for (const kind of natKinds.filter((each) => each !== 'full-cone'))
    expect(natRules(kind, addresses)).toContain('{ tcp, udp } drop')
})

it('gives each destination another port, or UDP none', () => {
  expect(natRules('symmetric', addresses)).toContain('fully-random')
  expect(natRules('no-udp', addresses)).toContain('meta l4proto udp drop')
})
