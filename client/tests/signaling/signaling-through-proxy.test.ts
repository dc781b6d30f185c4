import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { beforeAll, describe, expect, it } from 'vitest'
import { isHopeless } from '#client/session/session-context'
import { serverChecker } from '#client/signaling/server-check'
import { fixedServer } from '#client/signaling/server-locator'
import { ManualClock } from '#client/testing/manual-clock'
import { folderOfFile } from '#client/testing/temporary-folder'
import { isPassing } from '#shared/errors'
import { ok } from '#shared/result'
import type { ProxyAddress } from '#shared/settings/proxy-url'
import { encode, type ServerMessage } from '#shared/signaling/messages'
import { bareServer, connect, Journal, said } from '../bare-server.ts'
import {
  behindProxy,
  type Certificate,
  httpProxy,
  oddProxy,
  refusingTlsProxy,
  socksProxy,
} from '../test-proxies.ts'

const hosted: ServerMessage = { t: 'hosted', nameplate: '4821', ttlS: 60 }

const through = (url: string, proxy: ProxyAddress) =>
  fixedServer(url, { proxyFor: () => Promise.resolve(ok(proxy)), passwordFor: () => undefined })

const password = 'pa:ss wörd@'
const known = { user: 'dana', password }

const folder = folderOfFile()
let certificates: Readonly<Record<'server' | 'address' | 'name', Certificate>>

beforeAll(() => {
  certificates = {
    server: certificateFor('DNS:signal.test'),
    address: certificateFor('IP:127.0.0.1'),
    name: certificateFor('DNS:localhost'),
  }
})

function certificateFor(name: string): Certificate {
  const [key, cert] = [join(folder, 'key'), join(folder, 'cert')]
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  const names = ['-subj', '/CN=test', '-addext', `subjectAltName=${name}`]
  execFileSync('openssl', ['req', '-x509', ...made, '-keyout', key, '-out', cert, ...names], {
    stdio: 'pipe',
  })
  return { key: readFileSync(key), cert: readFileSync(cert) }
}

const trust = () => createSecureContext({ ca: Object.values(certificates).map(({ cert }) => cert) })

const kinds = {
  'an HTTP proxy': () => httpProxy(),
  'an HTTP proxy with a password': () => httpProxy(known),
  'an HTTP proxy with TLS': () => httpProxy(known, certificates.address),
  'a SOCKS 5 proxy': () => socksProxy(),
  'a SOCKS 5 proxy with a password': () => socksProxy(known),
}

describe.each(Object.entries(kinds))('%s', (name, open) => {
  it.each(['ws', 'wss'])('carries %s: to a name that it resolves', async (scheme) => {
    const server = await bareServer(...(scheme === 'ws' ? [] : [createServer(certificates.server)]))
    const { address, places } = await open()
    const url = behindProxy(server.url).replace('ws:', `${scheme}:`)
    const proxy =
      name.includes('password') || name.includes('TLS') ? { ...address, ...known } : address
    const { messages } = connect(through(url, proxy), { trust })
    const socket = await server.sockets.next()
    expect(await said(server)).toMatchObject({ t: 'host' })
    socket.send(encode(hosted))
    expect(await messages.next()).toEqual(hosted)
    expect(await places.next()).toBe(new URL(url).host)
  })
})

describe('a proxy with TLS is authenticated by its own', () => {
  it('name, the only one sent in clear', async () => {
    const { address, names } = await refusingTlsProxy(certificates.name)
    const proxy = { ...address, ...known, host: 'localhost' }
    const { downs } = connect(through('wss://signal.test/v1', proxy), { trust })
    expect(await downs.next()).toMatchObject({ code: 'E_PROXY_REFUSED', detail: 'HTTP status 403' })
    expect(await names.next()).toBe('localhost')
  })

  it.each([
    ['address', '127.0.0.1', 'server'],
    ['address', '127.0.0.1', 'name'],
    ['name', 'localhost', 'server'],
    ['name', 'localhost', 'address'],
  ] as const)(
    '%s %s: with the certificate of the %s it gets no password',
    async (_is, host, of) => {
      const { address, said } = await refusingTlsProxy(certificates[of])
      const { downs } = connect(through('wss://signal.test/v1', { ...address, ...known, host }), {
        trust,
      })
      const detail = 'ERR_TLS_CERT_ALTNAME_INVALID'
      expect(await downs.next()).toMatchObject({ code: 'E_PROXY_UNREACHABLE', detail })
      expect(await said.next()).toBe('')
    },
  )
})

