import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { MemoryStore } from '#signaling/rooms/memory-store'
import { startSignalingServer } from '#signaling/server'
import { httpGet, startMonitoredServer } from './monitored-server.ts'
import { startTestServer } from './test-server.ts'

it('counts events of clients, from their sockets to their pairing', async () => {
  const server = await startMonitoredServer()
  const { host, joiner, joinerId, hostId } = await server.pair()
  server.clock.advance(3000)
  joiner.send({ t: 'relay', to: hostId, body: 'AA==' })
  await host.next('relay')
  host.send({ t: 'grant', peer: joinerId })
  await joiner.next('pass')
  const listener = await server.connect()
  listener.send({ t: 'listen', v: 1, mailboxes: ['A'.repeat(43), 'B'.repeat(43)] })
  await listener.next('listening')
  await server.connect()

  const { values } = await server.scrape()
  expect(Object.fromEntries(values)).toMatchObject({
    'thru_sockets{role="host"}': 1,
    'thru_sockets{role="joiner"}': 1,
    'thru_sockets{role="listener"}': 1,
    'thru_sockets{role="none"}': 1,
    thru_sockets_opened_total: 4,
    'thru_sessions{phase="hosted"}': 1,
    'thru_nameplates_taken{digits="4"}': 1,
    thru_mailboxes: 2,
    'thru_hosts_total{kind="new"}': 1,
    'thru_hosts_total{kind="returned"}': 0,
    'thru_joins_total{kind="new"}': 1,
    'thru_messages_received_total{type="join"}': 1,
    'thru_messages_received_total{type="relay"}': 1,
    'thru_messages_received_total{type="listen"}': 1,
    'thru_meeting_seconds_bucket{le="0.001"}': 1,
    thru_meeting_seconds_count: 1,
    'thru_pairing_seconds_bucket{le="2"}': 0,
    'thru_pairing_seconds_bucket{le="4"}': 1,
    thru_pairing_seconds_sum: 3,
    'thru_limit{of="sockets"}': 20_000,
    thru_store_up: 1,
    thru_draining: 0,
  })
})

it('counts bytes as on the sockets', async () => {
  const server = await startMonitoredServer()
  const { client } = await server.host()
  const before = (await server.scrape()).values
  client.send('{"t":"relay","to":"0000000000000000","body":"AA=="}')
  const answer = '{"t":"error","code":"E_PEER_GONE","peer":"0000000000000000"}'
  await client.next('error')
  const after = (await server.scrape()).values
  const more = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
  expect(more('thru_received_bytes_total')).toBe(51)
  expect(more('thru_sent_bytes_total')).toBe(answer.length)
  expect(more('thru_messages_sent_total')).toBe(1)
})

it('counts refusals by reason, and closes by code', async () => {
  const server = await startMonitoredServer({ joinsPerMin: 1, joinsBurst: 1 })
  await server.refusedWith({ headers: { Origin: 'https://example.org' } })
  const first = await server.connect()
  first.send({ t: 'join', v: 1, nameplate: '4821' })
  await first.processed()
  server.clock.advance(1000)
  expect(await first.closed).toBe(4000)
  const second = await server.connect()
  second.send({ t: 'join', v: 1, nameplate: '4821' })
  expect(await second.closed).toBe(4000)
  const third = await server.connect()
  third.socket.close(4999)
  expect(await third.closed).toBe(4999)

  const { values } = await server.scrape()
  expect(Object.fromEntries(values)).toMatchObject({
    'thru_upgrades_refused_total{status="403"}': 1,
    'thru_refusals_total{code="E_NO_SUCH_CODE"}': 1,
    'thru_refusals_total{code="E_RATE_LIMITED"}': 1,
    'thru_sockets_closed_total{code="4000"}': 2,
    'thru_sockets_closed_total{code="other"}': 1,
    thru_meeting_seconds_count: 0,
    'thru_sockets{role="joiner"}': 0,
  })
})

it('has the same series whatever clients do, and no label that identifies one', async () => {
  const server = await startMonitoredServer()
  const before = await server.scrape()
  const host = await server.connect()
  // Avoids close codes, which are labels.
  host.send({ t: 'host', v: 1, nameplate: '7777' })
  await host.next('hosted')
  const joiner = await server.connect()
  joiner.send({ t: 'join', v: 1, nameplate: '7777' })
  await joiner.next('joined')
  const text = (await server.ask('/metrics')).content
  joiner.send('no message')
  await joiner.closed
  const after = await server.scrape()
  expect([...after.values.keys()]).toEqual([...before.values.keys()])
  expect(text).not.toContain('127.0.0.1')
  expect(text).not.toContain('"7777"')
})

it('still responds when the store fails, and reports that', async () => {
  const store = new MemoryStore()
  const server = await startMonitoredServer({ store })
  store.usage = () => Promise.reject(new Error('the store is away'))
  const client = await server.connect()
  client.send({ t: 'host', v: 1 })
  await client.closed
  const { values } = await server.scrape()
  expect(values.get('thru_store_up')).toBe(0)
  expect(values.has('thru_sessions{phase="hosted"}')).toBe(false)
  expect(values.get('thru_failures_total')).toBe(1)
  expect(values.get('thru_refusals_total{code="E_INTERNAL"}')).toBe(1)
})

it('measures the delay of timers', async () => {
  const server = await startMonitoredServer()
  server.clock.advance(1000)
  const { values } = await server.scrape()
  expect(values.get('thru_event_loop_delay_seconds_count')).toBe(10)
})

it('serves metrics only on the configured port', async () => {
  const server = await startMonitoredServer()
  expect(await server.ask('/metrics')).toMatchObject({
    status: 200,
    type: 'text/plain; version=0.0.4; charset=utf-8',
  })
  for (const path of ['/metrics', '/readyz']) {
    expect((await httpGet(server.port, path)).status).toBe(404)
  }
  expect((await server.ask('/v1')).status).toBe(404)
  expect((await server.ask('/metrics', { Origin: 'http://localhost' })).status).toBe(403)
})

it('serves none by default', async () => {
  const server = await startTestServer()
  expect(server.log.map(({ event }) => event)).toEqual(['listening'])
})

it("fails to start with the address on which it can't serve metrics", async () => {
  const taken = createServer()
  const port = await new Promise<number>((resolve) => {
    taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { port: number }).port))
  })
  const started = await startSignalingServer({
    host: '127.0.0.1',
    port: 0,
    metrics: `127.0.0.1:${port}`,
  })
  taken.close()
  expect(started).toMatchObject({
    error: { subject: `127.0.0.1:${port}`, detail: expect.stringContaining('--metrics') as string },
  })
})
