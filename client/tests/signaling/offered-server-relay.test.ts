import { expect, it } from 'vitest'
import { systemClock } from '#client/clock'
import type { ProxyFor } from '#client/proxy/proxy-choice'
import { type ServerRelayMessage, serverRelayOf } from '#client/signaling/offered-server-relay'
import { ok } from '#shared/result'
import { parseProxyUrl } from '#shared/settings/proxy-url'

const ticket = 'A'.repeat(43)
const address = '198.51.100.7'
const offered = (url: string): ServerRelayMessage => ({
  ...{ t: 'server-relay', peer: '0123456789abcdef', ticket },
  server: { url, address },
})

const asking = (proxyFor: ProxyFor) => (message: ServerRelayMessage) =>
  serverRelayOf(message, {
    proxyFor,
    lookUp: () => Promise.resolve([{ address: '192.0.2.8', family: 4 }]),
    clock: systemClock,
  })
const direct = asking(() => Promise.resolve(ok(null)))

it.each([
  ['wss://meet.example/v1', 'wss', 443, 'meet.example', '/v1/server-relay'],
  ['ws://meet.example:8080/v1', 'ws', 8080, 'meet.example', '/v1/server-relay'],
  [
    'wss://meet.example/behind/a/proxy/v1',
    'wss',
    443,
    'meet.example',
    '/behind/a/proxy/v1/server-relay',
  ],
  ['ws://[2001:db8::1]/v1', 'ws', 80, '2001:db8::1', '/v1/server-relay'],
])('a server relay of %s goes where its socket went', async (url, transport, port, name, path) => {
  expect(await direct(offered(url))).toEqual([
    { ...{ host: address, port, name, path, transport }, user: '', password: ticket },
  ])
})

it('a server relay of one of several nodes is requested from that node', async () => {
  const message = { ...offered('wss://meet.example/behind/v1'), node: 'node-1' }
  expect(await direct(message)).toMatchObject([{ path: '/behind/v1/server-relay/node-1' }])
})

it('a server relay uses the proxy of the server, which resolves its name', async () => {
  const asked: string[] = []
  const through = asking((url) => {
    asked.push(url)
    return Promise.resolve(ok(parseProxyUrl('http://proxy.example:3128')))
  })
  expect(await through(offered('wss://meet.example/v1'))).toMatchObject([
    { host: 'meet.example', proxy: { kind: 'http', host: '192.0.2.8', port: 3128 } },
  ])
  expect(asked).toEqual(['wss://meet.example/v1'])
})

it('a server relay with an unusable proxy is dropped', async () => {
  const https = asking(() => Promise.resolve(ok(parseProxyUrl('https://proxy.example'))))
  expect(await https(offered('wss://meet.example/v1'))).toEqual([])
})