it('a proxy receives addresses unchanged', async () => {
  const server = await bareServer()
  for (const { address, places } of [await httpProxy(), await socksProxy()]) {
    connect(through(server.url, address))
    await server.sockets.next()
    expect(await places.next()).toBe(new URL(server.url).host)
  }
})

it('SOCKS 5 carries all sixteen bytes of an IPv6 address', async () => {
  const { address, places } = await socksProxy({ answer: 3 })
  connect(through('ws://[2001:db8::7:0:1]:81/v1', address))
  expect(await places.next()).toBe('[20010db8000000000000000700000001]:81')
})

it('a server on the local network is reached without the proxy', async () => {
  const server = await bareServer()
  const locate = () => Promise.resolve(ok({ url: server.url, embedded: true }))
  const access = {
    proxyFor: () => Promise.reject(new Error('asked')),
    passwordFor: () => undefined,
  }
  connect({ ...fixedServer(server.url, access), locate })
  await server.sockets.next()
})

it.each([
  ['no password', httpProxy, {}],
  ['a wrong password', httpProxy, { user: 'dana', password: 'guess' }],
  ['no password', socksProxy, {}],
  ['a wrong password', socksProxy, { user: 'dana', password: 'guess' }],
])(
  '%s is reported as a refusal of the proxy, and waiting does not help',
  async (_what, open, said) => {
    const { address } = await open(known)
    const { downs } = connect(through('ws://signal.test/v1', { ...address, ...said }))
    const error = await downs.next()
    const subject = `${address.scheme}://127.0.0.1:${address.port}`
    expect(error).toMatchObject({ code: 'E_PROXY_AUTH', subject })
    expect([isPassing(error), isHopeless(error)]).toEqual([false, true])
    expect(JSON.stringify(error)).not.toMatch(/dana|guess/)
  },
)

it('a proxy that refuses a password like a server is recognized', async () => {
  const { address } = await httpProxy({ answer: 401 })
  const { downs } = connect(through('ws://signal.test/v1', address))
  expect(await downs.next()).toMatchObject({ code: 'E_PROXY_AUTH', detail: 'HTTP status 401' })
})

it.each([
  ['HTTP status 403', httpProxy, 403],
  ['HTTP status 502', httpProxy, 502],
  ['not allowed by its rules', socksProxy, 2],
  ['host unreachable', socksProxy, 4],
  ['reply 99', socksProxy, 99],
])('an unreachable place is reported as such: %s', async (detail, open, answer) => {
  const { address } = await open({ answer })
  const { downs } = connect(through('ws://signal.test/v1', address))
  expect(await downs.next()).toMatchObject({ code: 'E_PROXY_REFUSED', detail })
})

