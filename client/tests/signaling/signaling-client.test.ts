import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { fixedServer } from '#client/signaling/server-locator'
import { reconnectDelayMs } from '#client/signaling/signaling-client'
import { encode, type ServerMessage, SIGNALING_VERSION } from '#shared/signaling/messages'
import { bareServer, connect, connected, Journal, listen } from '../bare-server.ts'

const peer = '0123456789abcdef'
const hosted: ServerMessage = { t: 'hosted', nameplate: '4821', ttlS: 60 }

describe('reconnectDelayMs', () => {
  it('starts at one second, grows by half and stops at 30 seconds', () => {
    const delays = [1, 2, 3, 9, 10, 50].map((failures) => reconnectDelayMs(failures, () => 0.5))
    expect(delays.map(Math.round)).toEqual([1000, 1500, 2250, 25_629, 30_000, 30_000])
  })

  it('varies by 30 % in both directions', () => {
    expect(reconnectDelayMs(1, () => 0)).toBeCloseTo(700)
    expect(reconnectDelayMs(1, () => 1)).toBeCloseTo(1300)
  })
})

describe('a signaling client', () => {
  it('sends its hello on each socket and reconnects after a growing pause', async () => {
    const server = await bareServer()
    const { clock, downs } = connect(server.url)
    for (const delayMs of [1000, 1500, 2250]) {
      const socket = await server.sockets.next()
      expect(JSON.parse(await server.texts.next())).toEqual({ t: 'host', v: SIGNALING_VERSION })
      socket.terminate()
      expect((await downs.next()).code).toBe('E_SERVER_UNREACHABLE')
      expect(clock.delays).toEqual([delayMs])
      await server.texts.next()
      clock.advance(delayMs)
    }
  })

  it('pauses only for a second again once the server has answered', async () => {
    const { server, socket, clock, downs, messages } = await connected()
    socket.terminate()
    await downs.next()
    clock.advance(1000)
    const next = await server.sockets.next()
    next.send(encode(hosted))
    expect(await messages.next()).toEqual(hosted)
    next.terminate()
    await downs.next()
    expect(clock.delays).toEqual([1000])
  })

  it('gives up on a server that accepts and stays silent', async () => {
    const server = await bareServer()
    const { clock, downs } = connect(server.url)
    await server.texts.next()
    clock.advance(10_000)
    expect((await downs.next()).code).toBe('E_SERVER_UNREACHABLE')
  })

  it('pings a silent server and leaves it without a pong', async () => {
    const { socket, clock, downs, messages } = await connected()
    const pings = new Journal<true>()
    socket.on('ping', () => pings.add(true))
    socket.send(encode(hosted))
    await messages.next()
    clock.advance(30_000)
    await pings.next()
    await clock.untilDelay(30_000)

    socket.pause()
    clock.advance(45_000)
    expect((await downs.next()).code).toBe('E_SERVER_UNREACHABLE')
  })

  it('pings immediately after a wake-up', async () => {
    const { socket, client, clock, downs, messages } = await connected()
    const pings = new Journal<true>()
    socket.on('ping', () => pings.add(true))
    socket.send(encode(hosted))
    await messages.next()
    client.onWake()
    await pings.next()
    await clock.untilDelay(30_000)

    socket.pause()
    client.onWake()
    clock.advance(3000)
    expect((await downs.next()).code).toBe('E_SERVER_UNREACHABLE')
  })

  it('immediately replaces a socket whose address this computer has lost', async () => {
    const asked: string[] = []
    const { server, socket, client, clock, downs, messages } = await connected({
      hasMoved: (address) => asked.push(address) > 0,
    })
    socket.send(encode(hosted))
    await messages.next()
    client.onWake()
    expect((await downs.next()).code).toBe('E_SERVER_UNREACHABLE')
    expect(asked).toEqual(['127.0.0.1'])
    expect(clock.delays).toEqual([0])
    clock.advance(0)
    ;(await server.sockets.next()).terminate()
    await downs.next()
    expect(clock.delays).toEqual([1500])
  })

  it('starts a scheduled attempt immediately after a wake-up', async () => {
    const { server, socket, client, clock, downs } = await connected()
    socket.terminate()
    await downs.next()
    expect(clock.delays).toEqual([1000])
    client.onWake()
    clock.advance(0)
    await server.sockets.next()
  })

  it('reports why the server refused, and passes on errors about one peer as messages', async () => {
    const { socket, downs, messages } = await connected()
    socket.send(encode({ t: 'error', code: 'E_PEER_GONE', peer }))
    expect(await messages.next()).toEqual({ t: 'error', code: 'E_PEER_GONE', peer })
    socket.send(encode({ t: 'error', code: 'E_NO_SUCH_CODE' }))
    socket.close(4000)
    expect((await downs.next()).code).toBe('E_NO_SUCH_CODE')
  })

  it('leaves a server a second after a refusal if that keeps the socket', async () => {
    const { socket, clock, downs, messages } = await connected()
    socket.send(encode(hosted))
    await messages.next()
    socket.send(encode({ t: 'error', code: 'E_NO_SUCH_CODE' }))
    await clock.untilDelay(1000)
    clock.advance(1000)
    expect((await downs.next()).code).toBe('E_NO_SUCH_CODE')
  })

  it('does not take a pong for the first answer', async () => {
    const { server, socket, clock, downs } = await connected()
    await server.texts.next()
    const echoed = new Promise((resolve) => socket.once('pong', resolve))
    socket.pong()
    socket.ping()
    await echoed
    expect(clock.delays).toEqual([10_000])
    clock.advance(10_000)
    expect((await downs.next()).code).toBe('E_SERVER_UNREACHABLE')
  })

  it('gives up an endless search for the server', async () => {
    const url = 'ws://127.0.0.1:9/v1'
    const { clock, downs } = connect({ ...fixedServer(url), locate: () => new Promise(() => {}) })
    clock.advance(15_000)
    expect(await downs.next()).toMatchObject({ code: 'E_SERVER_UNREACHABLE' })
    expect(clock.delays).toEqual([1000])
  })

  it.each([
    ['what is no message', 'hello'],
    ['a message with a wrong field', '{"t":"joined","peer":7}'],
  ])('leaves a server that sends %s', async (_what, text) => {
    const { server, socket, downs } = await connected()
    socket.send(text)
    expect(await downs.next()).toMatchObject({
      code: 'E_SERVER_PROTOCOL',
      subject: new URL(server.url).host,
    })
  })

  it('ignores unknown messages of a newer server', async () => {
    const { socket, messages } = await connected()
    socket.send('{"t":"weather"}')
    socket.send(encode(hosted))
    expect(await messages.next()).toEqual(hosted)
  })

  it.each([
    [404, 'E_SERVER_PROTOCOL'],
    [429, 'E_RATE_LIMITED'],
    [502, 'E_SERVER_UNREACHABLE'],
    [503, 'E_SERVER_BUSY'],
  ])('maps HTTP status %d to %s', async (status, code) => {
    const http = createServer()
    http.on('upgrade', (_request, socket) => {
      socket.end(`HTTP/1.1 ${status} No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
    })
    const { downs } = connect(await listen(http))
    expect((await downs.next()).code).toBe(code)
  })

  it('reports a closed port', async () => {
    const http = createServer()
    const url = await listen(http)
    await new Promise((resolve) => http.close(resolve))
    const { downs } = connect(url)
    expect(await downs.next()).toMatchObject({
      code: 'E_SERVER_UNREACHABLE',
      subject: new URL(url).host,
    })
  })

  it('says goodbye and makes no further attempt when closed', async () => {
    const { server, socket, client, clock, messages } = await connected()
    socket.send(encode(hosted))
    await messages.next()
    await server.texts.next()
    await client.close()
    expect(await server.texts.next()).toBe(encode({ t: 'leave' }))
    expect(clock.delays).toEqual([])
  })

  it('ends before the server has answered the goodbye, which still arrives', async () => {
    const { server, socket, client } = await connected()
    await server.texts.next()
    socket.pause()
    await client.close()
    const closed = new Promise<number>((resolve) => socket.once('close', resolve))
    socket.resume()
    expect(await server.texts.next()).toBe(encode({ t: 'leave' }))
    expect(await closed).toBe(1000)
  })

  it('loses messages while there is no socket', async () => {
    const server = await bareServer()
    const { client } = connect(server.url)
    client.send({ t: 'relay', to: peer, body: 'AAAA' })
    expect(JSON.parse(await server.texts.next())).toMatchObject({ t: 'host' })
  })
})
