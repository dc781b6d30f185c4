import { expect, it } from 'vitest'
import { RawClient, startTestServer, statusOf, upgradeRequest } from './test-server.ts'

const get = (path: string, ...lines: readonly string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', ...lines, '\r\n'].join('\r\n')

it('shows a browser its home page', async () => {
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
    ['/join', '받은 코드로 연결합니다'],
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

it('trusts only a trusted proxy that its client used TLS', async () => {
  for (const [trustProxy, address] of [
    [['127.0.0.0/8'], 'wss://localhost'],
    [['10.0.0.0/8'], 'ws://localhost'],
  ] as const) {
    const server = await startTestServer({ trustProxy, host: '127.0.0.1' })
    const answer = await new RawClient(server.port).ask(get('/', 'X-Forwarded-Proto: https'))
    expect(answer).toContain(`<p class="url">${address}</p>`)
  }
})

it('serves the page of web links, cached for an hour and not in frames', async () => {
  const server = await startTestServer()
  const answer = await new RawClient(server.port).ask(get('/join'))
  expect(statusOf(answer)).toBe(200)
  expect(answer).toContain('Content-Type: text/html; charset=utf-8')
  expect(answer).toContain('Cache-Control: public, max-age=3600')
  expect(answer).toContain("Content-Security-Policy: frame-ancestors 'none'")
  expect(answer).toContain('X-Content-Type-Options: nosniff')
  expect(answer).toContain('Open in Thruflux')
})

it.each([
  ['a path that climbs', get('/../etc/passwd'), 404],
  ['HTTP/1.0', 'GET /index.html HTTP/1.0\r\n\r\n', 404],
  ['a huge URL', get(`/${'a'.repeat(20_000)}`), 431],
  ['64 KiB of headers', upgradeRequest(`X-Long: ${'a'.repeat(64 * 1024)}`), 431],
  [
    'two lengths',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
])('SIG-20: answers %s', async (_what, request, status) => {
  const server = await startTestServer()
  const raw = new RawClient(server.port)
  expect(statusOf(await raw.ask(request))).toBe(status)
  await server.host()
})

it('survives a client that disconnects before the response to its upgrade', async () => {
  const server = await startTestServer()
  const raw = new RawClient(server.port)
  await raw.connected
  raw.socket.write(upgradeRequest('Origin: https://example.org'))
  raw.socket.resetAndDestroy()
  await raw.ended
  await server.host()
})
