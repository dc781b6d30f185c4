import { expect, it } from 'vitest'
import { startTestServer } from './test-server.ts'

it('SIG-06: drops a client that reads nothing while messages pile up', async () => {
  const server = await startTestServer({ wsMessagesPerSec: 10_000, wsMessagesBurst: 10_000 })
  const { host, joiner, hostId } = await server.pair()
  host.socket.pause()
  const isOpen = () => joiner.socket.readyState === joiner.socket.OPEN
  const body = 'A'.repeat(8192)
  // The system's own buffers swallow some megabytes before the server's grow.
  for (let sent = 0; sent < 5000 && isOpen(); sent += 50) {
    for (let each = 0; each < 50; each += 1) joiner.send({ t: 'relay', to: hostId, body })
    await Promise.race([joiner.settled(), joiner.closed])
  }
  expect(await joiner.closed).toBe(4003)
  host.socket.resume()
  expect(await host.closed).toBe(1013)
})
