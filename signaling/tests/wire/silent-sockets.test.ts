import { expect, it } from 'vitest'
import { listen, RawClient, startTestServer, upgradeRequest } from './test-server.ts'

const crowd = 300

const roomy = { maxWsConnectionsPerAddress: 1000, wsConnectionsBurst: 1000 }

it('SIG-05: closes TCP connections that never become WebSockets', async () => {
  const server = await startTestServer(roomy)
  const mute = Array.from({ length: crowd }, () => new RawClient(server.port))
  await Promise.all(mute.map(({ connected }) => connected))
  for (const { socket } of mute.slice(crowd / 2)) socket.write(upgradeRequest().slice(0, -2))
  await server.host()
  server.clock.advance(6000)
  await Promise.all(mute.map(({ ended }) => ended))
})

it('SIG-05: closes WebSockets that are silent for ten seconds', async () => {
  const server = await startTestServer(roomy)
  const mute = await Promise.all(Array.from({ length: crowd }, () => server.connect()))
  const { client } = await server.host()
  server.clock.advance(9000)
  await client.processed()
  expect(mute.every(({ socket }) => socket.readyState === socket.OPEN)).toBe(true)
  server.clock.advance(1000)
  const codes = await Promise.all(mute.map(({ closed }) => closed))
  expect(new Set(codes)).toEqual(new Set([4004]))
  await client.processed()
})

it('SIG-05: accepts no more silent TCP connections than sockets from one address', async () => {
  const server = await startTestServer({ maxWsConnectionsPerAddress: 3 })
  const mute = Array.from({ length: 4 }, () => new RawClient(server.port))
  await Promise.race(mute.map(({ ended }) => ended))
  const open = mute.filter(({ socket }) => !socket.destroyed)
  expect(open).toHaveLength(3)
})

it('pings a quiet client, and closes one that does not answer', async () => {
  const server = await startTestServer()
  const alive = await server.host()
  const dead = await server.connect({ autoPong: false })
  dead.send({ t: 'host', v: 1 })
  await dead.next('hosted')

  for (let round = 0; round < 3; round += 1) {
    const pinged = new Promise((resolve) => alive.client.socket.once('ping', resolve))
    server.clock.advance(60_000)
    await pinged
    await alive.client.processed()
  }
  expect(await dead.closed).toBe(4005)
  expect(alive.client.socket.readyState).toBe(alive.client.socket.OPEN)
})

it('keeps a silent listener, like a host', async () => {
  const server = await startTestServer()
  const client = await listen(server, 'h'.repeat(43))
  server.clock.advance(30_000)
  await client.processed()
  expect(client.socket.readyState).toBe(client.socket.OPEN)
})

it('cuts a client that does not answer a close', async () => {
  const server = await startTestServer()
  const raw = new RawClient(server.port)
  raw.socket.write(upgradeRequest())
  await new Promise((resolve) => raw.socket.once('data', resolve))
  server.clock.advance(10_000)
  server.clock.advance(5000)
  await raw.ended
})
