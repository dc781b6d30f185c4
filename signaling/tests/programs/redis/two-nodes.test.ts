/** Two peers at different nodes meet as at one. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { OwnerKey } from '#shared/signaling/owner-proof'
import { hostAt, pairAt, refusal, startNode } from './nodes.ts'
import { redisMissing, redisProgram, RedisServer } from './redis-server.ts'

let redis: RedisServer
let endRedis: () => Promise<void> = () => Promise.resolve()

beforeAll(async () => {
  if (redisProgram === null) return
  redis = await RedisServer.start([], (end) => (endRedis = end))
})
afterAll(() => endRedis())
beforeEach(async () => {
  if (redisProgram !== null) await redis.ask('FLUSHALL')
})

const twoNodes = async (options = {}) =>
  [await startNode(redis.url, options), await startNode(redis.url, options)] as const

describe.skipIf(redisProgram === null)(`two nodes${redisMissing}`, () => {
  it('introduce a joiner at one to a host at the other, and carry every message once and in order', async () => {
    const [a, b] = await twoNodes({ wsMessagesBurst: 10_000 })
    const hosted = await hostAt(a)
    const { joiner, hostId, joinerId } = await pairAt(b, hosted)
    const count = 500
    for (let index = 0; index < count; index += 1) {
      const body = Buffer.from(String(index).padStart(6, '0')).toString('base64')
      joiner.send({ t: 'relay', to: hostId, body })
      hosted.client.send({ t: 'relay', to: joinerId, body })
    }
    for (let index = 0; index < count; index += 1) {
      const body = Buffer.from(String(index).padStart(6, '0')).toString('base64')
      expect(await joiner.next('relay')).toEqual({ t: 'relay', from: hostId, body })
      expect(await hosted.client.next('relay')).toEqual({ t: 'relay', from: joinerId, body })
    }
    joiner.socket.close()
    expect(await hosted.client.next('gone')).toEqual({ t: 'gone', peer: joinerId })
    expect(hosted.client.unread).toEqual([])
  })

  it('end a pair at both when the host leaves', async () => {
    const [a, b] = await twoNodes()
    const hosted = await hostAt(a)
    const { joiner, hostId } = await pairAt(b, hosted)
    hosted.client.send({ t: 'leave' })
    expect(await hosted.client.closed).toBe(1000)
    expect(await joiner.next('gone')).toEqual({ t: 'gone', peer: hostId })
    expect(await joiner.closed).toBe(4003)
  })

  it('take each other’s passes', async () => {
    const [a, b] = await twoNodes({ joinsBurst: 1, joinsPerMin: 1 })
    const hosted = await hostAt(a)
    const { joiner, joinerId } = await pairAt(b, hosted)
    hosted.client.send({ t: 'grant', peer: joinerId })
    const { pass } = await joiner.next('pass')
    const { nameplate } = hosted
    const stranger = await a.connect()
    stranger.send({ t: 'join', v: 1, nameplate })
    expect(await refusal(stranger)).toBe('E_RATE_LIMITED')
    const back = await a.connect()
    back.send(back.sealed({ t: 'join', v: 1, nameplate, pass }))
    await back.next('joined')
    expect(await hosted.client.next('gone')).toEqual({ t: 'gone', peer: joinerId })
    await hosted.client.next('peer')
    expect(await joiner.closed).toBe(4002)
  })

  it('give a nameplate back to its owner at the other, and tell the socket that had it', async () => {
    const [a, b] = await twoNodes()
    const owner = new OwnerKey()
    const { client: before, nameplate } = await hostAt(a, owner)
    const again = await hostAt(b, owner)
    expect(again.nameplate).toBe(nameplate)
    expect(await before.closed).toBe(4002)
    await pairAt(a, again)
  })

  it('find a listener at the other', async () => {
    const [a, b] = await twoNodes()
    const mailbox = 'M'.repeat(43)
    const listener = await b.connect()
    listener.send({ t: 'listen', v: 1, mailboxes: [mailbox] })
    await listener.next('listening')
    const { client: host } = await hostAt(a)
    host.send({ t: 'notify', mailbox, body: 'AA==' })
    expect((await listener.next('notify')).body).toBe('AA==')
    expect((await host.next('notified')).reached).toBe(true)
    listener.socket.close()
    await listener.closed
    await expect
      .poll(async () => {
        host.send({ t: 'notify', mailbox, body: 'AA==' })
        return (await host.next('notified')).reached
      })
      .toBe(false)
  })

  it('have one allowance for wrong guesses', { tags: ['full'] }, async () => {
    const [a, b] = await twoNodes()
    await hostAt(a, undefined, { nameplate: '4821' })
    const guess = async (node: typeof a, nameplate: string) => {
      const stranger = await node.connect()
      stranger.send({ t: 'join', v: 1, nameplate })
      return refusal(stranger)
    }
    const answers: (string | null)[] = []
    for (let index = 0; index < 24; index += 1) {
      answers.push(await guess(index % 2 === 0 ? a : b, String(5000 + index)))
    }
    const wrong = answers.filter((answer) => answer === 'E_NO_SUCH_CODE')
    expect(answers.slice(0, 10)).toEqual(wrong.slice(0, 10))
    // One is given back every six seconds; each on its own would have let all of ten through.
    expect(wrong.length).toBeLessThan(20)
    expect(answers).toContain('E_RATE_LIMITED')
    const rightAfterWrong = async () => {
      for (const node of [a, b]) await guess(node, '6000')
      return guess(b, '4821')
    }
    await expect.poll(rightAfterWrong).toBe('E_RATE_LIMITED')
  })

  it('count sessions together, by address and in all', async () => {
    const [a, b] = await twoNodes({ maxSessionsPerAddress: 2 })
    await hostAt(a)
    const second = await hostAt(b)
    const third = await a.connect()
    third.send({ t: 'host', v: 1 })
    expect(await refusal(third)).toBe('E_SERVER_BUSY')
    second.client.send({ t: 'leave' })
    await second.client.closed
    await hostAt(a)
    expect((await a.scrape()).values.get('thru_sessions{phase="hosted"}')).toBe(2)
    expect((await b.scrape()).values.get('thru_sessions{phase="resting"}')).toBe(1)
    expect((await b.scrape()).values.get('thru_nodes')).toBe(2)
  })
})
