/** The limits of a joiner before its host admits it. */
import { expect, it } from 'vitest'
import { OwnerKey } from '#shared/signaling/owner-proof'
import { MemoryStore } from '#signaling/rooms/memory-store'
import { startTestServer } from './test-server.ts'

const nobody = '0123456789abcdef'

/** A store that counts the requested changes. */
class CountingStore extends MemoryStore {
  changes = 0
  override update(...args: Parameters<MemoryStore['update']>) {
    this.changes += 1
    return super.update(...args)
  }
}

it('gets an error for an unknown peer without a request to the store', async () => {
  const store = new CountingStore()
  const server = await startTestServer({ store })
  const { joiner } = await server.pair()
  const { changes } = store
  joiner.send({ t: 'relay', to: nobody, body: 'AA==' })
  expect(await joiner.next('error')).toEqual({ t: 'error', code: 'E_PEER_GONE', peer: nobody })
  expect(store.changes).toBe(changes)
})

it('may send two messages a second after its burst, and more once it is admitted', async () => {
  const server = await startTestServer()
  const { host, joiner, joinerId, hostId } = await server.pair()
  const relay = async (count: number) => {
    for (let sent = 0; sent < count; sent += 1)
      joiner.send({ t: 'relay', to: hostId, body: 'AA==' })
    for (let sent = 0; sent < count; sent += 1) await host.next('relay')
  }
  await relay(59)
  for (let second = 0; second < 5; second += 1) {
    server.clock.advance(1000)
    await relay(2)
  }
  host.send({ t: 'grant', peer: joinerId })
  await joiner.next('pass')
  server.clock.advance(1000)
  await relay(20)
  joiner.send({ t: 'relay', to: hostId, body: 'AA==' })
  expect(await joiner.closed).toBe(4006)
})

it('is admitted within two minutes, or loses its place', async () => {
  const server = await startTestServer({ wsIdleTimeout: 3600 })
  const { host, joiner, joinerId, hostId, nameplate } = await server.pair()
  const other = await server.connect()
  other.send({ t: 'join', v: 1, nameplate, key: other.key })
  await other.next('joined')
  const { peer: otherId } = await host.next('peer')
  host.send({ t: 'grant', peer: otherId })
  await other.next('pass')
  server.clock.advance(119_000)
  await host.processed()
  expect(joiner.socket.readyState).toBe(joiner.socket.OPEN)
  server.clock.advance(1000)
  expect(await joiner.next('gone')).toEqual({ t: 'gone', peer: hostId })
  expect(await joiner.closed).toBe(4003)
  expect(await host.next('gone')).toEqual({ t: 'gone', peer: joinerId })
  expect(other.socket.readyState).toBe(other.socket.OPEN)
})

it('leaves places to joiners with passes, one each', async () => {
  const server = await startTestServer({ maxReceiversPerSender: 1 })
  const { host, joiner, joinerId, nameplate } = await server.pair()
  host.send({ t: 'grant', peer: joinerId })
  const { pass } = await joiner.next('pass')
  joiner.send({ t: 'leave' })
  await joiner.closed
  const join = async (more: { readonly pass?: string } = {}) => {
    const client = await server.connect()
    client.send({ t: 'join', v: 1, nameplate, key: client.key, ...more })
    const answer = await client.receive()
    return { client, said: answer.t === 'error' ? answer.code : answer.t }
  }
  const second = (await join()).client
  await host.next('gone')
  const { peer: secondId } = await host.next('peer')
  host.send({ t: 'grant', peer: secondId })
  const { pass: secondPass } = await second.next('pass')
  expect(secondPass).not.toBe(pass)
  expect((await join()).said).toBe('E_TOO_MANY_RECEIVERS')

  const back = await join({ pass })
  expect(back.said).toBe('joined')
  expect((await join()).said).toBe('E_TOO_MANY_RECEIVERS')
  // The other pass takes no additional place, and keeps its own.
  expect((await join({ pass: secondPass })).said).toBe('E_TOO_MANY_RECEIVERS')
  expect(second.socket.readyState).toBe(second.socket.OPEN)
  const again = await join({ pass })
  expect(again.said).toBe('joined')
  expect(await back.client.closed).toBe(4002)

  again.client.send({ t: 'leave' })
  await again.client.closed
  expect((await join({ pass: secondPass })).said).toBe('joined')
  expect(await second.closed).toBe(4002)
  expect((await join()).said).toBe('joined')
})

it('is limited in hosting before its proof is verified', async () => {
  const server = await startTestServer({ sessionCreatesBurst: 1 })
  const known = new OwnerKey()
  const first = await server.connect()
  first.hostAs(known)
  await first.next('hosted')
  const host = async (owner: OwnerKey) => {
    const client = await server.connect()
    const { key, greeting } = client
    const proof = new OwnerKey().prove(greeting)
    client.send({ t: 'host', v: 1, key, owner: owner.publicKey, proof })
    return [(await client.next('error')).code, await client.closed]
  }
  expect(await host(new OwnerKey())).toEqual(['E_RATE_LIMITED', 4000])
  expect(await host(known)).toEqual(['E_SERVER_PROTOCOL', 1007])
})

it.each(['joiner', 'host'] as const)('as %s reports its end to the store once', async (who) => {
  const store = new CountingStore()
  const server = await startTestServer({ store })
  const pair = await server.pair()
  const { changes } = store
  pair[who].send({ t: 'leave' })
  expect(await pair[who].closed).toBe(1000)
  if (who === 'host') await pair.joiner.closed
  else await pair.host.next('gone')
  await server.close()
  // The server itself ends the other one.
  expect(store.changes - changes).toBe(who === 'host' ? 1 : 2)
})
