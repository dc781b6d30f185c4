/** Clients that occupy memory with unread or incomplete messages. */
import { expect, it } from 'vitest'
import { startTestServer, type TestClient } from './test-server.ts'

/** Sends the first `bytes` bytes of a message. */
const begin = (client: TestClient, bytes: number) =>
  client.socket.send('a'.repeat(bytes), { fin: false })

it('ends a message that takes more than 20 s, whatever else its client sends', async () => {
  const server = await startTestServer()
  const { client: slow } = await server.host()
  const { client: other } = await server.host()
  begin(slow, 1)
  await slow.processed()
  for (let second = 0; second < 20; second += 1) {
    server.clock.advance(1000)
    begin(slow, 1)
    await slow.processed()
    other.send({ t: 'relay', to: '0123456789abcdef', body: 'AA==' })
    await other.next('error')
  }
  server.clock.advance(1000)
  expect(await slow.closed).toBe(1008)
  expect(other.socket.readyState).toBe(other.socket.OPEN)
})

it('ends an endless frame, too', async () => {
  const server = await startTestServer()
  const { client } = await server.host()
  const tcp = client.socket as unknown as { readonly _socket: { write(data: Buffer): void } }
  // Three bytes of a text of 100, masked with zeros.
  tcp._socket.write(Buffer.from([0x81, 0x80 | 100, 0, 0, 0, 0, 0x7b, 0x22, 0x74]))
  await expect
    .poll(() => {
      server.clock.advance(5000)
      return client.socket.readyState
    })
    .toBe(client.socket.CLOSED)
  expect(await client.closed).toBe(1008)
})

it('accepts each message as soon as the last one has ended', async () => {
  const server = await startTestServer()
  const { client } = await server.host()
  const halves = ['{"t":"relay","to":"0123456789abcdef",', '"body":"AA=="}'] as const
  client.socket.send(halves[0], { fin: false })
  for (let turn = 0; turn < 4; turn += 1) {
    await client.processed()
    server.clock.advance(15_000)
    client.socket.send(halves[1], { fin: true })
    client.socket.send(halves[0], { fin: false })
    expect((await client.next('error')).code).toBe('E_PEER_GONE')
  }
})

it('cuts the heaviest clients when all together hold too much', async () => {
  const server = await startTestServer({ maxHeldBytes: 1024 * 1024 })
  const heavy = await Promise.all(Array.from({ length: 20 }, () => server.connect()))
  const { client: honest } = await server.host()
  begin(honest, 100)
  for (const client of heavy) begin(client, 60_000)
  await Promise.all([...heavy, honest].map((client) => client.processed()))
  server.clock.advance(1000)
  const cut = () => heavy.filter(({ socket }) => socket.readyState === socket.CLOSED).length
  // A mebibyte holds 17 times 60,000 bytes.
  await expect.poll(cut).toBe(3)
  expect(server.log).toContainEqual({ event: 'heaviest-cut', sockets: 3 })
  await honest.processed()
})
