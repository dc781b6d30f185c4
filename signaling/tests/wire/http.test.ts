import { describe, expect, it } from 'vitest'
import { decodeHealth } from '#shared/signaling/messages'
import { RawClient, startTestServer, statusOf, upgradeRequest } from './test-server.ts'

const get = (path: string, ...lines: readonly string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', ...lines, '\r\n'].join('\r\n')

it('says what it is at /healthz', async () => {
  const server = await startTestServer()
  const answer = await new RawClient(server.port).ask(get('/healthz'))
  expect(statusOf(answer)).toBe(200)
  const body = /\{.*\}/.exec(answer)?.[0] ?? ''
  expect(decodeHealth(body)).toMatchObject({ value: { version: 1 } })
})

it('tells a browser what it is', async () => {
  const server = await startTestServer()
  const answer = await new RawClient(server.port).ask(get('/'))
  expect(statusOf(answer)).toBe(200)
  expect(answer).toContain('Content-Type: text/html; charset=utf-8')
  expect(answer).toContain('Cache-Control: no-store')
  expect(answer).toMatch(/Content-Security-Policy: default-src 'none'; style-src 'sha256-[^']+'; /)
  expect(answer).toContain('<p class="url">ws://localhost</p>')
  expect(answer).toContain('Thruflux signaling server')
})

it('speaks Korean to a browser that prefers it, on both pages', async () => {
  const server = await startTestServer()
  for (const [path, sentence] of [
    ['/', 'Thruflux 시그널링 서버'],
    ['/join', '누군가 파일을 공유했습니다'],
  ] as const) {
    const raw = new RawClient(server.port)
    const answer = await raw.ask(get(path, 'Accept-Language: ko-KR,ko;q=0.9,en;q=0.8'))
    expect(Buffer.from(answer, 'latin1').toString()).toContain(sentence)
    expect(answer).toContain('Vary: Accept-Language')
  }
})

it.each([
  ['a script', '<script>alert(1)</script>'],
  ['quotes', 'a" onload="alert(1)'],
  ['nothing', ''],
])('repeats no host that is %s', async (_what, host) => {
  const server = await startTestServer()
  const raw = new RawClient(server.port)
  const answer = await raw.ask(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  expect(answer).not.toContain('alert')
  expect(answer).toContain('The address of this page')
})

it('believes a trusted proxy, and nobody else, that its client came by TLS', async () => {
  for (const [trustProxy, address] of [
    [['127.0.0.0/8'], 'wss://localhost'],
    [['10.0.0.0/8'], 'ws://localhost'],
  ] as const) {
    const server = await startTestServer({ trustProxy, host: '127.0.0.1' })
    const answer = await new RawClient(server.port).ask(get('/', 'X-Forwarded-Proto: https'))
    expect(answer).toContain(`<p class="url">${address}</p>`)
  }
})

it('has the page of web links, for any browser to keep for an hour and no frame to show', async () => {
  const server = await startTestServer()
  const answer = await new RawClient(server.port).ask(get('/join'))
  expect(statusOf(answer)).toBe(200)
  expect(answer).toContain('Content-Type: text/html; charset=utf-8')
  expect(answer).toContain('Cache-Control: public, max-age=3600')
  expect(answer).toContain("Content-Security-Policy: frame-ancestors 'none'")
  expect(answer).toContain('X-Content-Type-Options: nosniff')
  expect(answer).toContain('Open in Thruflux')
})

it('gives the page of web links to no script of another page', async () => {
  const server = await startTestServer()
  const answer = await new RawClient(server.port).ask(get('/join', 'Origin: https://evil.example'))
  expect(statusOf(answer)).toBe(403)
  expect(answer).not.toContain('Thruflux')
})

describe('SIG-20: HTTP', () => {
  it.each([
    ['another path', get('/index.html'), 404],
    ['the socket path without an upgrade', get('/v1'), 404],
    ['a path that climbs', get('/../etc/passwd'), 404],
    ['a query', get('/healthz?x'), 404],
    ['a query behind the page of web links', get('/join?c=4821-apple-kayak-onion'), 404],
    ['a path below it', get('/join/x'), 404],
    ['another method', 'POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n', 404],
    ['HTTP/1.0', 'GET /index.html HTTP/1.0\r\n\r\n', 404],
    ['a huge URL', get(`/${'a'.repeat(20_000)}`), 431],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\r\n\r\n', 400],
    ['an upgrade elsewhere', upgradeRequest().replace('/v1', '/v2'), 404],
    ['an upgrade to something else', upgradeRequest().replace('websocket', 'h2c'), 400],
    ['another WebSocket version', upgradeRequest().replace('Version: 13', 'Version: 99'), 400],
  ])('answers %s', async (_what, request, status) => {
    const server = await startTestServer()
    const raw = new RawClient(server.port)
    expect(statusOf(await raw.ask(request))).toBe(status)
    await server.host()
  })
})

describe('SIG-03: the upgrade', () => {
  it.each([
    ['2,001 headers', Array.from({ length: 2001 }, (_, index) => `X-${index}: a`), 431],
    ['51 headers', Array.from({ length: 46 }, (_, index) => `X-${index}: a`), 431],
    ['64 KiB of headers', [`X-Long: ${'a'.repeat(64 * 1024)}`], 431],
  ])('is refused with %s', async (_what, lines, status) => {
    const server = await startTestServer()
    expect(statusOf(await new RawClient(server.port).ask(upgradeRequest(...lines)))).toBe(status)
    await server.host()
  })

  it('names no subprotocol, whatever a client offers', async () => {
    const server = await startTestServer()
    const raw = new RawClient(server.port)
    const answered = new Promise<string>((resolve) =>
      raw.socket.once('data', (chunk: Buffer) => resolve(chunk.toString('latin1'))),
    )
    raw.socket.write(upgradeRequest('Sec-WebSocket-Protocol: chat, superchat'))
    const answer = await answered
    raw.socket.destroy()
    expect(statusOf(answer)).toBe(101)
    expect(answer).not.toMatch(/Sec-WebSocket-Protocol/i)
  })

  it('survives an extension named like a method', async () => {
    const server = await startTestServer()
    const raw = new RawClient(server.port)
    const answered = new Promise<string>((resolve) =>
      raw.socket.once('data', (chunk: Buffer) => resolve(chunk.toString('latin1'))),
    )
    raw.socket.write(upgradeRequest('Sec-WebSocket-Extensions: constructor'))
    expect(await answered).not.toMatch(/Sec-WebSocket-Extensions/i)
    raw.socket.destroy()
    await server.host()
  })

  it('survives a client that is gone before the answer', async () => {
    const server = await startTestServer()
    const raw = new RawClient(server.port)
    await raw.connected
    raw.socket.write(upgradeRequest('Origin: https://example.org'))
    raw.socket.resetAndDestroy()
    await raw.ended
    await server.host()
  })
})

it.each(['https://example.org', 'null', 'http://localhost'])(
  'SIG-19: refuses a browser with the origin %s before the upgrade',
  async (origin) => {
    const server = await startTestServer()
    expect(await server.refusedWith({ headers: { Origin: origin } })).toBe(403)
    const answer = await new RawClient(server.port).ask(get('/healthz', `Origin: ${origin}`))
    expect(statusOf(answer)).toBe(403)
  },
)
