import { expect, it } from 'vitest'
import { startSignalingServer } from '#signaling/server'
import { RawClient, startTestServer } from './test-server.ts'

it('closes every socket with 1001, then stops listening', async () => {
  const server = await startTestServer()
  const { host, joiner } = await server.pair()
  const mute = new RawClient(server.port)
  await mute.connected
  await server.close()
  expect(await host.closed).toBe(1001)
  expect(await joiner.closed).toBe(1001)
  await mute.ended
  await expect(server.connect()).rejects.toThrow('ECONNREFUSED')
  expect(server.clock.pending).toBe(0)
})

it('does not wait for clients that do not answer', async () => {
  const server = await startTestServer()
  const { client } = await server.host()
  client.socket.pause()
  await server.close()
  client.socket.resume()
  await client.closed
})

it('can be closed twice', async () => {
  const server = await startTestServer()
  await Promise.all([server.close(), server.close()])
})

it("names the address that it can't listen on", async () => {
  const server = await startTestServer()
  const second = await startSignalingServer({ host: '127.0.0.1', port: server.port })
  expect(second).toMatchObject({
    ok: false,
    error: { code: 'E_BAD_ARGUMENT', subject: `127.0.0.1:${server.port}` },
  })
})

it.each([
  ['127.0.0.1', 'ws://127.0.0.1:'],
  ['0.0.0.0', 'ws://127.0.0.1:'],
  ['', 'ws://127.0.0.1:'],
  ['localhost', 'ws://localhost:'],
])('is reached from here when it listens at "%s"', async (host, url) => {
  const started = await startSignalingServer({ host, port: 0 })
  if (!started.ok) throw new Error(started.error.detail)
  expect(started.value.url).toBe(`${url}${started.value.port}`)
  await started.value.close()
})
