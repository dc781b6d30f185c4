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

it('SIG-06: drops a client that reads nothing while messages pile up', async () => {
  const server = await startTestServer(endless)
  const { host, joiner, joinerId } = await server.pair()
  joiner.socket.pause()
  const isGone = host.next('gone').then(() => host.socket.close())
  await flood(host, { t: 'relay', to: joinerId, body })
  await isGone
  joiner.socket.resume()
  expect(await joiner.closed).toBe(1013)
})

it('refuses a joiner, and not its host, when more waits for the host than it reads', async () => {
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

it('ends a joiner that says more than a pairing before it is let in, and nobody else', async () => {
  const server = await startTestServer()
  const { host, joiner, joinerId, hostId, nameplate } = await server.pair()
  const other = await server.connect()
  other.send({ t: 'join', v: 1, nameplate, key: other.key })
  const { peer: otherHostId } = await other.next('joined')
  const { peer: otherId } = await host.next('peer')
  for (let sent = 0; sent < 60; sent += 1) joiner.send({ t: 'relay', to: hostId, body })
  expect(await joiner.next('error')).toEqual({ t: 'error', code: 'E_RATE_LIMITED' })
  expect(await joiner.closed).toBe(4000)
  for (let heard = 0; heard < 8; heard += 1) {
    expect(await host.next('relay')).toEqual({ t: 'relay', from: joinerId, body })
  }
  expect(await host.next('gone')).toEqual({ t: 'gone', peer: joinerId })
  other.send({ t: 'relay', to: otherHostId, body })
  expect(await host.next('relay')).toEqual({ t: 'relay', from: otherId, body })
})
