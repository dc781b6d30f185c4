import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type ClientOptions, WebSocket } from 'ws'
import { maxServerRelayMessageBytes } from '#shared/signaling/messages'
import { serverRelayPath } from '#shared/signaling/paths'
import type { SignalingServerOptions } from '#signaling/server'
import { startMonitoredServer } from './monitored-server.ts'
import { showing, Side } from './server-relay-side.ts'
import { startTestServer, type TestServer } from './test-server.ts'

const KiB = 1024
const MiB = 1024 * KiB

/** Limits far from the values that most tests reach. */
const wide = {
  serverRelays: 8,
  serverRelayBytesPerSec: 1_000_000_000,
  serverRelayBytes: 1024 * MiB,
}

/** The tickets of a host and its granted joiner. */
async function tickets(server: TestServer): Promise<readonly [host: string, joiner: string]> {
  const { host, joiner, hostId, joinerId } = await server.pair()
  host.send({ t: 'grant', peer: joinerId })
  const [hosts, joiners] = [await host.next('server-relay'), await joiner.next('server-relay')]
  expect([hosts.peer, joiners.peer]).toEqual([joinerId, hostId])
  return [hosts.ticket, joiners.ticket]
}

/** Both sides of a server relay, after each knows of the other. */
async function serverRelay(server: TestServer): Promise<readonly [Side, Side]> {
  const [first, second] = await tickets(server)
  const sides = [await Side.open(server, first), await Side.open(server, second)] as const
  for (const side of sides) expect(await side.next()).toHaveLength(0)
  return sides
}

const serverWith = (options: SignalingServerOptions = {}): Promise<TestServer> =>
  startTestServer({ ...wide, ...options })

