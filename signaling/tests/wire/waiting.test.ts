/** Joiners with a pass whose host lost its socket. */
import { expect, it } from 'vitest'
import { OwnerKey } from '#shared/signaling/owner-proof'
import { startTestServer, type TestServer } from './test-server.ts'

/** A nameplate that can be taken back, with the passes of so many joiners that were let in. */
async function shareWith(server: TestServer, joiners: number) {
  const owner = new OwnerKey()
  const host = await server.connect()
  host.hostAs(owner)
  const { nameplate } = await host.next('hosted')
  const passes: string[] = []
  for (let index = 0; index < joiners; index += 1) {
    const joiner = await server.connect()
    joiner.send({ t: 'join', v: 1, nameplate, key: joiner.key })
    await joiner.next('joined')
    host.send({ t: 'grant', peer: (await host.next('peer')).peer })
    passes.push((await joiner.next('pass')).pass)
    joiner.socket.close()
    await host.next('gone')
  }
  const lose = async () => {
    host.socket.terminate()
    await host.closed
  }
  return { owner, nameplate, passes, lose }
}

/** A joiner with that pass, and its answer. */
async function join(server: TestServer, nameplate: string, pass = '', body = 'AA==') {
  const client = await server.connect()
  client.send(client.sealed({ t: 'join', v: 1, nameplate, pass, body }))
  const answer = await client.receive()
  return { client, answer: answer.t === 'error' ? answer.code : answer.t }
}

it('finds its host as soon as that is back', async () => {
  const server = await startTestServer()
  const { owner, nameplate, passes, lose } = await shareWith(server, 1)
  await lose()
  const { client, answer } = await join(server, nameplate, passes[0])
  expect(answer).toBe('waiting')
  const back = await server.connect()
  back.hostAs(owner)
  await back.next('hosted')
  const { peer: hostId } = await client.next('joined')
  const { peer: joinerId, body } = await back.next('peer')
  expect(body).toBe('AA==')
  back.send({ t: 'relay', to: joinerId, body: 'Ag==' })
  expect(await client.next('relay')).toEqual({ t: 'relay', from: hostId, body: 'Ag==' })
})

it('has one place by one pass, however often it comes', async () => {
  const server = await startTestServer()
  const { nameplate, passes, lose } = await shareWith(server, 2)
  await lose()
  const [greedy, honest] = passes
  // Two texts of the same 32 bytes: the last character has two bits to spare.
  const same = `${greedy?.slice(0, -1)}${String.fromCharCode((greedy?.charCodeAt(42) ?? 0) + 1)}`
  const earlier = await join(server, nameplate, greedy, 'A'.repeat(1024))
  expect(earlier.answer).toBe('waiting')
  expect((await join(server, nameplate, same)).answer).toBe('waiting')
  expect((await earlier.client.next('error')).code).toBe('E_PEER_GONE')
  expect(await earlier.client.closed).toBe(4000)
  expect((await join(server, nameplate, honest)).answer).toBe('waiting')
})

it('waits with no more than the first message of a pairing', async () => {
  const server = await startTestServer()
  const { nameplate, passes, lose } = await shareWith(server, 1)
  await lose()
  const long = await join(server, nameplate, passes[0], 'A'.repeat(1025))
  expect(long.answer).toBe('E_PEER_GONE')
})

it('gives nobody back a guess at a nameplate whose time is over', async () => {
  const server = await startTestServer({ joinsBurst: 100, joinsPerMin: 100 })
  const { nameplate, passes, lose } = await shareWith(server, 1)
  // The ten minutes end between two sweeps of the server.
  server.clock.advance(15_000)
  await lose()
  const { client } = await join(server, nameplate, passes[0])
  for (let step = 0; step < 20; step += 1) {
    server.clock.advance(step === 19 ? 29_000 : 30_000)
    await client.processed()
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
  expect((await client.next('error')).code).toBe('E_PEER_GONE')
})
