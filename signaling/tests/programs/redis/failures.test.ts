/**
 * Clients' view of a Redis that hangs, restarts, is full or unreachable, and of nodes cut off from it.
 *
 * @module-tag full
 */
import { describe, expect, it } from 'vitest'
import { OwnerKey } from '#shared/signaling/owner-proof'
import { hostAt, pairAt, refusal, startNode } from './nodes.ts'
import { Cable, redisMissing, redisProgram, RedisServer } from './redis-server.ts'

const readyz = async (node: Awaited<ReturnType<typeof startNode>>) =>
  (await node.ask('/readyz')).status

/** The error for a new host; `null` if it is accepted. */
async function newHost(node: Awaited<ReturnType<typeof startNode>>) {
  const client = await node.connect()
  client.send({ t: 'host', v: 1 })
  return refusal(client)
}

describe.skipIf(redisProgram === null)(`nodes${redisMissing}`, () => {
  it('SIG-16: start without Redis, refuse clients clearly, and are ready once it is available', async () => {
    const redis = await RedisServer.start()
    const cable = await Cable.to(redis.port)
    cable.cut()
    const node = await startNode(`redis://127.0.0.1:${cable.port}`)
    expect(await readyz(node)).toBe(503)
    expect(await newHost(node)).toBe('E_SERVER_BUSY')
    cable.mend()
    await expect.poll(() => readyz(node)).toBe(200)
    expect(await newHost(node)).toBeNull()
  })

  it('log why Redis rejects them, but never the password', async () => {
    const redis = await RedisServer.start(['--requirepass', 'correct-horse'])
    const address = `127.0.0.1:${redis.port}`
    const why = async (url: string) => {
      const node = await startNode(url)
      await expect.poll(() => node.log.some(({ event }) => event.startsWith('store-'))).toBe(true)
      const told = node.log.find(({ event }) => event.startsWith('store-'))
      expect(JSON.stringify(node.log)).not.toContain('horse')
      return told?.event === 'store-lost' ? told.why : null
    }
    expect(await why(`redis://${address}`)).toContain('NOAUTH')
    expect(await why(`redis://:wrong-horse@${address}`)).toContain('WRONGPASS')
    expect(await why(`redis://:correct-horse@${address}`)).toBeNull()
  })

  it.each(['hangs', 'takes no writes for a while', 'is cut off'] as const)(
    'SIG-16: keep running shares while Redis %s, refuse new ones within the time for an answer, and go on after',
    async (how) => {
      const redis = await RedisServer.start()
      const cable = await Cable.to(redis.port)
      const node = await startNode(`redis://127.0.0.1:${cable.port}`)
      const owner = new OwnerKey()
      const hosted = await hostAt(node, owner)
      const { joiner, hostId, joinerId } = await pairAt(node, hosted)
      if (how === 'hangs') redis.pause()
      else if (how === 'is cut off') cable.cut()
      else await redis.ask('CLIENT', 'PAUSE', '600000', 'WRITE')

      await expect.poll(() => readyz(node)).toBe(503)
      expect(await newHost(node)).toBe('E_SERVER_BUSY')
      joiner.send({ t: 'relay', to: hostId, body: 'AA==' })
      expect(await joiner.next('error')).toEqual({ t: 'error', code: 'E_PEER_GONE', peer: hostId })
      const { values } = await node.scrape()
      expect(values.get('thru_store_up')).toBe(0)
      await expect.poll(() => node.log.some(({ event }) => event === 'store-lost')).toBe(true)
      // A client that gives up in the meantime must not be waited for later.
      joiner.socket.terminate()
      await joiner.closed

      if (how === 'hangs') redis.resume()
      else if (how === 'is cut off') cable.mend()
      else await redis.ask('CLIENT', 'UNPAUSE')
      await expect.poll(() => readyz(node)).toBe(200)
      const message = await hosted.client.receive()
      // A command from before the hang may have been executed after all, once.
      const gone = message.t === 'relay' ? await hosted.client.receive() : message
      expect(gone).toEqual({ t: 'gone', peer: joinerId })
      expect(hosted.client.unread).toEqual([])
      await pairAt(node, hosted)
      expect(await newHost(node)).toBeNull()
    },
  )

  it('SIG-16: work as slowly as Redis responds, and report it', async () => {
    const redis = await RedisServer.start()
    const cable = await Cable.to(redis.port)
    const [slow, other] = [
      await startNode(`redis://127.0.0.1:${cable.port}`),
      await startNode(redis.url),
    ]
    cable.delay(100)
    const hosted = await hostAt(slow)
    const { joiner, hostId, joinerId } = await pairAt(other, hosted)
    joiner.send({ t: 'relay', to: hostId, body: 'AA==' })
    await hosted.client.next('relay')
    hosted.client.send({ t: 'relay', to: joinerId, body: 'AA==' })
    await joiner.next('relay')
    const { values } = await slow.scrape()
    const all = values.get('thru_store_seconds_count') ?? 0
    expect(all - (values.get('thru_store_seconds_bucket{le="0.1"}') ?? 0)).toBeGreaterThan(3)
  })

  it('end in time even while Redis is down, cut off or silent', async () => {
    for (const how of ['cut', 'silence'] as const) {
      const redis = await RedisServer.start()
      const cable = await Cable.to(redis.port)
      const node = await startNode(`redis://127.0.0.1:${cable.port}`)
      const { client } = await hostAt(node)
      cable[how]()
      await node.close()
      expect(await client.closed).toBe(1001)
    }
  })

  it('SIG-16: return a share after Redis restarted without data', async () => {
    const redis = await RedisServer.start()
    const node = await startNode(redis.url)
    const owner = new OwnerKey()
    const { client, nameplate } = await hostAt(node, owner)
    // Redis answers in order, so the response to the first host has arrived, too.
    expect(await newHost(node)).toBeNull()
    await redis.kill()
    await redis.begin()
    // Its room is lost, so the host is told to reconnect.
    expect(await client.closed).toBe(1001)
    await expect.poll(() => readyz(node)).toBe(200)
    const again = await hostAt(node, owner, { nameplate })
    expect(again.nameplate).toBe(nameplate)
    await pairAt(node, again)
  })

  it('lose nothing if Redis restarts with its data', async () => {
    const redis = await RedisServer.start(['--appendonly', 'yes', '--appendfsync', 'always'])
    const node = await startNode(redis.url)
    const hosted = await hostAt(node)
    // This later response shows that the one about the first host has arrived.
    expect(await newHost(node)).toBeNull()
    await redis.kill()
    await redis.begin()
    await expect.poll(() => readyz(node)).toBe(200)
    const { joiner, hostId } = await pairAt(node, hosted)
    joiner.send({ t: 'relay', to: hostId, body: 'AA==' })
    await hosted.client.next('relay')
    expect(node.log.some(({ event }) => event === 'evicted')).toBe(false)
  })

  it('serve owners, passes and running pairs while Redis is full, but no new clients', async () => {
    const redis = await RedisServer.start(['--maxmemory-policy', 'noeviction'])
    const node = await startNode(redis.url)
    const owner = new OwnerKey()
    const first = await hostAt(node, owner)
    const { joiner, hostId, joinerId } = await pairAt(node, first)
    first.client.send({ t: 'grant', peer: joinerId })
    const { pass } = await joiner.next('pass')
    await redis.ask('CONFIG', 'SET', 'maxmemory', '1')
    expect(await newHost(node)).toBe('E_SERVER_BUSY')
    const stranger = await node.connect()
    stranger.send({ t: 'join', v: 1, nameplate: first.nameplate })
    expect(await refusal(stranger)).toBe('E_SERVER_BUSY')
    joiner.send({ t: 'relay', to: hostId, body: 'AA==' })
    await first.client.next('relay')
    joiner.socket.close()
    await first.client.next('gone')

    first.client.socket.terminate()
    const again = await hostAt(node, owner)
    expect(again.nameplate).toBe(first.nameplate)
    const back = await node.connect()
    back.send(back.sealed({ t: 'join', v: 1, nameplate: again.nameplate, pass }))
    await back.next('joined')
    const { values } = await node.scrape()
    expect(values.get('thru_store_errors_total{why="full"}')).toBeGreaterThan(0)
    await redis.ask('CONFIG', 'SET', 'maxmemory', '0')
    expect(await newHost(node)).toBeNull()
  })

  it('act on no outdated state when they return after being declared dead', async () => {
    const redis = await RedisServer.start()
    const cable = await Cable.to(redis.port)
    const far = await startNode(`redis://127.0.0.1:${cable.port}`)
    const near = await startNode(redis.url)
    const owner = new OwnerKey()
    const { client: old, nameplate } = await hostAt(far, owner)
    const other = await hostAt(far)
    cable.silence()
    // The owner moves to the other node, before any node has noticed.
    const again = await hostAt(near, owner)
    expect(again.nameplate).toBe(nameplate)
    const { joiner, hostId } = await pairAt(near, again)
    await expect.poll(() => near.log.some(({ event }) => event === 'released')).toBe(true)
    cable.mend()
    for (const client of [old, other.client]) expect([1001, 4002]).toContain(await client.closed)
    expect(far.log.some(({ event }) => event === 'evicted')).toBe(true)
    await expect.poll(() => readyz(far)).toBe(200)
    // The host on the other node remains the host, and its pair continues.
    joiner.send({ t: 'relay', to: hostId, body: 'AA==' })
    await again.client.next('relay')
    await pairAt(far, again)
    const { values } = await near.scrape()
    expect(values.get('thru_sessions{phase="hosted"}')).toBe(1)
    expect(values.get('thru_sessions{phase="absent"}')).toBe(1)
  })
})
