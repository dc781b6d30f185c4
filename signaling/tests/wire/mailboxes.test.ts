/** Limits of mailboxes. */
import { expect, it } from 'vitest'
import { listen, startTestServer } from './test-server.ts'

const home = 'h'.repeat(43)
const body = 'c2VhbGVk'

it('answers a notification with an error after 30 a minute, and the share continues', async () => {
  const server = await startTestServer()
  const { host, joiner, hostId } = await server.pair()
  const invitation = { t: 'notify', mailbox: home, body } as const
  for (let sent = 0; sent < 30; sent += 1) host.send(invitation)
  for (let sent = 0; sent < 30; sent += 1) await host.next('notified')
  host.send(invitation)
  expect(await host.next('error')).toEqual({
    t: 'error',
    code: 'E_RATE_LIMITED',
    mailbox: home,
  })
  joiner.send({ t: 'relay', to: hostId, body })
  await host.next('relay')
  server.clock.advance(2000)
  host.send(invitation)
  await host.next('notified')
})

it('SIG-10: refuses a listener after 50 requests a minute', async () => {
  const server = await startTestServer()
  const client = await listen(server, home)
  for (let time = 1; time < 50; time += 1) {
    client.send({ t: 'listen', v: 1, mailboxes: [home] })
    await client.next('listening')
  }
  client.send({ t: 'listen', v: 1, mailboxes: [home] })
  expect((await client.next('error')).code).toBe('E_RATE_LIMITED')
  expect(await client.closed).toBe(4000)
})

it('refuses a listener at the global limit of mailboxes', async () => {
  const server = await startTestServer({ maxWsConnections: 2 })
  await listen(server, ...Array.from({ length: 20 }, (_, index) => `${index}`.padEnd(43, 'a')))
  const client = await server.connect()
  client.send({ t: 'listen', v: 1, mailboxes: [home] })
  expect((await client.next('error')).code).toBe('E_SERVER_BUSY')
  expect(await client.closed).toBe(4000)
})