describe('a server relay', () => {
  it('gives each side the bytes of the other', async () => {
    const [host, joiner] = await serverRelay(await serverWith())
    host.socket.send(Buffer.from('from the host'))
    joiner.socket.send(Buffer.from('from the joiner'))
    expect((await joiner.next()).toString()).toBe('from the host')
    expect((await host.next()).toString()).toBe('from the joiner')
  })

  it('is off by default', async () => {
    const server = await startTestServer()
    const { host, joiner, joinerId } = await server.pair()
    host.send({ t: 'grant', peer: joinerId })
    await joiner.next('pass')
    expect(await server.refusedWith(showing('A'.repeat(43)), serverRelayPath)).toBe(404)
  })

  it('TURN-11: needs a ticket, which opens it once', async () => {
    const server = await serverWith()
    const [first, second] = await tickets(server)
    await Side.open(server, first)
    for (const ticket of [first, 'A'.repeat(43), second.slice(1), '']) {
      expect(await server.refusedWith(showing(ticket), serverRelayPath)).toBe(403)
    }
    expect(await server.refusedWith({}, serverRelayPath)).toBe(403)
    await Side.open(server, second)
    expect(await server.refusedWith(showing(second), serverRelayPath)).toBe(403)
  })

  it("of one of several nodes is at that node's path, and needs a ticket for that node", async () => {
    const [server, other] = [await serverWith({ nodeName: 'a' }), await serverWith()]
    const { host, joiner, joinerId } = await server.pair()
    host.send({ t: 'grant', peer: joinerId })
    const said = [await host.next('server-relay'), await joiner.next('server-relay')]
    expect(said.map(({ node }) => node)).toEqual(['a', 'a'])
    const [first = '', second = ''] = said.map(({ ticket }) => ticket)
    for (const path of [
      serverRelayPath,
      `${serverRelayPath}/`,
      `${serverRelayPath}/b`,
      `${serverRelayPath}/a/`,
    ]) {
      expect(await server.refusedWith(showing(first), path)).toBe(404)
    }
    const [foreign] = await tickets(other)
    expect(await server.refusedWith(showing(foreign), `${serverRelayPath}/a`)).toBe(403)
    for (const ticket of [first, second]) await Side.open(server, ticket, 'a')
  })

  it('needs no password, because its ticket required one', async () => {
    const server = await serverWith({ serverPasswords: ['correct-horse-battery'] })
    expect(await server.refusedWith(showing('A'.repeat(43)), serverRelayPath)).toBe(403)
  })

  it('TURN-11: never connects sides of different pairs', async () => {
    const server = await serverWith()
    const [mine, others] = [await tickets(server), await tickets(server)]
    const [alone, first] = [await Side.open(server, mine[0]), await Side.open(server, others[0])]
    const second = await Side.open(server, others[1])
    for (const side of [first, second]) expect(await side.next()).toHaveLength(0)
    await alone.processed()
    expect(alone.unread).toBe(0)
  })

  it('can be started within two minutes of its ticket', async () => {
    const server = await serverWith()
    const [ticket] = await tickets(server)
    server.clock.advance(120_000)
    expect(await server.refusedWith(showing(ticket), serverRelayPath)).toBe(403)
  })

  it('ends for both sides when one ends', async () => {
    const [host, joiner] = await serverRelay(await serverWith())
    joiner.socket.terminate()
    expect(await host.closed).toBe(4003)
  })

  it('ends if the other side is missing for half a minute', async () => {
    const server = await serverWith()
    const [ticket] = await tickets(server)
    const alone = await Side.open(server, ticket)
    server.clock.advance(30_000)
    expect(await alone.closed).toBe(4003)
  })

  it('ends after the idle timeout of a socket', async () => {
    const server = await serverWith({ wsIdleTimeout: 60 })
    const sides = await serverRelay(server)
    server.clock.advance(59_000)
    sides[0].socket.send(Buffer.from('a sign of life'))
    await sides[1].next()
    server.clock.advance(59_000)
    await sides[0].processed()
    server.clock.advance(2000)
    for (const side of sides) expect(await side.closed).toBe(4005)
  })

  it('ends with the server', async () => {
    const server = await serverWith()
    const sides = await serverRelay(server)
    const closing = server.close()
    for (const side of sides) expect(await side.closed).toBe(1001)
    await closing
  })

  it.each([
    ['text', 'hello', 1003],
    ['more than a message may have', Buffer.alloc(maxServerRelayMessageBytes + 1), 1009],
  ])('TURN-11: ends for who sends %s, and for the other side', async (_, data, code) => {
    const [host, joiner] = await serverRelay(await serverWith())
    host.socket.send(data)
    expect([await host.closed, await joiner.closed]).toEqual([code, 4003])
    expect(joiner.received).toBe(0)
  })

  it('TURN-11: ends for a client that splits a message into more fragments than a proxy does', async () => {
    const [host, joiner] = await serverRelay(await serverWith())
    for (let piece = 1; piece <= 8; piece += 1)
      host.socket.send('a', { binary: true, fin: piece === 8 })
    expect((await joiner.next()).toString()).toBe('a'.repeat(8))
    for (let piece = 0; piece < 9; piece += 1) host.socket.send('a', { binary: true, fin: false })
    expect([await host.closed, await joiner.closed]).toEqual([1008, 4003])
  })

  it('TURN-11: ends for a client that sends data before the other side is connected', async () => {
    const server = await serverWith()
    const [ticket] = await tickets(server)
    const early = await Side.open(server, ticket)
    early.socket.send(Buffer.from('early'))
    expect(await early.closed).toBe(4001)
  })

  it('ends at its limit of bytes', async () => {
    const server = await serverWith({ serverRelayBytes: MiB })
    const [host, joiner] = await serverRelay(server)
    for (let sent = 0; sent <= MiB; sent += 32 * KiB) host.socket.send(Buffer.alloc(32 * KiB))
    expect([await host.closed, await joiner.closed]).toEqual([4007, 4007])
    expect(joiner.received).toBeLessThanOrEqual(MiB)
  })

  it('counts empty messages towards its limit', async () => {
    const server = await serverWith({ serverRelayBytes: MiB })
    const [host, joiner] = await serverRelay(server)
    for (let sent = 0; sent <= MiB; sent += 256) host.socket.send(Buffer.alloc(0))
    expect([await host.closed, await joiner.closed]).toEqual([4007, 4007])
  })

  it('is refused at the limit of server relays, unless its other side is already connected', async () => {
    const server = await serverWith({ serverRelays: 1 })
    const [[first, second], [other]] = [await tickets(server), await tickets(server)]
    await Side.open(server, first)
    expect(await server.refusedWith(showing(other), serverRelayPath)).toBe(503)
    const late = await Side.open(server, second)
    expect(await late.next()).toHaveLength(0)
  })

  it('is refused for an address that has too many', async () => {
    const server = await serverWith()
    await serverRelay(server)
    await serverRelay(server)
    const [ticket] = await tickets(server)
    expect(await server.refusedWith(showing(ticket), serverRelayPath)).toBe(429)
  })

  it('leaves room for other networks', async () => {
    const server = await serverWith({ trustProxy: ['127.0.0.0/8'] })
    const from = (ticket: string, address: string): ClientOptions => {
      const { headers } = showing(ticket)
      return { headers: { ...headers, 'x-forwarded-for': address } }
    }
    const enter = async (address: string) => {
      const [ticket] = await tickets(server)
      const options = from(ticket, address)
      await once(new WebSocket(`ws://127.0.0.1:${server.port}${serverRelayPath}`, options), 'open')
    }
    for (const host of [1, 2, 3, 4]) await enter(`192.0.2.${host}`)
    const [ticket] = await tickets(server)
    expect(await server.refusedWith(from(ticket, '192.0.2.5'), serverRelayPath)).toBe(429)
    await enter('198.51.100.1')
  })

  it('keeps its limit of bytes per second', async () => {
    const perSecond = 128 * KiB
    const server = await serverWith({ serverRelayBytesPerSec: perSecond })
    const [host, joiner] = await serverRelay(server)
    const total = 2 * MiB
    for (let sent = 0; sent < total; sent += 16 * KiB) host.socket.send(Buffer.alloc(16 * KiB))
    let passedMs = 0
    while (joiner.received < total) {
      // Data before the pause was read from the system in one piece.
      const most = perSecond * (1 + passedMs / 1000) + 256 * KiB
      expect(joiner.received).toBeLessThanOrEqual(most)
      server.clock.advance(10)
      passedMs += 10
      await turn()
    }
  })

  it('TURN-11: reads tiny messages no faster than longer ones, without delaying other pairs', async () => {
    const perSecond = 128 * KiB
    const server = await serverWith({ serverRelayBytesPerSec: perSecond })
    const [host, joiner] = await serverRelay(server)
    const others = await serverRelay(server)
    const total = 40_000
    for (let sent = 0; sent < total; sent += 1) host.socket.send(Buffer.alloc(1))
    // Each counts as 256 bytes; the first read contains frames of seven bytes, up to the pause.
    const [perMessage, atOnce] = [256, (2 * 64 * KiB) / 7]
    for (let passedMs = 0; passedMs < 100_000; passedMs += 100) {
      const most = (perSecond / perMessage) * (1 + passedMs / 1000) + atOnce
      expect(joiner.received).toBeLessThanOrEqual(most)
      if (passedMs % 10_000 === 0) {
        others[0].socket.send(Buffer.from('honest'))
        expect((await others[1].next()).toString()).toBe('honest')
      }
      server.clock.advance(100)
      await turn()
    }
    while (joiner.received < total) {
      server.clock.advance(1000)
      await turn()
    }
  })

  it('TURN-11: buffers nothing for a client that only pings and never reads, and ends after the idle timeout', async () => {
    const server = await startMonitoredServer({ ...wide, wsIdleTimeout: 60 })
    const [host, joiner] = await serverRelay(server)
    const others = await serverRelay(server)
    host.socket.pause()
    for (let sent = 0; sent < 150_000; sent += 1) host.socket.ping(Buffer.alloc(125))
    host.socket.send(Buffer.from('behind the pings'))
    expect((await joiner.next()).toString()).toBe('behind the pings')
    const { values } = await server.scrape()
    expect(values.get('thru_buffered_bytes')).toBeLessThan(128 * KiB)
    server.clock.advance(59_000)
    others[0].socket.send(Buffer.from('honest'))
    expect((await others[1].next()).toString()).toBe('honest')
    host.socket.ping()
    server.clock.advance(2000)
    expect(await joiner.closed).toBe(4005)
    expect(others.map(({ socket }) => socket.readyState)).toEqual([WebSocket.OPEN, WebSocket.OPEN])
  })

  it('TURN-11: reads one side no faster than the other reads, and loses nothing', async () => {
    const server = await startMonitoredServer(wide)
    const [host, joiner] = await serverRelay(server)
    joiner.socket.pause()
    const total = 64 * MiB
    for (let sent = 0; sent < total; sent += 32 * KiB) host.socket.send(Buffer.alloc(32 * KiB))
    const waiting = async (): Promise<number> => {
      const { values } = await server.scrape()
      return values.get('thru_buffered_bytes') ?? 0
    }
    // The server queues data only once the system's own buffers are full.
    while ((await waiting()) < 64 * KiB) await turn()
    for (let look = 0; look < 20; look += 1) {
      expect(await waiting()).toBeLessThan(512 * KiB)
      await turn()
    }
    joiner.socket.resume()
    while (joiner.received < total) await joiner.next()
    expect(joiner.received).toBe(total)
  })
})
