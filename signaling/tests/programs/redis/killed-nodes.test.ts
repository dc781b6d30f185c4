/**
 * Nodes in separate processes that are killed at any moment.
 *
 * @module-tag full
 */
import { describe, expect, it } from 'vitest'
import { OwnerKey } from '#shared/signaling/owner-proof'
import { ServerProcess } from '../server-process.ts'
import { refusal } from './nodes.ts'
import { redisMissing, redisProgram, RedisServer } from './redis-server.ts'

const startNodeProcess = (url: string) => ServerProcess.start([], { REDIS_URL: url })

async function service() {
  const redis = await RedisServer.start()
  return { redis, a: await startNodeProcess(redis.url), b: await startNodeProcess(redis.url) }
}

async function host(node: ServerProcess, owner: OwnerKey) {
  const client = await node.connect()
  client.hostAs(owner)
  return { client, nameplate: (await client.next('hosted')).nameplate }
}

async function join(node: ServerProcess, nameplate: string, pass?: string) {
  const joiner = await node.connect()
  const message = { t: 'join', v: 1, nameplate, key: joiner.key } as const
  joiner.send(pass === undefined ? message : joiner.sealed({ ...message, pass }))
  return joiner
}

/** A pair of a host on one node and a joiner on another, and the joiner's pass. */
async function granted(at: ServerProcess, from: ServerProcess, owner: OwnerKey) {
  const { client, nameplate } = await host(at, owner)
  const joiner = await join(from, nameplate)
  const { peer: hostId } = await joiner.next('joined')
  const { peer: joinerId } = await client.next('peer')
  client.send({ t: 'grant', peer: joinerId })
  const { pass } = await joiner.next('pass')
  return { client, nameplate, joiner, hostId, joinerId, pass }
}

describe.skipIf(redisProgram === null)(`a node that is killed${redisMissing}`, () => {
  it('SIG-17: while it has a host: the owner immediately has its nameplate on the other node', async () => {
    const { a, b } = await service()
    const owner = new OwnerKey()
    const { client, nameplate } = await host(a, owner)
    await a.kill()
    expect(await client.closed).toBe(1006)
    const again = await host(b, owner)
    expect(again.nameplate).toBe(nameplate)
    const joiner = await join(b, nameplate)
    await joiner.next('joined')
    await again.client.next('peer')
    expect(again.client.unread).toEqual([])
  })

  it('during a pairing: the joiner is notified, and both meet again', async () => {
    const { a, b } = await service()
    const owner = new OwnerKey()
    const { client, nameplate } = await host(a, owner)
    const joiner = await join(b, nameplate)
    const { peer: hostId } = await joiner.next('joined')
    await client.next('peer')
    joiner.send({ t: 'relay', to: hostId, body: 'AA==' })
    await client.next('relay')
    await a.kill()
    await client.closed
    const again = await host(b, owner)
    expect(again.nameplate).toBe(nameplate)
    expect(await joiner.next('gone')).toEqual({ t: 'gone', peer: hostId })
    expect(await joiner.closed).toBe(4003)
    const next = await join(b, nameplate)
    await next.next('joined')
    await again.client.next('peer')
  })

  it('after a grant: the pass is valid on the other node, even while the host is absent', async () => {
    const { a, b } = await service()
    const owner = new OwnerKey()
    const { client, nameplate, joiner, hostId, pass } = await granted(a, b, owner)
    await a.kill()
    await client.closed
    // The host didn't return within the lease of a silent node.
    expect(await joiner.next('gone')).toEqual({ t: 'gone', peer: hostId })
    await joiner.closed
    const waiting = await join(b, nameplate, pass)
    await waiting.next('waiting')
    const again = await host(b, owner)
    await waiting.next('joined')
    await again.client.next('peer')
    expect(again.client.unread).toEqual([])
  })

  it('while it has a joiner: the host is notified, and has that joiner once after its return', async () => {
    const { a, b } = await service()
    const { client, nameplate, joiner, joinerId, pass } = await granted(b, a, new OwnerKey())
    await a.kill()
    await joiner.closed
    const back = await join(b, nameplate, pass)
    await back.next('joined')
    expect(await client.next('gone')).toEqual({ t: 'gone', peer: joinerId })
    const { peer } = await client.next('peer')
    expect(peer).not.toBe(joinerId)
    client.send({ t: 'relay', to: peer, body: 'AA==' })
    await back.next('relay')
    expect(client.unread).toEqual([])
  })

  it('while joiners wait there for an absent host: the host is not told about them', async () => {
    const { a, b } = await service()
    const owner = new OwnerKey()
    const { client, nameplate, joiner, pass } = await granted(b, b, owner)
    client.socket.terminate()
    await joiner.closed
    const waiting = await join(a, nameplate, pass)
    await waiting.next('waiting')
    await a.kill()
    await waiting.closed
    const again = await join(b, nameplate, pass)
    await again.next('waiting')
    const back = await host(b, owner)
    await again.next('joined')
    await back.client.next('peer')
    expect(back.client.unread).toEqual([])
  })

  it('grants no additional guesses', async () => {
    const { a, b } = await service()
    for (let index = 0; index < 10; index += 1) {
      expect(await refusal(await join(a, String(5000 + index)))).toBe('E_NO_SUCH_CODE')
    }
    await a.kill()
    const answers: (string | null)[] = []
    for (let index = 0; index < 10; index += 1) {
      answers.push(await refusal(await join(b, String(6000 + index))))
    }
    // One guess is returned every six seconds.
    expect(answers.filter((answer) => answer === 'E_RATE_LIMITED').length).toBeGreaterThan(5)
  })

  it("doesn't keep other nodes from ending, even if Redis dies", async () => {
    const { redis, a, b } = await service()
    const c = await startNodeProcess(redis.url)
    const ends = [a, b, c].map((node) => node.end())
    await redis.kill()
    expect(await Promise.all(ends)).toEqual([0, 0, 0])
  })

  it('loses nothing: all nodes may die, and new ones continue', async () => {
    const { redis, a, b } = await service()
    const owner = new OwnerKey()
    const { client, nameplate, joiner, pass } = await granted(a, b, owner)
    await a.kill()
    await b.kill()
    await Promise.all([client.closed, joiner.closed])
    const c = await startNodeProcess(redis.url)
    const again = await host(c, owner)
    expect(again.nameplate).toBe(nameplate)
    const back = await join(c, nameplate, pass)
    await back.next('joined')
    await again.client.next('peer')
  })
})
