import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { drainMs, storeMs } from '#signaling/limits/limits'
import { MemoryStore } from '#signaling/rooms/memory-store'
import { startSignalingServer } from '#signaling/server'
import { FakeClock } from '../fake-clock.ts'
import { httpGet, startMonitoredServer } from './monitored-server.ts'
import { greeted, RawClient } from './test-server.ts'

it('is ready once it listens, and alive', async () => {
  const server = await startMonitoredServer()
  expect(await server.ask('/readyz')).toMatchObject({ status: 200, content: '{"ready":true}' })
  expect(await server.ask('/healthz')).toMatchObject({
    status: 200,
    content: '{"name":"thruflux-signaling","version":1}',
  })
})

it('is alive but not ready while it drains', async () => {
  const clock = new FakeClock()
  const started = await startSignalingServer({
    host: '127.0.0.1',
    port: 0,
    metrics: '127.0.0.1:0',
    clock,
  })
  if (!started.ok) throw new Error(started.error.detail)
  const { url, metricsPort, close } = started.value
  const client = await greeted(new WebSocket(`${url}/v1`))
  // It doesn't read the close, so the drain takes longer.
  client.socket.pause()
  const closed = close()
  const ask = (path: string) => httpGet(metricsPort ?? 0, path)
  const answer = await ask('/readyz')
  expect(answer).toMatchObject({ status: 503, content: '{"ready":false,"because":"draining"}' })
  expect((await ask('/healthz')).status).toBe(200)
  expect((await ask('/metrics')).content).toContain('\nthru_draining 1\n')
  clock.advance(drainMs)
  await closed
  client.socket.terminate()
  await expect(ask('/readyz')).rejects.toThrow('ECONNREFUSED')
})

it('ends despite an open connection to the monitoring port', async () => {
  const server = await startMonitoredServer()
  const monitored = server.log.find((event) => event.event === 'monitored')
  const mute = new RawClient(monitored?.port ?? 0)
  await mute.connected
  await server.close()
  expect(await mute.ended).toBe('')
})

it('is not ready while the store fails, and ready again afterwards', async () => {
  const store = new MemoryStore()
  const server = await startMonitoredServer({ store })
  const { usage } = store
  store.usage = () => Promise.reject(new Error('the store is away'))
  expect(await server.ask('/readyz')).toMatchObject({
    status: 503,
    content: '{"ready":false,"because":"store"}',
  })
  store.usage = usage
  expect((await server.ask('/readyz')).status).toBe(200)
})

it('is not ready when the store takes too long', async () => {
  const store = new MemoryStore()
  const server = await startMonitoredServer({ store })
  const asked = new Promise<void>((resolve) => {
    store.usage = () => {
      resolve()
      return new Promise(() => undefined)
    }
  })
  const answer = server.ask('/readyz')
  await asked
  server.clock.advance(storeMs)
  expect((await answer).status).toBe(503)
})
