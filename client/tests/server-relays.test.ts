import { describe, expect, it } from 'vitest'
import type { Lookup } from '#client/ice-servers'
import { relaysFrom } from '#client/server-relays'

const names: Readonly<Record<string, string>> = {
  'relay.example': '203.0.113.9',
  'inner.example': '192.168.1.1',
  'server.example': '203.0.113.1',
  'office.example': '10.1.2.3',
}

const look: Lookup = (host) => {
  const address = names[host]
  return address === undefined
    ? Promise.reject(new Error('ENOTFOUND'))
    : Promise.resolve([{ address, family: 4 }])
}

const messageOf = (urls: readonly string[]) => ({
  t: 'turn' as const,
  ...{ peer: '0123456789abcdef', urls: [...urls], username: 'u', credential: 'c', ttlS: 600 },
})

const hostsOf = async (urls: readonly string[], server = 'wss://server.example/v1') => {
  const relays = await relaysFrom(messageOf(urls), server, look)
  return relays.map(({ host }) => host)
}

describe('relays of the signaling server', () => {
  it('are resolved, with what it takes to use them', async () => {
    const urls = ['turn:relay.example:443?transport=tcp', 'turn:[2001:db8::7]']
    expect(await relaysFrom(messageOf(urls), 'wss://server.example/v1', look)).toEqual([
      { host: '203.0.113.9', port: 443, user: 'u', password: 'c', transport: 'tcp' },
      { host: '2001:db8::7', port: 3478, user: 'u', password: 'c', transport: 'udp' },
    ])
  })

  it('are at most four', async () => {
    const urls = Array.from({ length: 8 }, (_, index) => `turn:203.0.113.${index}`)
    expect(await hostsOf(urls)).toHaveLength(4)
  })

  it.each([
    'turns:relay.example',
    'stun:relay.example',
    'turn:relay.example?transport=tls',
    'turn:nowhere.example',
    'turn:',
  ])('leave out %s', async (url) => {
    expect(await hostsOf([url, 'turn:203.0.113.9'])).toEqual(['203.0.113.9'])
  })

  it.each([
    'turn:127.0.0.1',
    'turn:10.0.0.1',
    'turn:192.168.0.1',
    'turn:172.31.0.1',
    'turn:169.254.169.254',
    'turn:100.64.0.1',
    'turn:0.0.0.0',
    'turn:224.0.0.1',
    'turn:[::1]',
    'turn:[fd00::1]',
    'turn:[fe80::1]',
    'turn:[::ffff:10.0.0.1]',
    'turn:inner.example',
  ])('never make us send into our own network, as %s would', async (url) => {
    expect(await hostsOf([url])).toEqual([])
  })

  it.each(['ws://127.0.0.1:4000/v1', 'ws://[::1]:4000/v1', 'wss://office.example/v1'])(
    'may be inside when the server at %s is',
    async (server) => {
      expect(await hostsOf(['turn:192.168.0.1'], server)).toEqual(['192.168.0.1'])
    },
  )
})
