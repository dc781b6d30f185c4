/** Two sides that signal at different nodes have their server relay at one of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serverRelayPath, serverRelayPathOf } from '#shared/signaling/paths'
import { showing, Side } from '../../wire/server-relay-side.ts'
import { hostAt, pairAt, startNode } from './nodes.ts'
import { redisMissing, redisProgram, RedisServer } from './redis-server.ts'

let redis: RedisServer
let endRedis: () => Promise<void> = () => Promise.resolve()

beforeAll(async () => {
  if (redisProgram !== null) redis = await RedisServer.start([], (end) => (endRedis = end))
})
afterAll(() => endRedis())

describe.skipIf(redisProgram === null)(`server relays at two nodes${redisMissing}`, () => {
  it.each(['a', 'b'])(
    'TURN-16: route both sides of a host on node %s to that node',
    async (name) => {
      const nodes = {
        a: await startNode(redis.url, { serverRelays: 4, nodeName: 'a' }),
        b: await startNode(redis.url, { serverRelays: 4, nodeName: 'b' }),
      }
      const [near, far] = name === 'a' ? [nodes.a, nodes.b] : [nodes.b, nodes.a]
      const other = name === 'a' ? 'b' : 'a'
      const hosted = await hostAt(near)
      const { joiner, hostId, joinerId } = await pairAt(far, hosted)
      hosted.client.send({ t: 'grant', peer: joinerId })
      const ofHost = await hosted.client.next('server-relay')
      const ofJoiner = await joiner.next('server-relay')
      expect(ofHost).toMatchObject({ peer: joinerId, node: name })
      expect(ofJoiner).toMatchObject({ peer: hostId, node: name })
      for (const { ticket } of [ofHost, ofJoiner]) {
        expect(await far.refusedWith(showing(ticket), serverRelayPathOf(other))).toBe(403)
        expect(await far.refusedWith(showing(ticket), serverRelayPathOf(name))).toBe(404)
        expect(await near.refusedWith(showing(ticket), serverRelayPath)).toBe(404)
      }
      const sides = [
        await Side.open(near, ofHost.ticket, name),
        await Side.open(near, ofJoiner.ticket, name),
      ] as const
      for (const side of sides) expect(await side.next()).toHaveLength(0)
      sides[0].socket.send(Buffer.from('from the host'))
      sides[1].socket.send(Buffer.from('from the joiner'))
      expect((await sides[1].next()).toString()).toBe('from the host')
      expect((await sides[0].next()).toString()).toBe('from the joiner')
      expect(await near.refusedWith(showing(ofJoiner.ticket), serverRelayPathOf(name))).toBe(403)
      expect((await near.scrape()).values.get('thru_server_relays')).toBe(1)
      expect((await far.scrape()).values.get('thru_server_relays')).toBe(0)
    },
  )
})
