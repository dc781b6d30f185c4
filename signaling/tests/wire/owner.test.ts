import { expect, it } from 'vitest'
import { OwnerKey } from '#shared/signaling/owner-proof'
import { LineKey } from '#shared/signaling/sealed-line'
import { startTestServer, type TestClient, type TestServer } from './test-server.ts'

/** A socket that hosts as this owner, and the nameplate that it got. */
async function hostAs(server: TestServer, owner: OwnerKey) {
  const client = await server.connect()
  client.hostAs(owner)
  return { client, nameplate: (await client.next('hosted')).nameplate }
}

it('gives a host that lost its socket its nameplate back', async () => {
  const server = await startTestServer()
  const owner = new OwnerKey()
  const { client, nameplate } = await hostAs(server, owner)
  client.socket.terminate()
  expect((await hostAs(server, owner)).nameplate).toBe(nameplate)
})

it('gives one that rests back only while there may be another session', async () => {
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
  // What is swept at this time is so a moment later.
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

it('SIG-09: gives the nameplate to the newest of two sockets and tells the oldest', async () => {
  const server = await startTestServer()
  const owner = new OwnerKey()
  const { client: oldest, nameplate } = await hostAs(server, owner)
  const { client: newest } = await hostAs(server, owner)
  expect(await oldest.closed).toBe(4002)

  const joiner = await server.connect()
  joiner.send({ t: 'join', v: 1, nameplate })
  await joiner.next('joined')
  await newest.next('peer')
})

it('SIG-08: takes no proof that was heard on another socket, whatever is put around it', async () => {
  const server = await startTestServer()
  const owner = new OwnerKey()
  const { client: heard } = await hostAs(server, owner)
  const proof = owner.prove(heard.greeting)
  for (const key of [heard.key, undefined]) {
    const thief = await server.connect()
    thief.send({ t: 'host', v: 1, key: key ?? thief.key, owner: owner.publicKey, proof })
    expect((await thief.next('error')).code).toBe('E_SERVER_PROTOCOL')
    expect(await thief.closed).toBe(1007)
  }
})

it('SIG-08: takes no proof for the key of somebody who comes between the two', async () => {
  const server = await startTestServer()
  const owner = new OwnerKey()
  await hostAs(server, owner)
  const thief = await server.connect()
  // What the owner says to whoever passes the greeting on, in a box of the thief's.
  const key = new LineKey().publicKey
  const proof = owner.prove({ ...thief.greeting, clientKey: key })
  thief.send(thief.sealed({ t: 'host', v: 1, key, owner: owner.publicKey, proof }))
  expect((await thief.next('error')).code).toBe('E_SERVER_PROTOCOL')
  expect(await thief.closed).toBe(1007)
})

it('SIG-08: takes no proof of another key', async () => {
  const server = await startTestServer()
  const owner = new OwnerKey()
  await hostAs(server, owner)
  const thief = await server.connect()
  const proof = new OwnerKey().prove(thief.greeting)
  thief.send({ t: 'host', v: 1, key: thief.key, owner: owner.publicKey, proof })
  expect(await thief.closed).toBe(1007)
})

it('takes a nameplate back in the reserve of a full server, where nobody else gets in', async () => {
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

it('asks joiners to come again while the host is away, and gives it up after ten minutes', async () => {
  const server = await startTestServer()
  const { client, nameplate } = await server.host()
  client.socket.close()
  await client.closed
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
