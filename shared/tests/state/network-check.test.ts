import { describe, expect, it } from 'vitest'
import { type Finding, finding, reachOf } from '#shared/state/network-check'

const lan = finding('lan', 'heard', {})
const engine = finding('engine', 'works', {})
const addresses = finding('addresses', 'four', {})
const server = finding('server', 'ready', { server: 'wss://meet.example.org', detail: '' })

describe('findings', () => {
  it("determine this computer's reach", () => {
    const reach = (...more: readonly Finding[]) => reachOf([engine, addresses, ...more])
    expect(reach(server, lan)).toBe('everywhere')
    expect(reach(server)).toBe('internet')
    expect(reach(finding('server', 'none', {}), lan)).toBe('network')
    const at = { server: 'ws://10.0.0.7:8080', detail: '' }
    expect(reach(finding('server', 'near', at), lan)).toBe('network')
    expect(reach(finding('server', 'near', at))).toBe('internet')
    expect(reach(finding('server', 'own', at), lan)).toBe('network')
    expect(reach(finding('server', 'own', at))).toBe('nowhere')
    expect(reach()).toBe('nowhere')
    expect(reachOf([engine, finding('addresses', 'none', {}), server, lan])).toBe('nowhere')
  })
})
