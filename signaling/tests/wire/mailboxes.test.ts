import { describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from './test-server.ts'

const home = 'h'.repeat(43)
const work = 'w'.repeat(43)
const body = 'c2VhbGVk'

async function listen(server: TestServer, ...mailboxes: string[]) {
  const client = await server.connect()
  client.send({ t: 'listen', v: 1, mailboxes })
  await client.next('listening')
  return client
}

describe('a notification', () => {
  it('reaches all who listen on the mailbox, and tells the host so', async () => {
    const server = await startTestServer()
    const desk = await listen(server, home, work)
    const phone = await listen(server, home)
    const { client: host } = await server.host()
    host.send({ t: 'notify', mailbox: home, body })
    expect(await host.next('notified')).toEqual({ t: 'notified', mailbox: home, reached: true })
    for (const listener of [desk, phone]) {
      expect(await listener.next('notify')).toMatchObject({ t: 'notify', mailbox: home, body })
    }
  })

  it('where nobody listens is answered in the same form and kept for nobody', async () => {
    const server = await startTestServer()
    const { client: host } = await server.host()
    host.send({ t: 'notify', mailbox: home, body })
    expect(await host.next('notified')).toEqual({ t: 'notified', mailbox: home, reached: false })
    const late = await listen(server, home)
    await late.processed()
    expect(late.unread).toEqual([])
  })

  it('does not reach a listener that left, lost its socket or listens elsewhere', async () => {
    const server = await startTestServer()
    const [left, lost, elsewhere] = [
      await listen(server, home),
      await listen(server, home),
      await listen(server, home),
    ]
    left.send({ t: 'leave' })
    expect(await left.closed).toBe(1000)
    lost.socket.terminate()
    await lost.closed
    elsewhere.send({ t: 'listen', v: 1, mailboxes: [work] })
    await elsewhere.next('listening')
    await expect.poll(() => server.log.filter(({ event }) => event === 'closed').length).toBe(2)
    const { client: host } = await server.host()
    host.send({ t: 'notify', mailbox: home, body })
    expect((await host.next('notified')).reached).toBe(false)
    host.send({ t: 'notify', mailbox: work, body })
    expect((await host.next('notified')).reached).toBe(true)
    expect(await elsewhere.next('notify')).toMatchObject({ mailbox: work })
  })

  it('reaches four sockets, the newest', async () => {
    const server = await startTestServer()
    const listeners = []
    for (let count = 0; count < 5; count += 1) listeners.push(await listen(server, home))
    const { client: host } = await server.host()
    host.send({ t: 'notify', mailbox: home, body })
    await host.next('notified')
    for (const listener of listeners) await listener.processed()
    expect(listeners.map(({ unread }) => unread.length)).toEqual([0, 1, 1, 1, 1])
  })

  it('is answered with an error after 30 a minute, and the share continues', async () => {
    const server = await startTestServer()
    const { host, joiner, hostId } = await server.pair()
    for (let sent = 0; sent < 30; sent += 1) host.send({ t: 'notify', mailbox: home, body })
    for (let sent = 0; sent < 30; sent += 1) await host.next('notified')
    host.send({ t: 'notify', mailbox: home, body })
    expect(await host.next('error')).toEqual({
      t: 'error',
      code: 'E_RATE_LIMITED',
      mailbox: home,
    })
    joiner.send({ t: 'relay', to: hostId, body })
    await host.next('relay')
    server.clock.advance(2000)
    host.send({ t: 'notify', mailbox: home, body })
    await host.next('notified')
  })

  it.each(['join', 'listen'] as const)('is nothing that may be sent after %s', async (role) => {
    const server = await startTestServer()
    const client = role === 'join' ? (await server.pair()).joiner : await listen(server, home)
    client.send({ t: 'notify', mailbox: home, body })
    expect((await client.next('error')).code).toBe('E_SERVER_PROTOCOL')
    expect(await client.closed).toBe(4001)
  })
})

describe('a listener', () => {
  it.each([
    ['host', '{"t":"host","v":1}'],
    ['join', '{"t":"join","v":1,"nameplate":"4821"}'],
    ['relay', '{"t":"relay","to":"0123456789abcdef","body":"AA=="}'],
    ['grant', '{"t":"grant","peer":"0123456789abcdef"}'],
  ])('may not %s', async (_what, text) => {
    const server = await startTestServer()
    const client = await listen(server, home)
    client.send(text)
    expect((await client.next('error')).code).toBe('E_SERVER_PROTOCOL')
    expect(await client.closed).toBe(4001)
  })

  it('may not be a host', async () => {
    const server = await startTestServer()
    const { client } = await server.host()
    client.send({ t: 'listen', v: 1, mailboxes: [home] })
    expect(await client.closed).toBe(4001)
  })

  it('SIG-10: is refused after it asked 50 times a minute', async () => {
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

  it('is refused when all sockets together listen on enough', async () => {
    const server = await startTestServer({ maxWsConnections: 2 })
    await listen(server, ...Array.from({ length: 20 }, (_, index) => `${index}`.padEnd(43, 'a')))
    const client = await server.connect()
    client.send({ t: 'listen', v: 1, mailboxes: [home] })
    expect((await client.next('error')).code).toBe('E_SERVER_BUSY')
    expect(await client.closed).toBe(4000)
  })

  it('stays when it is silent, like a host', async () => {
    const server = await startTestServer()
    const client = await listen(server, home)
    server.clock.advance(30_000)
    await client.processed()
    expect(client.socket.readyState).toBe(client.socket.OPEN)
  })

  it('leaves no trace of its mailboxes in the log', async () => {
    const server = await startTestServer()
    await listen(server, home)
    const { client: host } = await server.host()
    host.send({ t: 'notify', mailbox: home, body })
    await host.next('notified')
    await server.close()
    expect(JSON.stringify(server.log)).not.toMatch(/h{43}|c2VhbGVk/)
  })
})
