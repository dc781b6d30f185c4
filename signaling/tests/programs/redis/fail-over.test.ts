/**
 * A replica takes over, with all writes or without the last ones; and a node that reads nothing.
 *
 * @module-tag full
 */
import { describe, expect, it } from 'vitest'
import { OwnerKey } from '#shared/signaling/owner-proof'
import { hostAt, pairAt, shortTimings, startNode } from './nodes.ts'
import { Cable, redisMissing, redisProgram, RedisServer } from './redis-server.ts'

/** A primary, its synchronized replica, and an address of the primary. */
async function replicated() {
  const primary = await RedisServer.start()
  const replica = await RedisServer.start(['--replicaof', '127.0.0.1', String(primary.port)])
  const address = await Cable.to(primary.port)
  await expect.poll(() => replica.ask('INFO', 'replication')).toContain('master_link_status:up')
  const url = `redis://127.0.0.1:${address.port}`
  /** Resolves once the replica has all data of the primary. */
  const caughtUp = () => expect.poll(() => primary.ask('WAIT', '1', '1000')).toContain(':1')
  return { primary, replica, address, url, caughtUp }
}

const readyz = async (node: Awaited<ReturnType<typeof startNode>>) =>
  (await node.ask('/readyz')).status

describe.skipIf(redisProgram === null)(`a fail-over${redisMissing}`, () => {
  it('loses nothing if the replica is up to date, and the old primary rejects writes', async () => {
    const { primary, replica, address, url, caughtUp } = await replicated()
    const [a, b] = [await startNode(url), await startNode(url)]
    const hosted = await hostAt(a)
    await caughtUp()
    address.lead(replica.port)
    await replica.ask('REPLICAOF', 'NO', 'ONE')
    // Connections to it stay, and receive errors from the former primary.
    await primary.ask('REPLICAOF', '127.0.0.1', String(replica.port))
    await expect.poll(() => replica.ask('CLIENT', 'LIST')).toContain('xread')
    for (const node of [a, b]) {
      await expect.poll(() => readyz(node)).toBe(200)
    }
    const { joiner, hostId } = await pairAt(b, hosted)
    joiner.send({ t: 'relay', to: hostId, body: 'AA==' })
    await hosted.client.next('relay')
    expect(hosted.client.unread).toEqual([])
  })

  it('SIG-16: with lost writes makes every node start over, and assigns no nameplate twice', async () => {
    const { primary, replica, address, url, caughtUp } = await replicated()
    const [a, b] = [await startNode(url), await startNode(url)]
    const owner = new OwnerKey()
    const known = await hostAt(a, owner)
    await caughtUp()
    // The replica receives no further writes.
    await replica.ask('REPLICAOF', 'NO', 'ONE')
    const late = new OwnerKey()
    const lost = await hostAt(b, late)
    const pair = await pairAt(b, known)
    address.lead(replica.port)
    await primary.kill()
    for (const client of [known.client, lost.client, pair.joiner]) {
      expect([1001, 4003]).toContain(await client.closed)
    }
    for (const node of [a, b]) {
      await expect.poll(() => readyz(node)).toBe(200)
    }
    const again = await hostAt(b, owner, { nameplate: known.nameplate })
    expect(again.nameplate).toBe(known.nameplate)
    const found = await hostAt(a, late, { nameplate: lost.nameplate })
    expect(found.nameplate).toBe(lost.nameplate)
    await pairAt(a, again)
    await pairAt(b, found)
    const { values } = await a.scrape()
    expect(values.get('thru_sessions{phase="hosted"}')).toBe(2)
  })
})

async function longestBox(redis: RedisServer): Promise<number> {
  const lua = `
    local most = 0
    for _, key in ipairs(redis.call('KEYS', '{thru1}:box:*')) do
      most = math.max(most, redis.call('XLEN', key))
    end
    return most`
  return Number((await redis.ask('EVAL', lua, '0')).slice(1))
}

describe.skipIf(redisProgram === null)(`a node that reads nothing${redisMissing}`, () => {
  it('counts as dead when its box is full, without delaying others', async () => {
    const redis = await RedisServer.start()
    const cable = await Cable.to(redis.port)
    // The lease must not reveal it.
    const timings = { ...shortTimings, leaseMs: 600_000 }
    const most = { wsMessagesBurst: 10_000, wsMessagesPerSec: 10_000 }
    const deaf = await startNode(`redis://127.0.0.1:${cable.port}`, most, timings)
    const node = await startNode(redis.url, most, timings)
    const hosted = await hostAt(node)
    const { joiner, joinerId } = await pairAt(deaf, hosted)
    hosted.client.send({ t: 'grant', peer: joinerId })
    await joiner.next('pass')
    cable.silence()
    const nodes = async () => (await node.scrape()).values.get('thru_nodes')
    for (let sent = 0; (await nodes()) === 2 && sent < 20_000; sent += 500) {
      for (let index = 0; index < 500; index += 1) {
        hosted.client.send({ t: 'relay', to: joinerId, body: 'AA==' })
      }
      const waits = async () => (await longestBox(redis)) >= sent + 500 || (await nodes()) === 1
      await expect.poll(waits, { interval: 10 }).toBe(true)
    }
    expect(await nodes()).toBe(1)
    const heard = () => hosted.client.unread
    await expect.poll(() => heard()[0]).toMatchObject({ t: 'gone' })
    // Some of the last five hundred may have arrived after that.
    const late = { t: 'error', code: 'E_PEER_GONE', peer: joinerId }
    expect(heard().slice(1)).toEqual(
      heard()
        .slice(1)
        .map(() => late),
    )
    cable.mend()
    expect(await joiner.closed).toBe(1001)
  })
})
