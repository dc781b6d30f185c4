import { once } from 'node:events'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { serverRelayPath } from '#shared/signaling/paths'
import { servedAt, webFileHeaders, WebPage, webPageHeaders } from '#signaling/pages/web-page'
import { ask, builtPage } from './built-page.ts'
import { startTestServer, type TestServer } from './test-server.ts'

const withPage = (): Promise<TestServer> => startTestServer({ page: builtPage() })

const origin = (server: TestServer): string => `http://127.0.0.1:${server.port}`

describe('the page that receives in a browser', () => {
  it('is at the path of web links, compressed, and may load and reach only its server', async () => {
    const server = await withPage()
    const { response, body } = await ask(server, '/join')
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(body).toString()).toBe('<html>page</html>')
    const policy = response.headers['content-security-policy'] ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self' 'wasm-unsafe-eval';")
    expect(policy).toContain(`connect-src 'self' ws://127.0.0.1:${server.port};`)
  })

  it('names its server in the policy, unless that is an IPv6 address', () => {
    const { originAt } = servedAt(builtPage(), '')
    const policy = (localAddress: string) =>
      webPageHeaders(originAt({ localAddress, localPort: 41480 } as Socket))[
        'Content-Security-Policy'
      ]
    expect(policy('::ffff:192.168.1.5')).toContain("connect-src 'self' ws://192.168.1.5:41480;")
    expect(policy('fd00::2')).toContain("connect-src 'self';")
  })

  it('lets only the worker of a page with TLS connect to senders', () => {
    const policy = (origin: string, path: string) =>
      webFileHeaders(origin, path)['Content-Security-Policy']
    const [worker, other] = ['/page/worker-1a2b.js', '/page/index-1a2b.js']
    const own = "connect-src 'self' wss://meet.example.org"
    expect(policy('https://meet.example.org', worker)).toContain(`${own} https:;`)
    expect(policy('https://meet.example.org', other)).toContain(`${own};`)
    expect(policy('http://192.168.1.5:41480', worker)).not.toContain('https:')
  })

  it('has its other files below /page/, and no others', async () => {
    const server = await withPage()
    const { response, body } = await ask(server, '/page/main-1a2b.js')
    expect(response.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(response.headers['cache-control']).toContain('immutable')
    // A worker has the policy of its own script.
    expect(response.headers['content-security-policy']).toContain("default-src 'none'")
    expect(gunzipSync(body).toString()).toBe('script()')
    for (const path of ['/page/', '/page/secret.txt', '/page/../secret.txt', '/main-1a2b.js']) {
      expect((await ask(server, path)).response.statusCode).toBe(404)
    }
  })

  it('is not there without its files: web links then open the app', async () => {
    expect(WebPage.in(join(tmpdir(), 'there is no such folder'))).toBeNull()
    const server = await startTestServer()
    expect((await ask(server, '/join')).body.toString()).toContain('Open in Thruflux')
  })

  it('may use the server; pages of other origins may not', async () => {
    const server = await withPage()
    const client = await server.connect({ headers: { origin: origin(server) } })
    await client.processed()
    const others = [
      'https://a.example',
      `https://127.0.0.1:${server.port}`,
      `http://127.0.0.1:${server.port + 1}`,
      'null',
      '',
    ]
    for (const other of others) {
      expect(await server.refusedWith({ headers: { origin: other } })).toBe(403)
    }
  })

  it('may not use it by a name, which could be made to lead here', async () => {
    const server = await withPage()
    const host = `rebound.example:${server.port}`
    const headers = { host, origin: `http://${host}` }
    expect(await server.refusedWith({ headers })).toBe(403)
  })

  it('may not use a server that shows no page', async () => {
    const server = await startTestServer()
    expect(await server.refusedWith({ headers: { origin: origin(server) } })).toBe(403)
  })

  it('shows the ticket of a server relay as a subprotocol, which opens it once', async () => {
    const server = await withPage()
    const { client: host, nameplate } = await server.host()
    const joiner = await server.connect({ headers: { origin: origin(server) } })
    joiner.send({ t: 'join', v: 1, nameplate, key: joiner.key })
    await joiner.next('joined')
    host.send({ t: 'grant', peer: (await host.next('peer')).peer })
    const { ticket } = await joiner.next('server-relay')
    const open = (): WebSocket =>
      new WebSocket(`ws://127.0.0.1:${server.port}${serverRelayPath}`, `thru.ticket.${ticket}`, {
        headers: { origin: origin(server) },
      })
    const first = open()
    await once(first, 'open')
    expect(first.protocol).toBe(`thru.ticket.${ticket}`)
    const [error] = (await once(open(), 'error')) as [Error]
    expect(error.message).toContain('403')
  })
})
