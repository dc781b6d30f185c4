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

  it('limits the credentials of one address', async () => {
    const server = await startTestServer({ ...turn, turnGrantsPerHour: 2 })
    const { host, joiner, hostId, joinerId } = await server.pair()
    host.send({ t: 'grant', peer: joinerId })
    host.send({ t: 'relay', to: joinerId, body: 'AA==' })
    await host.next('turn')
    await joiner.next('pass')
    expect(await joiner.next('relay')).toEqual({ t: 'relay', from: hostId, body: 'AA==' })
  })

  it('sends nothing without a relay', async () => {
    const server = await startTestServer()
    const { host, joiner, hostId, joinerId } = await server.pair()
    host.send({ t: 'grant', peer: joinerId })
    host.send({ t: 'relay', to: joinerId, body: 'AA==' })
    await joiner.next('pass')
    expect(await joiner.next('relay')).toEqual({ t: 'relay', from: hostId, body: 'AA==' })
    expect(host.unread).toEqual([])
  })
})
