/** A stopping node moves its clients to another node, and no share is lost. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { OwnerKey } from '#shared/signaling/owner-proof'
import { systemClock } from '#signaling/clock'
import { redisState } from '#signaling/redis/state'
import { startSignalingServer } from '#signaling/server'
import { greeted } from '../../wire/test-server.ts'
import { pairAt, shortTimings, startNode } from './nodes.ts'
import { redisMissing, redisProgram, RedisServer } from './redis-server.ts'

const shares = 60

const plenty = {
  sessionCreatesBurst: 1000,
  wsConnectionsBurst: 1000,
  maxWsConnectionsPerAddress: 1000,
}

/** A node with this drain time in seconds. */
async function startLeaving(url: string, drainTime: number) {
  const started = await startSignalingServer({
    ...plenty,
    host: '127.0.0.1',
    port: 0,
    drainTime,
    state: redisState(url, { timings: shortTimings }),
  })
  if (!started.ok) throw new Error(started.error.detail)
  onTestFinished(() => started.value.close())
  return started.value
}

describe.skipIf(redisProgram === null)(`a node that ends${redisMissing}`, () => {
  it('closes its hosts in stages, and every share continues with its nameplate', async () => {
    const redis = await RedisServer.start()
    const leaving = await startLeaving(redis.url, 1)
    const staying = await startNode(redis.url, plenty)
    await expect.poll(async () => (await staying.scrape()).values.get('thru_nodes')).toBe(2)

    const before = await Promise.all(
      Array.from({ length: shares }, async () => {
        const owner = new OwnerKey()
        const client = await greeted(new WebSocket(`${leaving.url}/v1`))
        client.hostAs(owner)
        return { owner, client, nameplate: (await client.next('hosted')).nameplate }
      }),
    )
    // Its joiner is on the other node, and both are about to pair.
    const [pairing] = before
    if (pairing === undefined) throw new Error('no shares')
    const { joiner, joinerId } = await pairAt(staying, pairing)

    const begin = systemClock.now()
    const end = leaving.leave()
    const after = await Promise.all(
      before.map(async ({ owner, client, nameplate }) => {
        expect(await client.closed).toBe(1001)
        const again = await staying.connect()
        again.hostAs(owner)
        return { again, nameplate, got: (await again.next('hosted')).nameplate }
      }),
    )
    await end
    expect(systemClock.now() - begin).toBeGreaterThan(900)
    expect(after.filter(({ nameplate, got }) => nameplate !== got)).toEqual([])
    expect((await joiner.next('gone')).peer).not.toBe(joinerId)
    for (const { again, nameplate } of after.slice(0, 5)) {
      await pairAt(staying, { client: again, nameplate })
    }
    const { values } = await staying.scrape()
    expect(values.get('thru_sessions{phase="hosted"}')).toBe(shares)
    expect(values.get('thru_sessions{phase="absent"}')).toBe(0)
    await expect.poll(async () => (await staying.scrape()).values.get('thru_nodes')).toBe(1)
  })

  it('ends immediately without another node', async () => {
    const redis = await RedisServer.start()
    const alone = await startLeaving(redis.url, 300)
    const client = await greeted(new WebSocket(`${alone.url}/v1`))
    client.send({ t: 'host', v: 1 })
    await client.next('hosted')
    await alone.leave()
    expect(await client.closed).toBe(1001)
  })
})
