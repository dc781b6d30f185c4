import { describe, expect, it } from 'vitest'
import { checkInternet } from '#client/network-check/internet'
import { attributes, maskedEndpoint } from '#client/network-check/stun-message'
import type { OpenStunSocket, StunAnswer } from '#client/network-check/stun-socket'
import { ManualClock } from '#client/testing/manual-clock'

const endpoint = { netmask: '', mac: '', cidr: null, internal: false }
const four = { ...endpoint, family: 'IPv4', address: '192.168.1.7' } as const
const six = { ...endpoint, family: 'IPv6', address: '2001:db8::7', scopeid: 0 } as const

const answer: StunAnswer = {
  message: {
    kind: 'success',
    method: 1,
    transaction: Buffer.alloc(12),
    attributes: new Map<number, Buffer>([
      [attributes.mappedAddress, maskedEndpoint({ host: '198.51.100.7', port: 40_000 })],
    ]),
  },
  from: { host: '', port: 0 },
  ms: 20,
}

/** Opens sockets that receive only from these addresses. */
const hearing =
  (...hosts: readonly string[]): OpenStunSocket =>
  () =>
    Promise.resolve({
      port: 50_000,
      ask: ({ host }) => Promise.resolve(hosts.includes(host) ? answer : null),
      tell: () => undefined,
      onOther: () => undefined,
      close: () => undefined,
    })

const names: Readonly<Record<string, readonly string[]>> = {
  'both.example': ['203.0.113.1', '2001:db8:9::1'],
  'four.example': ['203.0.113.2'],
}

async function check(stun: readonly string[], open: OpenStunSocket, largest = 1452) {
  const probed: string[] = []
  const found = await checkInternet(stun, {
    clock: new ManualClock(),
    open,
    interfaces: () => ({ eth0: [four, six] }),
    lookUp: (host) =>
      Promise.resolve(
        (names[host] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      ),
    engine: () => ({
      probePath: (host) => {
        probed.push(host)
        return Promise.resolve(largest)
      },
    }),
  })
  const said = found.map(({ name, verdict }) => `${name} ${verdict}`)
  return { said, found, probed }
}

describe('a check of UDP to the internet', () => {
  it('queries each server over each family that both have', async () => {
    const { said, probed } = await check(
      ['stun:both.example', 'stun:four.example'],
      hearing('203.0.113.1', '2001:db8:9::1', '203.0.113.2'),
    )
    expect(said).toEqual([
      ...['udp out', 'stun answers', 'stun answers', 'nat easy', 'ipv6 works', 'mtu full'],
    ])
    expect(probed).toEqual(['203.0.113.1'])
  })

  it('distinguishes a server reached over one family from one that is silent or has no address', async () => {
    const { said, found } = await check(
      ['stun:both.example', 'stun:four.example', 'stun:none.example'],
      hearing('203.0.113.1'),
    )
    expect(said).toEqual([
      ...['udp out', 'stun half', 'stun silent', 'stun nameless'],
      ...['nat unknown', 'ipv6 broken', 'mtu full'],
    ])
    expect(found[1]).toMatchObject({ facts: { family: 4, server: 'stun:both.example' } })
  })

  it('reports blocked UDP if no server answers, and skips dependent checks', async () => {
    const { said } = await check(['stun:four.example'], hearing())
    expect(said).toEqual(['udp blocked', 'stun silent', 'ipv6 unknown', 'mtu unknown'])
  })

  it.each([
    [1452, 'full'],
    [1372, 'small'],
    [1200, 'small'],
    [200, 'tiny'],
    [0, 'unknown'],
  ])('judges datagrams of %i bytes: %s', async (largest, verdict) => {
    const { said } = await check(['stun:four.example'], hearing('203.0.113.2'), largest)
    expect(said.at(-1)).toBe(`mtu ${verdict}`)
  })

  it('queries nothing if no server is set or lines are invalid', async () => {
    const refusing: OpenStunSocket = () => Promise.reject(new Error('asked'))
    expect((await check([], refusing)).said).toEqual(['udp unknown', 'mtu unknown'])
    expect((await check(['stun:'], refusing)).said).toEqual([])
  })
})
