// What several nodes cost that share a Redis. Swarm, nodes and Redis need more cores than two: so it is measured what one
// pairing takes of each process, and reckoned what they carry when each has a core of its own.
import { each, nextAddress, said, spread } from './load.mjs'
import { thruHost, thruJoin } from './pairing.mjs'
import { ServerProcess } from './server-process.mjs'

/** A whole pairing at nodes that are drawn for each side. */
async function pairing(ports) {
  const any = () => ports[Math.floor(Math.random() * ports.length)]
  const host = await thruHost(any(), nextAddress())
  const beganAt = performance.now()
  const joiner = await thruJoin(any(), nextAddress(), host)
  const ms = performance.now() - beganAt
  for (const socket of [joiner, host.socket]) socket.send(JSON.stringify({ t: 'leave' }))
  return ms
}

/** Pairings of `count` nodes; none share a Redis when there is none. */
async function measure(count, isShared, { seconds, server: program }) {
  const redis = isShared ? await ServerProcess.redis() : null
  const servers = []
  for (let node = 0; node < count; node += 1) {
    servers.push(await ServerProcess.thru({ program, redis: redis?.port }))
  }
  const ports = servers.map(({ port }) => port)
  const warmUntil = performance.now() + 3000
  await each(Infinity, 32, () => pairing(ports), warmUntil)
  for (const process of [...servers, redis]) process?.cpuSeconds()
  const before = redis?.scripts ?? 0
  const times = []
  const beganAt = performance.now()
  const one = async () => times.push(await pairing(ports))
  const failures = await each(Infinity, 32, one, beganAt + seconds * 1000)
  const took = (performance.now() - beganAt) / 1000
  const of = (process) => (process.cpuSeconds() * 1e6) / times.length
  const result = {
    rate: times.length / took,
    nodes: servers.reduce((sum, server) => sum + of(server), 0),
    redis: redis === null ? 0 : of(redis),
    scripts: redis === null ? 0 : (redis.scripts - before) / times.length,
    times: spread(times),
    note: said(failures),
  }
  for (const process of [...servers, redis]) await process?.stop()
  return result
}

/** One node alone, one with a Redis, and two with a Redis, where every second pairing is across nodes. */
export async function nodes(options) {
  const alone = await measure(1, false, options)
  const one = await measure(1, true, options)
  const two = await measure(2, true, options)
  const row = (what, { rate, nodes: cpu, redis, scripts, times, note }) => [
    { what: `${what}: pairings a second, all on one core`, value: rate.toFixed(0), ...times, note },
    { what: `${what}: processor time of nodes for one`, value: cpu.toFixed(0), unit: 'µs' },
    ...(redis === 0
      ? []
      : [
          { what: `${what}: processor time of Redis for one`, value: redis.toFixed(0), unit: 'µs' },
          { what: `${what}: scripts for one`, value: scripts.toFixed(1) },
        ]),
  ]
  return [
    ...row('one node in memory', alone),
    ...row('one node with Redis', one),
    ...row('two nodes with Redis', two),
    {
      what: 'two nodes to one, a core each, reckoned',
      value: ((2 * one.nodes) / two.nodes).toFixed(2),
    },
    {
      what: 'nodes that keep one core of Redis busy, reckoned',
      value: (two.nodes / two.redis).toFixed(1),
    },
  ]
}
