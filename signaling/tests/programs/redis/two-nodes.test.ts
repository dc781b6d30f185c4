/** Two peers on different nodes meet as on one. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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
  it('introduce a joiner on one to a host on the other, and relay every message once and in order', async () => {
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
    // One is returned every six seconds; two separate allowances would have admitted ten each.
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
