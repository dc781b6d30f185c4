/**
 * Two nodes behind a load balancer keep every rule of a single server.
 *
 * @module-tag full
 */
import { describe, expect, it, onTestFinished } from 'vitest'
import { redisState } from '#signaling/redis/state'
import { localServer } from '../../../conformance/local-server.ts'
import { run } from '../../../conformance/run.ts'
import { Cable, redisMissing, redisProgram, RedisServer } from './redis-server.ts'

describe.skipIf(redisProgram === null)(`two nodes behind a balancer${redisMissing}`, () => {
  it('keep every rule of docs/signaling.md that the kit can check', async () => {
    const redis = await RedisServer.start()
    const node = () => localServer({ state: redisState(redis.url) })
    const nodes = [await node(), await node()]
    for (const { close } of nodes) onTestFinished(close)
    const ports = nodes.map(({ url }) => Number(new URL(url).port))
    const front = await Cable.to(0)
    front.lead(...ports)
    const { allowances } = nodes[0] ?? {}
    const verdicts = await run(`ws://127.0.0.1:${front.port}`, {
      ...(allowances !== undefined && { allowances }),
    })
    expect(verdicts.filter(({ result }) => result === 'failed')).toEqual([])
    expect(verdicts.filter(({ result }) => result === 'passed').length).toBeGreaterThan(75)
  })
})
