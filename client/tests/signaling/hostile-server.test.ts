import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { TurnMessage } from '#client/signaling/offered-relays'
import { waitForState } from '#client/wait-for-state'
import { encode, type ServerMessage } from '#shared/signaling/messages'
import { bareServer, connect, connected, Journal } from '../bare-server.ts'
import { rigWithServer } from '../rig.ts'
import { items } from '../transfers'

const rig = rigWithServer()

const peer = '0123456789abcdef'
const mailbox = 'm'.repeat(43)
const hosted: ServerMessage = { t: 'hosted', nameplate: '4821', ttlS: 60 }
const turn = (...urls: string[]): TurnMessage => ({
  t: 'turn',
  peer,
  urls,
  username: '1700000600:0123456789abcdef',
  credential: 'secret',
  ttlS: 600,
})

describe('SIG-15: a server that', () => {
  it('sends unknown types is otherwise heeded', async () => {
    const { socket, messages } = await connected()
    for (let sent = 0; sent < 1000; sent += 1) socket.send(`{"t":"weather","n":${sent}}`)
    socket.send('{"t":"constructed"}')
    socket.send(encode(hosted))
    expect(await messages.next()).toEqual(hosted)
  })

  it.each<ServerMessage>([
    { t: 'joined', peer },
    { t: 'relay', from: peer, body: 'AAAA' },
    { t: 'gone', peer },
    { t: 'peer', peer, body: 'AAAA' },
    { t: 'error', code: 'E_PEER_GONE', peer },
    { t: 'error', code: 'E_RATE_LIMITED', mailbox },
    { t: 'notify', mailbox, body: 'AAAA' },
    { t: 'notified', mailbox, reached: true },
    { t: 'listening' },
  ])('sends an invented $t does no harm to the socket', async (lie) => {
    const { server, socket, messages } = await connected()
    await server.texts.next()
    socket.send(server.packed(lie))
    socket.send(encode(hosted))
    expect(await messages.next()).toEqual(lie)
    expect(await messages.next()).toEqual(hosted)
  })

  it.each<ServerMessage>([
    hosted,
    { t: 'joined', peer },
    { t: 'peer', peer },
    { t: 'gone', peer },
    { t: 'listening' },
    { t: 'error', code: 'E_PEER_GONE', peer },
  ])('sends $t and never greets is left', async (first) => {
    const server = await bareServer(createServer(), first)
    const { downs } = connect(server.url)
    expect((await downs.next()).code).toBe('E_SERVER_PROTOCOL')
    expect(await server.texts.next()).toBe('closed')
  })

  it('never greets, and sends unknown types, is left after ten seconds', async () => {
    const server = await bareServer(createServer(), { t: 'weather' } as never)
    const { clock, downs } = connect(server.url)
    await server.sockets.next()
    clock.advance(10_000)
    expect((await downs.next()).code).toBe('E_SERVER_UNREACHABLE')
  })

  it.each<ServerMessage>([
    turn('turn:203.0.113.9'),
    { t: 'pass', pass: 'p'.repeat(43) },
    { t: 'notify', mailbox, body: 'AAAA' },
    { t: 'notified', mailbox, reached: true },
    { t: 'error', code: 'E_RATE_LIMITED', mailbox },
  ])('sends $t unsealed is left', async (bare) => {
    const { server, socket, downs } = await connected()
    await server.texts.next()
    socket.send(encode(bare))
    expect((await downs.next()).code).toBe('E_SERVER_PROTOCOL')
  })

  it('receives a pass only in sealed form', async () => {
    const server = await bareServer()
    const pass = 'p'.repeat(43)
    connect(server.url, { hello: () => ({ t: 'join', v: 1, nameplate: '4821', pass }) })
    const text = await server.texts.next()
    expect(text).toContain('"sealed"')
    expect(text).not.toContain(pass)
  })

  it('never reads while it sends pings is left', async () => {
    const { socket, downs, messages } = await connected()
    socket.send(encode(hosted))
    await messages.next()
    const left = downs.next().then(() => true)
    const moment = () => new Promise<false>((resolve) => setImmediate(() => resolve(false)))
    socket.pause()
    // The system's own buffers hold some megabytes of answers.
    do {
      for (let sent = 0; sent < 1000; sent += 1) socket.ping('p'.repeat(125))
    } while (!(await Promise.race([left, moment()])))
  })

  it('is left after a message in too many fragments', async () => {
    const { socket, downs } = await connected()
    for (let sent = 0; sent < 1000; sent += 1) socket.send(' ', { fin: false })
    expect((await downs.next()).code).toBe('E_SERVER_UNREACHABLE')
  })

  it('sends an oversized message is left', async () => {
    const { socket, downs } = await connected()
    socket.send(' '.repeat(64 * 1024 + 1))
    expect((await downs.next()).code).toBe('E_SERVER_UNREACHABLE')
  })

  it('names relays by names has each resolved once', async () => {
    const asked: string[] = []
    const lookup = (host: string) => {
      asked.push(host)
      return Promise.resolve([{ address: '203.0.113.9', family: 4 }])
    }
    const { server, socket, messages } = await connected({ lookup })
    await server.texts.next()
    for (let sent = 0; sent < 3; sent += 1) {
      socket.send(server.packed(turn('turn:relay.example', 'turn:relay.example:443?transport=tcp')))
      expect(await messages.next()).toEqual(
        turn('turn:203.0.113.9:3478?transport=udp', 'turn:203.0.113.9:443?transport=tcp'),
      )
    }
    expect(asked).toEqual(['relay.example'])
  })

  it('is on this computer may name relays there, but no invalid addresses', async () => {
    const { server, socket, messages } = await connected()
    await server.texts.next()
    socket.send(
      server.packed(turn('turn:0.0.0.0', 'turns:203.0.113.9?transport=udp', 'turn:224.0.0.1')),
    )
    socket.send(server.packed(turn('turn:0.0.0.0', 'turn:127.0.0.1')))
    expect(await messages.next()).toEqual(turn('turn:127.0.0.1:3478?transport=udp'))
  })

  it('names relays is ignored when the socket ends before they are resolved', async () => {
    const server = await bareServer()
    const lookups = new Journal<() => void>()
    const lookup = async () => {
      await new Promise<void>((resolve) => lookups.add(resolve))
      return [{ address: '203.0.113.9', family: 4 }]
    }
    const { downs, messages } = connect(server.url, { lookup })
    const socket = await server.sockets.next()
    await server.texts.next()
    socket.send(server.packed(turn('turn:relay.example')))
    const found = await lookups.next()
    socket.terminate()
    await downs.next()
    found()
    await new Promise((resolve) => setImmediate(resolve))
    expect(messages.isEmpty).toBe(true)
  })
})

it('a server that introduces receivers and removes them immediately leaves no trace of them', async () => {
  const server = await bareServer()
  const { client, engine, clock } = rig.station({ serverUrl: server.url.replace(/\/v1$/, '') })
  client.openShare({ items })
  const socket = await server.sockets.next()
  await server.texts.next()
  socket.send(encode(hosted))
  await waitForState(client, ({ shares: [share] }) => share?.code)
  const before = clock.delays.length
  for (let index = 0; index < 500; index += 1) {
    const id = index.toString(16).padStart(16, '0')
    socket.send(encode({ t: 'peer', peer: id }))
    socket.send(encode({ t: 'gone', peer: id }))
  }
  await engine.nth('disconnect-peer', 500)
  expect(clock.delays.length).toBeLessThanOrEqual(before + 1)
})
