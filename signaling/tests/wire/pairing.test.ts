import { expect, it } from 'vitest'
import { startTestServer } from './test-server.ts'

it('introduces a joiner to its host and passes messages both ways', async () => {
  const server = await startTestServer()
  const { host, joiner, hostId, joinerId } = await server.pair()
  joiner.send({ t: 'relay', to: hostId, body: 'Zmlyc3Q=' })
  expect(await host.next('relay')).toEqual({ t: 'relay', from: joinerId, body: 'Zmlyc3Q=' })
  host.send({ t: 'relay', to: joinerId, body: 'c2Vjb25k' })
  expect(await joiner.next('relay')).toEqual({ t: 'relay', from: hostId, body: 'c2Vjb25k' })
})

it('hands the host what came with the join', async () => {
  const server = await startTestServer()
  const { client: host, nameplate } = await server.host()
  const joiner = await server.connect()
  const body = 'A'.repeat(8192)
  joiner.send({ t: 'join', v: 1, nameplate, body })
  await joiner.next('joined')
  expect(await host.next('peer')).toMatchObject({ t: 'peer', body })
})

it('keeps the order of messages', async () => {
  const server = await startTestServer()
  const { host, joiner, hostId } = await server.pair()
  const bodies = Array.from({ length: 50 }, (_, index) => `body${index}`)
  for (const body of bodies) joiner.send({ t: 'relay', to: hostId, body })
  for (const body of bodies) expect((await host.next('relay')).body).toBe(body)
})

it('gives each pair ids of its own', async () => {
  const server = await startTestServer()
  const { nameplate, hostId, joinerId, host } = await server.pair()
  const second = await server.connect()
  second.send({ t: 'join', v: 1, nameplate })
  const { peer: secondHostId } = await second.next('joined')
  const { peer: secondId } = await host.next('peer')
  expect(new Set([hostId, joinerId, secondHostId, secondId]).size).toBe(4)
})

it('tells the host when a joiner leaves, and closes the socket that left', async () => {
  const server = await startTestServer()
  const { host, joiner, joinerId } = await server.pair()
  joiner.send({ t: 'leave' })
  expect(await joiner.closed).toBe(1000)
  expect(await host.next('gone')).toEqual({ t: 'gone', peer: joinerId })
})

it('tells the host when the socket of a joiner breaks', async () => {
  const server = await startTestServer()
  const { host, joiner, joinerId } = await server.pair()
  joiner.socket.terminate()
  expect(await host.next('gone')).toEqual({ t: 'gone', peer: joinerId })
  host.send({ t: 'relay', to: joinerId, body: 'dG9vIGxhdGU=' })
  expect(await host.next('error')).toEqual({ t: 'error', code: 'E_PEER_GONE', peer: joinerId })
})

it('tells joiners when the host leaves, and ends their sockets', async () => {
  const server = await startTestServer()
  const { host, joiner, hostId } = await server.pair()
  host.send({ t: 'leave' })
  expect(await host.closed).toBe(1000)
  expect(await joiner.next('gone')).toEqual({ t: 'gone', peer: hostId })
  expect(await joiner.closed).toBe(4003)
})

it('ends a session with its time', async () => {
  const server = await startTestServer({ sessionTimeout: 60, wsIdleTimeout: 3600 })
  const { host, joiner } = await server.pair()
  server.clock.advance(120_000)
  expect(await host.closed).toBe(4003)
  expect(await joiner.closed).toBe(4003)
})

it('logs neither tokens nor bodies, and no nameplate together with an address', async () => {
  const server = await startTestServer()
  const { host, joiner, hostId } = await server.pair()
  joiner.send({ t: 'relay', to: hostId, body: 'c2VjcmV0' })
  await host.next('relay')
  await server.close()
  for (const event of server.log) {
    expect('nameplate' in event && 'address' in event).toBe(false)
    expect(JSON.stringify(event)).not.toMatch(/c2VjcmV0|[A-Za-z0-9_-]{43}|127\.0\.0\.1/)
  }
  expect(server.log.map(({ event }) => event)).toContain('hosted')
})
