/**
 * Effects for a node between two of its renewals.
 *
 * @module-tag full
 */
import { describe, expect, it } from 'vitest'
import { boxBounds } from '#signaling/redis/lua'
import { hostAt, pairAt, shortTimings, startNode } from './nodes.ts'
import { redisMissing, redisProgram, RedisServer } from './redis-server.ts'

/** Longer than a test, so that the node reports only because of its reads. */
const seldom = { ...shortTimings, renewMs: 600_000, leaseMs: 600_000 }

/** Few enough at a time not to wait too long. */
const atOnce = 24

describe.skipIf(redisProgram === null)(`a node${redisMissing}`, () => {
  it('that reads its box is not declared dead, however many entries arrive', async () => {
    const redis = await RedisServer.start()
    const options = { wsMessagesBurst: 10_000, wsMessagesPerSec: 10_000 }
    const [a, b] = [
      await startNode(redis.url, options, seldom),
      await startNode(redis.url, options, seldom),
    ]
    const hosted = await hostAt(a)
    const { joiner, joinerId } = await pairAt(b, hosted)
    const body = 'A'.repeat(8192)
    const count = Math.ceil(boxBounds.bytes / body.length / atOnce) * atOnce
    for (let sent = 0; sent < count; sent += atOnce) {
      for (let index = 0; index < atOnce; index += 1) {
        hosted.client.send({ t: 'relay', to: joinerId, body })
      }
      for (let index = 0; index < atOnce; index += 1) await joiner.next('relay')
    }
    expect(await redis.ask('ZCARD', '{thru1}:nodes')).toBe(':2\r\n')
  })
})
