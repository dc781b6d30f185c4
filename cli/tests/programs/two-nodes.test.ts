/** `thru` with a service of two nodes that share a real Redis. */
import { describe, expect, it } from 'vitest'
import {
  redisMissing,
  redisProgram,
  RedisServer,
} from '../../../signaling/tests/programs/redis/redis-server.ts'
import { codeOf, programRig } from './program-rig'
import { hashTree, writeTree } from './tree'

const { at, start } = programRig('nodes')

async function serve(redis: RedisServer) {
  const server = start(['serve', '--port', '0', '--host', '127.0.0.1', '--trust-loopback'], {
    env: { REDIS_URL: redis.url },
  })
  const port = Number((await server.match(/ws:\S+:(\d+)/))[1])
  return { server, port, url: `ws://127.0.0.1:${port}` }
}

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
})
