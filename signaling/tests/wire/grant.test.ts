import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { startTestServer } from './test-server.ts'

const turn = {
  turnUrls: ['turn:relay.example:3478?transport=udp', 'turn:relay.example:443?transport=tcp'],
  turnSecret: 'north-wind-and-the-sun',
}

describe('a grant', () => {
  it('gives the host and that joiner credentials', async () => {
    const server = await startTestServer({ ...turn, turnTtl: 300 })
    const { host, joiner, hostId, joinerId } = await server.pair()
    host.send({ t: 'grant', peer: joinerId })
    const answers = [await host.next('turn'), await joiner.next('turn')]
    expect(answers.map(({ peer }) => peer)).toEqual([joinerId, hostId])
    for (const { urls, username, credential, ttlS } of answers) {
      expect({ urls, ttlS }).toEqual({ urls: turn.turnUrls, ttlS: 300 })
      expect(Number(username.split(':')[0])).toBe(server.clock.wallTime() / 1000 + 300)
      const expected = createHmac('sha1', turn.turnSecret).update(username).digest('base64')
      expect(credential).toBe(expected)
    }
  })

  it('gives one address only so many credentials, and then nothing', async () => {
    const server = await startTestServer({ ...turn, turnGrantsPerHour: 2 })
    const { host, joiner, hostId, joinerId } = await server.pair()
    host.send({ t: 'grant', peer: joinerId })
    host.send({ t: 'relay', to: joinerId, body: 'AA==' })
    await host.next('turn')
    await joiner.next('pass')
    expect(await joiner.next('relay')).toEqual({ t: 'relay', from: hostId, body: 'AA==' })
  })

  it('is of no use to who listens to the sockets', async () => {
    const server = await startTestServer(turn)
    const { host, joiner, joinerId } = await server.pair()
    const heard: string[] = []
    for (const { socket } of [host, joiner]) {
      socket.on('message', (data) => heard.push((data as Buffer).toString()))
    }
    host.send({ t: 'grant', peer: joinerId })
    const { username, credential } = await joiner.next('turn')
    const { pass } = await joiner.next('pass')
    for (const secret of [username, credential, pass, 'relay.example']) {
      expect(heard.join('\n')).not.toContain(secret)
    }
  })

  it('is needed by each joiner, and counts once', async () => {
    const server = await startTestServer(turn)
    const { host, joiner, joinerId, nameplate } = await server.pair()
    const second = await server.connect()
    second.send({ t: 'join', v: 1, nameplate })
    const { peer: hostId } = await second.next('joined')
    await host.next('peer')
    for (let time = 0; time < 3; time += 1) host.send({ t: 'grant', peer: joinerId })
    await host.next('turn')
    await joiner.next('turn')
    await joiner.next('pass')
    second.send({ t: 'relay', to: hostId, body: 'AA==' })
    await host.next('relay')
    for (const client of [host, joiner, second]) await client.processed()
    expect([...host.unread, ...joiner.unread, ...second.unread]).toEqual([])
  })

  it('SIG-07: of a peer of another session is answered like one of nobody', async () => {
    const server = await startTestServer(turn)
    const mine = await server.pair()
    const other = await server.pair()
    for (const peer of [other.joinerId, other.hostId, mine.hostId, '0123456789abcdef']) {
      mine.host.send({ t: 'grant', peer })
      expect(await mine.host.next('error')).toEqual({ t: 'error', code: 'E_PEER_GONE', peer })
    }
    for (const client of [other.host, other.joiner, mine.joiner]) {
      await client.processed()
      expect(client.unread).toEqual([])
    }
  })

  it('of a joiner that left is answered like one of nobody', async () => {
    const server = await startTestServer(turn)
    const { host, joiner, joinerId: peer } = await server.pair()
    joiner.send({ t: 'leave' })
    await host.next('gone')
    host.send({ t: 'grant', peer })
    expect(await host.next('error')).toEqual({ t: 'error', code: 'E_PEER_GONE', peer })
  })

  it('is nothing that a joiner may send', async () => {
    const server = await startTestServer(turn)
    const { host, joiner, joinerId } = await server.pair()
    joiner.send({ t: 'grant', peer: joinerId })
    expect((await joiner.next('error')).code).toBe('E_SERVER_PROTOCOL')
    expect(await joiner.closed).toBe(4001)
    await host.next('gone')
    expect(host.unread).toEqual([])
  })

  it('brings nothing where there is no relay', async () => {
    const server = await startTestServer()
    const { host, joiner, hostId, joinerId } = await server.pair()
    host.send({ t: 'grant', peer: joinerId })
    host.send({ t: 'relay', to: joinerId, body: 'AA==' })
    await joiner.next('pass')
    expect(await joiner.next('relay')).toEqual({ t: 'relay', from: hostId, body: 'AA==' })
    expect(host.unread).toEqual([])
  })
})

it('never logs the secret or a credential', async () => {
  const server = await startTestServer(turn)
  const { host, joinerId } = await server.pair()
  host.send({ t: 'grant', peer: joinerId })
  const { username, credential } = await host.next('turn')
  await server.close()
  const log = JSON.stringify(server.log)
  for (const secret of [turn.turnSecret, username, credential]) expect(log).not.toContain(secret)
})
