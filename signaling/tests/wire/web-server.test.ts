/** A server on the internet that shows the page: `--web`. */
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import {
  type ClientMessage,
  pageProtocol,
  passwordProtocol,
  type WebLimits,
} from '#shared/signaling/messages'
import { serverRelayPath } from '#shared/signaling/paths'
import { pageFileRate } from '#signaling/limits/limits'
import { pageFor } from '#signaling/pages/web-page'
import type { SignalingServerOptions } from '#signaling/server'
import { ask, builtPage } from './built-page.ts'
import { startMonitoredServer } from './monitored-server.ts'
import { Side } from './server-relay-side.ts'
import { startTestServer, type TestClient, type TestServer } from './test-server.ts'

const web = 'https://meet.example.org'
const page = { headers: { origin: web } }
const MiB = 1024 * 1024

const serverWith = (options: SignalingServerOptions = {}): Promise<TestServer> =>
  startTestServer({ web, page: builtPage(), ...options })

/** A host, and a page that joined it and was admitted. */
async function admitted(server: TestServer): Promise<readonly [TestClient, TestClient]> {
  const { client: host, nameplate } = await server.host()
  const joiner = await server.connect(page)
  joiner.send({ t: 'join', v: 1, nameplate, key: joiner.key })
  await joiner.next('joined')
  host.send({ t: 'grant', peer: (await host.next('peer')).peer })
  return [host, joiner]
}

it('shows the page, which may run only its own files and reach only this server', async () => {
  const { response } = await ask(await serverWith(), '/join')
  expect(response.headers).toMatchObject({
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'strict-transport-security': 'max-age=31536000',
    'x-content-type-options': 'nosniff',
  })
  expect(response.headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src data:; connect-src 'self' wss://meet.example.org; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
  expect(response.headers['permissions-policy']).toContain('camera=()')
})

it('gives one address a class of pages at once, and then no more', async () => {
  const server = await serverWith()
  const read = async (): Promise<number | undefined> =>
    (await ask(server, '/page/main-1a2b.js')).response.statusCode
  for (let count = 0; count < pageFileRate.burst; count += 1) expect(await read()).toBe(200)
  expect(await read()).toBe(429)
  server.clock.advance(60_000 / pageFileRate.perMinute)
  expect(await read()).toBe(200)
})

it('lets in its own page, by its name with TLS, and no other origin', async () => {
  const server = await serverWith()
  await server.connect(page)
  for (const origin of [
    'http://meet.example.org',
    'https://meet.example.org:8443',
    'https://meet.example.org.evil.example',
    `http://127.0.0.1:${server.port}`,
    'null',
  ])
    expect(await server.refusedWith({ headers: { origin, host: new URL(web).host } })).toBe(403)
})

it('lets pages join, but not host or listen', async () => {
  const server = await serverWith()
  const messages: readonly ClientMessage[] = [
    { t: 'host', v: 1 },
    { t: 'listen', v: 1, mailboxes: ['A'.repeat(43)] },
  ]
  for (const message of messages) {
    const client = await server.connect(page)
    client.send(message)
    expect(await client.next('error')).toMatchObject({ code: 'E_SERVER_BUSY' })
  }
})

it('tells its limits for pages to every client first, and none without a page', async () => {
  const limits = { bytes: 5 * MiB, bytesPerSec: 20_000 }
  const options = { webBytes: limits.bytes, webBytesPerSec: limits.bytesPerSec }
  const welcomeOf = async (server: TestServer): Promise<WebLimits | undefined> => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/v1`)
    const [data] = (await once(socket, 'message')) as [Buffer]
    socket.terminate()
    return (JSON.parse(data.toString()) as { web?: WebLimits }).web
  }
  const { congestion, ...told } = (await welcomeOf(await serverWith(options))) ?? {}
  expect(told).toEqual(limits)
  expect(congestion === undefined).toBe(process.platform !== 'linux')
  expect(await welcomeOf(await startTestServer())).toBeUndefined()
})

it('relays for pairs with a page alone, and gives these no TURN', async () => {
  const server = await serverWith({
    turnUrls: ['turn:relay.example:3478'],
    turnSecret: 'north-wind-and-the-sun',
  })
  const [host, joiner] = await admitted(server)
  await host.next('server-relay')
  await joiner.next('server-relay')
  const others = await server.pair()
  others.host.send({ t: 'grant', peer: others.joinerId })
  await others.joiner.next('turn')
  await others.joiner.next('pass')
})

it('ends a relay to a page after a quarter more than the page may receive', async () => {
  const server = await startMonitoredServer({
    web,
    page: builtPage(),
    webBytes: MiB,
    webBytesPerSec: 1_000_000_000,
  })
  const [host, joiner] = await admitted(server)
  const ticket = await host.next('server-relay')
  const [one, other] = [
    await Side.open(server, ticket.ticket),
    await Side.open(server, (await joiner.next('server-relay')).ticket),
  ]
  for (const side of [one, other]) expect(await side.next()).toHaveLength(0)
  /** A ping, and every message below it, counts as this many bytes. */
  const least = 256
  for (let sent = 0; sent < 32; sent += 1) one.socket.send(Buffer.alloc((1.25 * MiB - least) / 32))
  await one.processed()
  const { values } = await server.scrape()
  expect(values.get('thru_web_relays')).toBe(1)
  expect(values.get('thru_web_relay_bytes_total')).toBe(1.25 * MiB - least)
  expect(values.get('thru_server_relay_bytes_total')).toBe(0)
  one.socket.send(Buffer.alloc(1))
  expect(await other.closed).toBe(4007)
})

it('takes a password from its page as a subprotocol, and repeats it nowhere', async () => {
  const password = 'only-for-the-team'
  const server = await serverWith({ serverPasswords: [password] })
  expect(JSON.parse((await ask(server, '/healthz')).body.toString())).toMatchObject({
    password: true,
  })
  const open = (text: string): WebSocket =>
    new WebSocket(
      `ws://127.0.0.1:${server.port}/v1`,
      [pageProtocol, `${passwordProtocol}${Buffer.from(text).toString('base64url')}`],
      page,
    )
  const right = open(password)
  await once(right, 'open')
  expect(right.protocol).toBe(pageProtocol)
  const [error] = (await once(open('another password'), 'error')) as [Error]
  expect(error.message).toContain('401')
  expect(await server.refusedWith(page)).toBe(401)
  const { protocol } = right
  expect(JSON.stringify([server.log, protocol])).not.toContain(password)
})

it('needs no password for the page, nor for a ticket', async () => {
  const server = await serverWith({ serverPasswords: ['only-for-the-team'] })
  expect((await ask(server, '/join')).response.statusCode).toBe(200)
  expect(await server.refusedWith(page, serverRelayPath)).toBe(403)
})

it('does not start without the files of the page', () => {
  expect(pageFor('', '/there is no such folder')).toEqual({ ok: true, value: null })
  expect(pageFor(web, '/there is no such folder')).toMatchObject({
    error: { code: 'E_BAD_ARGUMENT', subject: '--web' },
  })
})
