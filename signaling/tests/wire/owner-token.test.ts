import { expect, it } from 'vitest'
import { startTestServer } from './test-server.ts'

it('gives a host that lost its socket its nameplate back', async () => {
  const server = await startTestServer()
  const { client, nameplate, token } = await server.host()
  client.socket.terminate()
  const again = await server.connect()
  again.send({ t: 'host', v: 1, token })
  expect(await again.next('hosted')).toMatchObject({ nameplate, token })
})

it('SIG-09: gives the nameplate to the newest of two sockets and tells the oldest', async () => {
  const server = await startTestServer()
  const { client: oldest, nameplate, token } = await server.host()
  const newest = await server.connect()
  newest.send({ t: 'host', v: 1, token })
  await newest.next('hosted')
  expect(await oldest.closed).toBe(4002)

  const joiner = await server.connect()
  joiner.send({ t: 'join', v: 1, nameplate })
  await joiner.next('joined')
  await newest.next('peer')
})

it('SIG-08: refuses a guessed token like an unknown nameplate', async () => {
  const server = await startTestServer()
  await server.host()
  const thief = await server.connect()
  thief.send({ t: 'host', v: 1, token: 'A'.repeat(43) })
  await thief.settled()
  expect(thief.unread).toEqual([])
  server.clock.advance(600)
  expect(await thief.next('error')).toEqual({ t: 'error', code: 'E_NO_SUCH_CODE' })
  expect(await thief.closed).toBe(4000)
})

it('asks joiners to come again while the host is away, and gives it up after ten minutes', async () => {
  const server = await startTestServer()
  const { client, nameplate } = await server.host()
  client.socket.close()
  await client.closed
  const join = async () => {
    const joiner = await server.connect()
    joiner.send({ t: 'join', v: 1, nameplate })
    await joiner.settled()
    server.clock.advance(600)
    return (await joiner.next('error')).code
  }
  expect(await join()).toBe('E_PEER_GONE')
  server.clock.advance(10 * 60_000)
  expect(await join()).toBe('E_NO_SUCH_CODE')
})
