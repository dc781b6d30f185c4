import { expect, it } from 'vitest'
import { startTestServer, type TestServer } from './test-server.ts'

/** The code of the error that a join gets, or null when it is let in. */
async function join(server: TestServer, nameplate: string, pass?: string) {
  const client = await server.connect()
  client.send({ t: 'join', v: 1, nameplate, ...(pass === undefined ? {} : { pass }) })
  const answer = await client.receive()
  client.socket.close()
  await client.closed
  return answer.t === 'error' ? answer.code : null
}

it('lets in again whom the host let in, however many strangers try to join', async () => {
  const server = await startTestServer({ joinsBurst: 1, joinsPerMin: 1 })
  const { host, joiner, joinerId, nameplate } = await server.pair()
  host.send({ t: 'grant', peer: joinerId })
  const { pass } = await joiner.next('pass')
  expect(await join(server, nameplate)).toBe('E_RATE_LIMITED')
  for (let time = 0; time < 10; time += 1) expect(await join(server, nameplate, pass)).toBeNull()
  expect(await join(server, nameplate, pass)).toBe('E_RATE_LIMITED')
  server.clock.advance(6000)
  expect(await join(server, nameplate, pass)).toBeNull()
})

it('lets in whom the host rang', async () => {
  const server = await startTestServer({ joinsBurst: 1, joinsPerMin: 1 })
  const mailbox = 'M'.repeat(43)
  const listener = await server.connect()
  listener.send(listener.sealed({ t: 'listen', v: 1, mailboxes: [mailbox] }))
  await listener.next('listening')
  const { client: host, nameplate } = await server.host()
  host.send(host.sealed({ t: 'notify', mailbox, body: 'AA==' }))
  const { pass } = await listener.next('notify')
  expect(await join(server, nameplate)).toBeNull()
  expect(await join(server, nameplate)).toBe('E_RATE_LIMITED')
  expect(await join(server, nameplate, pass)).toBeNull()
})

it('takes a pass that somebody made up for none at all', async () => {
  const server = await startTestServer({ joinsBurst: 1, joinsPerMin: 1 })
  const { nameplate } = await server.pair()
  expect(await join(server, nameplate, 'A'.repeat(43))).toBe('E_RATE_LIMITED')
})

it('shows no mailbox to who listens to the sockets', async () => {
  const server = await startTestServer()
  const mailbox = 'M'.repeat(43)
  const listener = await server.connect()
  const { client: host } = await server.host()
  const heard: string[] = []
  for (const { socket } of [host, listener]) {
    socket.on('message', (data) => heard.push((data as Buffer).toString()))
  }
  listener.send(listener.sealed({ t: 'listen', v: 1, mailboxes: [mailbox] }))
  await listener.next('listening')
  host.send(host.sealed({ t: 'notify', mailbox, body: 'AA==' }))
  expect((await listener.next('notify')).mailbox).toBe(mailbox)
  expect(await host.next('notified')).toEqual({ t: 'notified', mailbox, reached: true })
  expect(heard.join('\n')).not.toContain(mailbox)
})

it('shows no pass to who listens to the sockets, wherever it travels', async () => {
  const server = await startTestServer()
  const { host, joiner, joinerId, nameplate } = await server.pair()
  const onTheWay: string[] = []
  joiner.socket.on('message', (data) => onTheWay.push((data as Buffer).toString()))
  host.send({ t: 'grant', peer: joinerId })
  const { pass } = await joiner.next('pass')
  const again = await server.connect()
  const back = again.sealed({ t: 'join', v: 1, nameplate, pass })
  onTheWay.push(JSON.stringify(back))
  again.send(back)
  await again.next('joined')
  expect(onTheWay.join('\n')).not.toContain(pass)
})

it('opens each box once, and none of another key', async () => {
  const server = await startTestServer()
  const client = await server.connect()
  const box = client.sealed({ t: 'listen', v: 1, mailboxes: ['M'.repeat(43)] })
  client.send(box)
  await client.next('listening')
  client.send(box)
  expect((await client.next('error')).code).toBe('E_SERVER_PROTOCOL')
  expect(await client.closed).toBe(1007)
})

it.each([
  ['listen', { t: 'listen', v: 1, mailboxes: ['M'.repeat(43)] }],
  ['notify', { t: 'notify', mailbox: 'M'.repeat(43), body: 'AA==' }],
  ['join with a pass', { t: 'join', v: 1, nameplate: '4821', pass: 'p'.repeat(43) }],
])('takes no %s that anybody on the way could have read', async (t, message) => {
  const server = await startTestServer()
  const client = t === 'notify' ? (await server.host()).client : await server.connect()
  client.send(JSON.stringify(message))
  expect((await client.next('error')).code).toBe('E_SERVER_PROTOCOL')
  expect(await client.closed).toBe(1007)
})