describe('a proxy that', () => {
  const unreachable = { code: 'E_PROXY_UNREACHABLE' }

  it.each(['http', 'socks5'] as const)('is not there (%s)', async (scheme) => {
    const gone: ProxyAddress = { scheme, host: '127.0.0.1', port: 9, user: '', password: '' }
    const { downs } = connect(through('ws://signal.test/v1', gone))
    expect(await downs.next()).toMatchObject({ ...unreachable, detail: 'ECONNREFUSED' })
  })

  it.each(['http', 'socks5'] as const)('stays silent for eight seconds (%s)', async (scheme) => {
    const closed = new Journal<true>()
    const heard = new Journal<true>()
    const silent = await oddProxy(scheme, (socket) => {
      socket.once('data', () => heard.add(true))
      socket.once('close', () => closed.add(true))
    })
    const { clock, downs } = connect(through('ws://signal.test/v1', silent))
    await heard.next()
    clock.advance(8000)
    expect(await downs.next()).toMatchObject({ ...unreachable, detail: 'no answer in time' })
    await closed.next()
  })

  it.each([
    ['http', 'garbage', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['http', 'a header without end', `HTTP/1.1 200 Ok\r\nX: ${'x'.repeat(20_000)}`],
    ['http', 'half an answer', 'HTTP/1.1 200 O'],
    ['socks5', 'garbage', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['socks5', 'half an answer', '\u0005'],
    ['socks5', 'an address of no kind', '\u0005\u0000\u0005\u0000\u0000\u0007'],
    ['socks5', 'half an address', '\u0005\u0000\u0005\u0000\u0000\u0003\u0009abc'],
  ] as const)('of %s sends %s and closes', async (scheme, _what, bytes) => {
    const odd = await oddProxy(scheme, (socket) => {
      socket.once('data', () => socket.end(bytes, 'latin1'))
    })
    const { downs } = connect(through('ws://signal.test/v1', odd))
    expect(await downs.next()).toMatchObject(unreachable)
  })

  it.each(['http', 'socks5'] as const)('closes immediately (%s)', async (scheme) => {
    const rude = await oddProxy(scheme, (socket) => socket.end())
    const { downs } = connect(through('ws://signal.test/v1', rude))
    expect(await downs.next()).toMatchObject(unreachable)
  })

  it('sends a header that is too large is left at the limit', async () => {
    const closed = new Journal<number>()
    const odd = await oddProxy('http', (socket) => {
      const more = (reason?: Error | null): void => {
        if (!reason) socket.write('x'.repeat(10_000), more)
      }
      socket.once('data', () => socket.write('HTTP/1.1 200 Ok\r\nX: ', more))
      socket.once('close', () => closed.add(socket.bytesWritten))
    })
    const { downs } = connect(through('ws://signal.test/v1', odd))
    expect(await downs.next()).toMatchObject({ ...unreachable, detail: 'HPE_HEADER_OVERFLOW' })
    await closed.next()
  })

  it('opens a tunnel to a silent place looks like an unreachable server', async () => {
    const half = await oddProxy('socks5', (socket) => {
      socket.once('data', () => {
        socket.write(Buffer.from([5, 0, 5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
        socket.end()
      })
    })
    const { downs } = connect(through('ws://signal.test/v1', half))
    expect(await downs.next()).toMatchObject({ code: 'E_SERVER_UNREACHABLE' })
  })

  it('is left immediately if still silent when the client closes', async () => {
    const closed = new Journal<true>()
    const heard = new Journal<true>()
    const silent = await oddProxy('socks5', (socket) => {
      socket.once('data', () => heard.add(true))
      socket.once('close', () => closed.add(true))
    })
    const { client } = connect(through('ws://signal.test/v1', silent))
    await heard.next()
    await client.close()
    await closed.next()
  })
})

describe('behind a proxy the place of a server is unknown, so', () => {
  it('a name without TLS counts as public', async () => {
    const server = await bareServer()
    const { address } = await socksProxy()
    const checkServer = serverChecker({ proxyFor: () => Promise.resolve(ok(address)) })
    expect(await checkServer({ url: behindProxy(server.url), stun: [] })).toMatchObject({
      value: { server: 'insecure' },
    })
    expect(await checkServer({ url: server.url, stun: [] })).toMatchObject({
      value: { server: 'ready' },
    })
  })
})

it('a check of a server blames the proxy if necessary', async () => {
  const { address } = await httpProxy(known)
  const checkServer = serverChecker({ proxyFor: () => Promise.resolve(ok(address)) })
  expect(await checkServer({ url: 'ws://signal.test', stun: [] })).toMatchObject({
    value: {
      ...{ server: 'unreachable', detail: 'HTTP status 407' },
      proxy: { name: `http://127.0.0.1:${address.port}`, failure: 'E_PROXY_AUTH' },
    },
  })
})

it('a check of a server distinguishes a silent proxy from a silent server behind one', async () => {
  const clock = new ManualClock()
  const heard = new Journal<true>()
  const silent = await oddProxy('http', (socket) => socket.once('data', () => heard.add(true)))
  const ofProxy = serverChecker({ clock, proxyFor: () => Promise.resolve(ok(silent)) })
  const checked = ofProxy({ url: 'ws://signal.test', stun: [] })
  await heard.next()
  clock.advance(8000)
  expect(await checked).toMatchObject({
    value: { server: 'unreachable', proxy: { failure: 'E_PROXY_UNREACHABLE' } },
  })
  const server = await bareServer()
  const { address } = await httpProxy()
  const behind = serverChecker({
    ...{ clock, timeoutMs: 4000, proxyFor: () => Promise.resolve(ok(address)) },
  })
  const late = behind({ url: behindProxy(server.url), stun: [] })
  await server.sockets.next()
  clock.advance(4000)
  expect(await late).toMatchObject({ value: { proxy: { failure: null } } })
})
