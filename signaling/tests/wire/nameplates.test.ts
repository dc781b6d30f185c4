/** Nameplates over time, and on a full server. */
import { expect, it } from 'vitest'
import { OwnerKey } from '#shared/signaling/owner-proof'
import { startTestServer, type TestClient, type TestServer } from './test-server.ts'

/** A socket that hosts as this owner, and its nameplate. */
async function hostAs(server: TestServer, owner: OwnerKey) {
  const client = await server.connect()
  client.hostAs(owner)
  return { client, nameplate: (await client.next('hosted')).nameplate }
}

it('ends an expired session', async () => {
  const server = await startTestServer({ sessionTimeout: 60, wsIdleTimeout: 3600 })
  const { host, joiner } = await server.pair()
  server.clock.advance(120_000)
  expect(await host.closed).toBe(4003)
  expect(await joiner.closed).toBe(4003)
})

it('returns a resting one only below the limit of sessions', async () => {
  const server = await startTestServer({ maxSessionsPerAddress: 1 })
  const owner = new OwnerKey()
  const { client, nameplate } = await hostAs(server, owner)
  client.socket.terminate()
  const joins = async () => {
    const joiner = await server.connect()
    joiner.send({ t: 'join', v: 1, nameplate })
    const answer = await joiner.receive()
    return answer.t === 'error' ? answer.code : answer.t
  }
  await expect.poll(joins).toBe('E_PEER_GONE')
  server.clock.advance(10 * 60_000)
  // The sweep at this time finishes a moment later.
  const others: TestClient[] = []
  const hosts = async () => {
    const other = await server.connect()
    others.push(other)
    other.send({ t: 'host', v: 1 })
    return (await other.receive()).t
  }
  await expect.poll(hosts).toBe('hosted')
  const early = await server.connect()
  early.hostAs(owner)
  expect((await early.next('error')).code).toBe('E_SERVER_BUSY')
  expect(await early.closed).toBe(4000)
  others.at(-1)?.send({ t: 'leave' })
  await others.at(-1)?.closed
  expect((await hostAs(server, owner)).nameplate).toBe(nameplate)
})

it('lets an owner return through the reserve of a full server', async () => {
  const server = await startTestServer({ maxWsConnections: 10 })
  const owner = new OwnerKey()
  const { client, nameplate } = await hostAs(server, owner)
  client.socket.terminate()
  await client.closed
  await expect.poll(() => server.log.some(({ event }) => event === 'closed')).toBe(true)
  for (let open = 0; open < 9; open += 1) await server.connect()
  const stranger = await server.connect()
  stranger.send({ t: 'join', v: 1, nameplate })
  expect((await stranger.next('error')).code).toBe('E_SERVER_BUSY')
  await stranger.closed
  await expect.poll(() => server.log.filter(({ event }) => event === 'closed')).toHaveLength(2)
  const silent = await server.connect()
  server.clock.advance(3000)
  expect(await silent.closed).toBe(4004)
  await expect.poll(() => server.log.filter(({ event }) => event === 'closed')).toHaveLength(3)
  expect((await hostAs(server, owner)).nameplate).toBe(nameplate)
  expect(await server.refusedWith()).toBe(503)
})

it('tells joiners to try again while the host is absent, for ten minutes', async () => {
  const server = await startTestServer()
  const { client, nameplate } = await server.host()
  client.socket.close()
  // The server notices the end later than the client.
  await expect.poll(() => server.log.some(({ event }) => event === 'closed')).toBe(true)
  const join = async () => {
    const joiner = await server.connect()
    joiner.send({ t: 'join', v: 1, nameplate })
    await joiner.processed()
    server.clock.advance(600)
    return (await joiner.next('error')).code
  }
  expect(await join()).toBe('E_PEER_GONE')
  server.clock.advance(10 * 60_000)
  expect(await join()).toBe('E_NO_SUCH_CODE')
})

it('returns no guess at an expired nameplate', async () => {
  const server = await startTestServer({ joinsBurst: 100, joinsPerMin: 100 })
  const { client: host, nameplate } = await hostAs(server, new OwnerKey())
  const joiner = await server.connect()
  joiner.send({ t: 'join', v: 1, nameplate, key: joiner.key })
  host.send({ t: 'grant', peer: (await host.next('peer')).peer })
  await joiner.next('joined')
  const { pass } = await joiner.next('pass')
  joiner.socket.close()
  await host.next('gone')
  // The ten minutes end between two sweeps of the server.
  server.clock.advance(15_000)
  host.socket.terminate()
  await host.closed
  const waiting = await server.connect()
  waiting.send({ t: 'join', v: 1, nameplate, pass })
  await waiting.next('waiting')
  for (let step = 0; step < 20; step += 1) {
    server.clock.advance(step === 19 ? 29_000 : 30_000)
    await waiting.processed()
  }
  server.clock.advance(2000)
  const strangers = []
  for (let guess = 0; guess < 11; guess += 1) {
    const stranger = await server.connect()
    stranger.send({ t: 'join', v: 1, nameplate: guess === 0 ? nameplate : String(9000 + guess) })
    await stranger.processed()
    strangers.push(stranger)
  }
  server.clock.advance(600)
  const codes = await Promise.all(
    strangers.map(async (stranger) => (await stranger.next('error')).code),
  )
  expect(codes.filter((code) => code === 'E_RATE_LIMITED')).toHaveLength(1)
  expect((await waiting.next('error')).code).toBe('E_PEER_GONE')
})
