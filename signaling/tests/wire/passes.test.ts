import { expect, it } from 'vitest'
import { listen, startTestServer, type TestServer } from './test-server.ts'

/** The error code of a join, or `null` if it is accepted. */
async function join(server: TestServer, nameplate: string, pass?: string) {
  const client = await server.connect()
  client.send({ t: 'join', v: 1, nameplate, ...(pass === undefined ? {} : { pass }) })
  const answer = await client.receive()
  client.socket.close()
  await client.closed
  return answer.t === 'error' ? answer.code : null
}

it('readmits an admitted joiner, however many strangers try to join', async () => {
  const server = await startTestServer({ joinsBurst: 1, joinsPerMin: 1 })
  const { host, joiner, joinerId, nameplate } = await server.pair()
  host.send({ t: 'grant', peer: joinerId })
  const { pass } = await joiner.next('pass')
  expect(await join(server, nameplate)).toBe('E_RATE_LIMITED')
  // A forged pass.
  expect(await join(server, nameplate, 'A'.repeat(43))).toBe('E_RATE_LIMITED')
  for (let time = 0; time < 10; time += 1) expect(await join(server, nameplate, pass)).toBeNull()
  expect(await join(server, nameplate, pass)).toBe('E_RATE_LIMITED')
  server.clock.advance(6000)
  expect(await join(server, nameplate, pass)).toBeNull()
})

it('admits a contact that the host notified', async () => {
  const server = await startTestServer({ joinsBurst: 1, joinsPerMin: 1 })
  const mailbox = 'M'.repeat(43)
  const listener = await listen(server, mailbox)
  const { client: host, nameplate } = await server.host()
  host.send({ t: 'notify', mailbox, body: 'AA==' })
  const { pass } = await listener.next('notify')
  expect(await join(server, nameplate)).toBeNull()
  expect(await join(server, nameplate)).toBe('E_RATE_LIMITED')
  expect(await join(server, nameplate, pass)).toBeNull()
})
