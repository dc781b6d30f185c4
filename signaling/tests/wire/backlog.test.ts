import { expect, it } from 'vitest'
import { startTestServer, type TestClient } from './test-server.ts'

const body = 'A'.repeat(8192)

/** Sends `message` until the system's own buffers, some megabytes, and the server's are full. */
async function flood(from: TestClient, message: Parameters<TestClient['send']>[0]) {
  const isOpen = () => from.socket.readyState === from.socket.OPEN
  for (let sent = 0; sent < 5000 && isOpen(); sent += 50) {
    for (let each = 0; each < 50; each += 1) from.send(message)
    await Promise.race([from.processed(), from.closed])
  }
}

const endless = { wsMessagesPerSec: 10_000, wsMessagesBurst: 10_000 }

it("refuses a joiner, not its host, if the host doesn't read", async () => {
  const server = await startTestServer(endless)
  const { host, joiner, joinerId, hostId, nameplate } = await server.pair()
  host.send({ t: 'grant', peer: joinerId })
  const { pass } = await joiner.next('pass')
  host.socket.pause()
  await flood(joiner, { t: 'relay', to: hostId, body })
  expect(await joiner.next('error')).toEqual({ t: 'error', code: 'E_RATE_LIMITED' })
  expect(await joiner.closed).toBe(4000)
  for (const message of [
    { t: 'join', v: 1, nameplate },
    { t: 'join', v: 1, nameplate, pass },
  ] as const) {
    const late = await server.connect()
    late.send(message)
    await late.next('joined')
    expect((await late.next('error')).code).toBe('E_RATE_LIMITED')
  }
  host.socket.resume()
  await host.processed()
  const next = await server.connect()
  next.send({ t: 'join', v: 1, nameplate, key: next.key })
  await next.next('joined')
})
