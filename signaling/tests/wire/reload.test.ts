import { expect, it } from 'vitest'
import { makeConfig } from '#signaling/config/config'
import type { ServerConfig } from '#signaling/config/server-config'
import type { SignalingServer } from '#signaling/server'
import { startMonitoredServer } from './monitored-server.ts'
import { startTestServer, type TestServer } from './test-server.ts'

/** Reloads the server with these changes to the defaults. */
function reload(
  server: TestServer,
  changes: Partial<ServerConfig>,
): ReturnType<SignalingServer['reload']> {
  const config = makeConfig({ host: '127.0.0.1', port: 0, ...changes })
  if (!config.ok) throw new Error(config.error.detail)
  return server.reload(config.value)
}

it('applies other rates immediately', async () => {
  const server = await startTestServer({ sessionCreatesPerMin: 1, sessionCreatesBurst: 1 })
  await server.host()
  const refused = await server.connect()
  refused.send({ t: 'host', v: 1 })
  expect((await refused.next('error')).code).toBe('E_RATE_LIMITED')
  expect(reload(server, { sessionCreatesPerMin: 60, sessionCreatesBurst: 1 })).toEqual({
    ok: true,
    value: ['session-creates-per-min'],
  })
  server.clock.advance(1000)
  await server.host()
})

it('applies other limits of sockets, sessions and receivers without ending existing ones', async () => {
  const server = await startTestServer()
  const { joiner, hostId, host, nameplate } = await server.pair()
  const changes = { maxWsConnections: 3, maxSessions: 1, maxReceiversPerSender: 1 }
  expect(reload(server, changes).ok).toBe(true)
  const second = await server.connect()
  second.send({ t: 'join', v: 1, nameplate })
  expect((await second.next('error')).code).toBe('E_TOO_MANY_RECEIVERS')
  await second.closed
  const third = await server.connect()
  third.send({ t: 'host', v: 1 })
  expect((await third.next('error')).code).toBe('E_SERVER_BUSY')
  await third.closed
  await server.connect()
  expect(await server.refusedWith()).toBe(503)
  joiner.send({ t: 'relay', to: hostId, body: 'AA==' })
  await host.next('relay')
})

it('applies another idle timeout and other sizes', async () => {
  const server = await startTestServer()
  const { client } = await server.host()
  const { client: large } = await server.host()
  // An invalid message, which is still read.
  large.send(' '.repeat(65_536))
  expect(await large.closed).toBe(1007)
  reload(server, { wsIdleTimeout: 15, maxMessageBytes: 16_384 })
  server.clock.advance(15_000)
  expect(await client.closed).toBe(4005)
  const other = await server.connect()
  other.send('a'.repeat(16_385))
  expect(await other.closed).toBe(1009)
})

it('applies another limit of mailboxes, and exports it', async () => {
  const server = await startMonitoredServer()
  const result = reload(server, {
    metrics: '127.0.0.1:0',
    maxMailboxesPerAddress: 100,
    maxWsConnections: 5000,
  })
  expect(result.ok).toBe(true)
  const { values } = await server.scrape()
  expect(values.get('thru_limit{of="mailboxes"}')).toBe(50_000)
  const letters = (from: number) =>
    Array.from({ length: 60 }, (_, at) => String(from + at).padStart(43, 'A'))
  const one = await server.connect()
  one.send({ t: 'listen', v: 1, mailboxes: letters(0) })
  await one.next('listening')
  const two = await server.connect()
  two.send({ t: 'listen', v: 1, mailboxes: letters(100) })
  expect((await two.next('error')).code).toBe('E_SERVER_BUSY')
})

it("changes nothing if one of the settings isn't a limit", async () => {
  const server = await startTestServer({ sessionCreatesBurst: 1, sessionCreatesPerMin: 1 })
  await server.host()
  expect(reload(server, { trustLoopback: true })).toMatchObject({
    error: { subject: '--trust-loopback' },
  })
  const client = await server.connect()
  client.send({ t: 'host', v: 1 })
  expect((await client.next('error')).code).toBe('E_RATE_LIMITED')
})
