/** `thru` over a service of two nodes, which share a real Redis. */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  Cable,
  redisMissing,
  redisProgram,
  RedisServer,
} from '../../../signaling/tests/programs/redis/redis-server.ts'
import { codeOf, programRig } from './program-rig'
import { hashTree, writeTree } from './tree'

const { at, start } = programRig('nodes')

/** A node, and the port where it listens. */
async function serve(redis: RedisServer) {
  const server = start(['serve', '--port', '0', '--host', '127.0.0.1', '--trust-loopback'], {
    env: { REDIS_URL: redis.url },
  })
  const port = Number((await server.match(/ws:\S+:(\d+)/))[1])
  return { server, port, url: `ws://127.0.0.1:${port}` }
}

/** The socket that hosts the only share. */
const hostOf = async (redis: RedisServer): Promise<string> =>
  /"host":"(\w+)"/.exec(await redis.ask('HVALS', '{thru1}:rooms'))?.[1] ?? ''

describe.skipIf(redisProgram === null)(`two nodes${redisMissing}`, () => {
  it('bring a sender at one and a receiver at the other together', async () => {
    const redis = await RedisServer.start()
    const [a, b] = [await serve(redis), await serve(redis)]
    writeTree(at('src'), { 'notes.txt': 'remember', 'album/one.bin': 'x'.repeat(1_000_000) })
    const sender = start(['host', at('src'), '--json', '--server-url', a.url])
    const code = await codeOf(sender)
    const receiver = start(['join', code, '--out', at('dst'), '--yes', '--server-url', b.url])
    expect((await receiver.ended).exitCode).toBe(0)
    expect(hashTree(at('dst', 'src'))).toEqual(hashTree(at('src')))
    expect((await sender.stop()).exitCode).toBe(0)
  })

  it(
    'SIG-17: keep a share with its code when the node of its sender is killed, and transfers go on',
    { tags: ['full'] },
    async () => {
      const redis = await RedisServer.start()
      const [a, b] = [await serve(redis), await serve(redis)]
      const front = await Cable.to(a.port)
      const frontUrl = `ws://127.0.0.1:${front.port}`
      writeFileSync(at('notes.txt'), Buffer.alloc(20_000_000, 'remember'))
      const slowly = ['--limit-up', '4MB/s']
      const sender = start(['host', at('notes.txt'), ...slowly, '--json', '--server-url', frontUrl])
      const code = await codeOf(sender)
      const first = start([
        ...['join', code, '--out', at('first'), '--yes', '--json', '--server-url', b.url],
      ])
      await first.lineWhere('progress', ({ bytes }) => Number(bytes) > 0)
      const before = await hostOf(redis)
      front.lead(b.port)
      await a.server.stop('SIGKILL')
      front.cut()
      front.mend()
      await expect.poll(() => hostOf(redis), { timeout: 20_000 }).not.toBe(before)
      const receiver = start(['join', code, '--out', at('dst'), '--yes', '--server-url', b.url])
      expect((await receiver.ended).exitCode).toBe(0)
      expect((await first.ended).exitCode).toBe(0)
      for (const folder of ['first', 'dst']) {
        const isSame = readFileSync(at(folder, 'notes.txt')).equals(readFileSync(at('notes.txt')))
        expect(isSame).toBe(true)
      }
      expect((await sender.stop()).exitCode).toBe(0)
    },
  )
})
