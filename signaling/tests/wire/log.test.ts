/** The log contains no secrets. */
import { expect, it } from 'vitest'
import { listen, startTestServer } from './test-server.ts'

it('logs neither tokens nor bodies, and no nameplate together with an address', async () => {
  const server = await startTestServer()
  const { host, joiner, hostId } = await server.pair()
  joiner.send({ t: 'relay', to: hostId, body: 'c2VjcmV0' })
  await host.next('relay')
  await server.close()
  for (const event of server.log) {
    expect('nameplate' in event && 'address' in event).toBe(false)
    expect(JSON.stringify(event)).not.toMatch(/c2VjcmV0|[A-Za-z0-9_-]{43}|127\.0\.0\.1/)
  }
  expect(server.log.map(({ event }) => event)).toContain('hosted')
})

it('leaves no trace of mailboxes and invitations', async () => {
  const server = await startTestServer()
  const mailbox = 'h'.repeat(43)
  await listen(server, mailbox)
  const { client: host } = await server.host()
  host.send({ t: 'notify', mailbox, body: 'c2VhbGVk' })
  await host.next('notified')
  await server.close()
  expect(JSON.stringify(server.log)).not.toMatch(/h{43}|c2VhbGVk/)
})

it('never logs the secret or a credential', async () => {
  const turnSecret = 'north-wind-and-the-sun'
  const server = await startTestServer({ turnUrls: ['turn:relay.example:3478'], turnSecret })
  const { host, joinerId } = await server.pair()
  host.send({ t: 'grant', peer: joinerId })
  const { username, credential } = await host.next('turn')
  await server.close()
  const log = JSON.stringify(server.log)
  for (const secret of [turnSecret, username, credential]) expect(log).not.toContain(secret)
})

it('logs addresses only in the configured form', async () => {
  const lines = async (logAddresses: string) => {
    const server = await startTestServer({ logAddresses })
    const { joiner } = await server.pair()
    await server.refusedWith({ headers: { Origin: 'https://example.org' } })
    joiner.socket.close()
    await joiner.closed
    return JSON.stringify(server.log)
  }
  expect(await lines('none')).not.toMatch(/127|address/)
  expect(await lines('network')).toContain('"event":"opened","address":"127.0.0.0/24"')
  const hashed = await lines('hashed')
  expect(hashed).toMatch(/"event":"opened","address":"[0-9a-f]{12}"/)
  expect(hashed).not.toContain('127.0')
})
