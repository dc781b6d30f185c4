import { expect, it } from 'vitest'
import { MemoryStore } from '#signaling/rooms/memory-store'
import { startTestServer } from './test-server.ts'

it('refuses one client when the store fails, and keeps serving others', async () => {
  const store = new MemoryStore()
  const server = await startTestServer({ store })
  const { joiner, hostId, host } = await server.pair()
  const { usage } = store
  store.usage = () => Promise.reject(new Error('the store is away'))
  const client = await server.connect()
  client.send({ t: 'host', v: 1 })
  expect((await client.next('error')).code).toBe('E_INTERNAL')
  expect(await client.closed).toBe(4000)
  expect(server.log.map(({ event }) => event)).toContain('failed')

  joiner.send({ t: 'relay', to: hostId, body: 'AA==' })
  await host.next('relay')
  store.usage = usage
  await server.host()
})
