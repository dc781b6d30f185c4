import { execFileSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocketServer } from 'ws'
import { serverChecker } from '#client/signaling/server-check'
import { ManualClock } from '#client/testing/manual-clock'
import { folderOfTest } from '#client/testing/temporary-folder'
import type { ServerCheck } from '#shared/settings/server-check'
import { bareServer, listen } from '../bare-server'
import { rigWithServer } from '../rig'

const rig = rigWithServer()

async function check(url: string, stun: readonly string[] = []) {
  const checked = await serverChecker()({ url, stun })
  return checked.ok ? checked.value : checked.error.code
}

const notFound = createServer((_request, response) => response.writeHead(404).end())

async function freePort(): Promise<number> {
  const server = createTcpServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

describe('a check of a server', () => {
  it('reports one of ours as ready, and leaves no trace there', async () => {
    const { roundTripMs, clockAheadMs, ...found } = (await check(rig.url)) as ServerCheck
    expect(found).toEqual({ server: 'ready', detail: '', proxy: null, stun: [] })
    expect(roundTripMs).toBeGreaterThanOrEqual(0)
    // The server's header has whole seconds.
    expect(Math.abs(clockAheadMs ?? NaN)).toBeLessThan(5000)
    expect(await check(rig.url.replace('ws:', 'http:'))).toMatchObject({ server: 'ready' })
  })

  it('recognizes other servers', async () => {
    expect(await check(await listen(notFound))).toMatchObject({
      ...{ server: 'other', detail: 'HTTP status 404' },
    })
    const talkative = await bareServer(createServer(), { t: 'hosted', nameplate: '1', ttlS: 1 })
    expect(await check(talkative.url)).toMatchObject({ server: 'other' })
    const binary = createServer()
    new WebSocketServer({ server: binary }).on('connection', (socket) => {
      socket.send(Buffer.alloc(1))
      socket.send('x'.repeat(100_000))
    })
    expect(await check(await listen(binary))).toMatchObject({ server: 'other' })
    const telnet = createTcpServer((socket) => {
      socket.on('error', () => undefined).resume()
      socket.end('220 ready\r\n')
    })
    expect(await check(await listen(telnet as never))).toMatchObject({ server: 'other' })
  })

  it('reports that the server is missing or full', async () => {
    expect(await check(`ws://127.0.0.1:${await freePort()}`)).toMatchObject({
      server: 'unreachable',
    })
    const full = createServer((_request, response) => response.writeHead(503).end())
    expect(await check(await listen(full))).toMatchObject({
      ...{ server: 'unreachable', detail: 'HTTP status 503' },
    })
  })

  it('reports a TLS failure: an unknown authority, or no TLS at all', async () => {
    const folder = folderOfTest()
    const [key, cert] = [join(folder, 'key'), join(folder, 'cert')]
    const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
    const files = ['-keyout', key, '-out', cert, '-subj', '/CN=own']
    execFileSync('openssl', ['req', '-x509', ...made, ...files], { stdio: 'pipe' })
    const own = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) })
    const url = (await listen(own)).replace('ws:', 'wss:')
    expect(await check(url)).toMatchObject({ server: 'untrusted' })
    const plain = rig.url.replace('ws:', 'wss:')
    expect(await check(plain)).toMatchObject({ server: 'untrusted' })
  })

  it('ends after eight seconds at a silent server, and runs alone', async () => {
    const clock = new ManualClock()
    const checkOne = serverChecker({ clock })
    const silent = createServer().on('upgrade', (_request, socket) =>
      onTestFinished(() => void socket.destroy()),
    )
    const found = checkOne({ url: await listen(silent), stun: [] })
    await clock.untilDelay(8000)
    expect(await checkOne({ url: rig.url, stun: [] })).toMatchObject({
      error: { code: 'E_LIMIT_EXCEEDED' },
    })
    clock.advance(8000)
    expect(await found).toMatchObject({ value: { server: 'unreachable' } })
  })

  it('reports which STUN servers answer', async () => {
    const stun = createSocket('udp4')
    await new Promise<void>((resolve) => stun.bind(0, '127.0.0.1', resolve))
    onTestFinished(() => void stun.close())
    let requests = 0
    stun.on('message', (request, { address, port }) => {
      requests += 1
      // The first request gets lost.
      if (requests === 1) clock.advance(1000)
      else stun.send(Buffer.concat([Buffer.from([1, 1, 0, 0]), request.subarray(4)]), port, address)
    })
    const clock = new ManualClock()
    const lines = [`stun:127.0.0.1:${stun.address().port}`, 'stun:nowhere.invalid']
    const lookUp = () => Promise.reject(new Error('offline'))
    const checked = await serverChecker({ clock, lookUp })({ url: rig.url, stun: lines })
    expect(checked).toMatchObject({
      value: {
        server: 'ready',
        stun: [
          { line: lines[0], answers: true },
          { line: lines[1], answers: false },
        ],
      },
    })
  })

  it('refuses invalid lines before it queries anything', async () => {
    expect(await check('ftp://a')).toBe('E_BAD_ARGUMENT')
    expect(await check(rig.url, ['nonsense'])).toBe('E_BAD_ARGUMENT')
  })
})
