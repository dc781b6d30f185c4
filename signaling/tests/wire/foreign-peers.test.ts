import { expect, it } from 'vitest'
import { startTestServer } from './test-server.ts'

it('SIG-07: answers a message to a peer of another session like one to nobody', async () => {
  const server = await startTestServer()
  const mine = await server.pair()
  const other = await server.pair()
  for (const to of [other.joinerId, other.hostId, '0123456789abcdef']) {
    for (const sender of [mine.host, mine.joiner]) {
      sender.send({ t: 'relay', to, body: 'AA==' })
      expect(await sender.next('error')).toEqual({ t: 'error', code: 'E_PEER_GONE', peer: to })
    }
  }
  await other.host.processed()
  await other.joiner.processed()
  expect([...other.host.unread, ...other.joiner.unread]).toEqual([])
})

it('never passes a message back to its sender', async () => {
  const server = await startTestServer()
  const { host, joiner, hostId, joinerId } = await server.pair()
  host.send({ t: 'relay', to: hostId, body: 'AA==' })
  expect((await host.next('error')).code).toBe('E_PEER_GONE')
  joiner.send({ t: 'relay', to: joinerId, body: 'AA==' })
  expect((await joiner.next('error')).code).toBe('E_PEER_GONE')
})
