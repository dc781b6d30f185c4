/**
 * Simultaneous actions of two nodes, many times.
 *
 * @module-tag full
 */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '#signaling/clock'
import { makeConfig } from '#signaling/config/config'
import { admissionRules, mailboxRules, rendezvousRules } from '#signaling/limits/limits'
import { ServerMetrics } from '#signaling/metrics/server-metrics'
import { systemRandom } from '#signaling/random'
import { redisState } from '#signaling/redis/state'
import { Passes } from '#signaling/rooms/passes'
import { Rendezvous } from '#signaling/rooms/rendezvous'
import type { ConnectionId, Effect } from '#signaling/rooms/rooms'
import { redisMissing, redisProgram, RedisServer } from './redis-server.ts'

let redis: RedisServer
let endRedis: () => Promise<void> = () => Promise.resolve()

beforeAll(async () => {
  if (redisProgram === null) return
  redis = await RedisServer.start([], (end) => (endRedis = end))
})
afterAll(() => endRedis())

const limits = makeConfig({ maxSessions: 100_000, maxSessionsPerAddress: 100_000 })
if (!limits.ok) throw new Error(limits.error.detail)
const config = limits.value

/** A node without sockets, which records their effects. */
async function bareNode(url: string, allowances = admissionRules(config)) {
  const delivered: Effect[] = []
  const passes = new Passes(systemRandom)
  const state = redisState(url)({
    clock: systemClock,
    random: systemRandom,
    log: () => undefined,
    metrics: new ServerMetrics(),
    passes,
    rules: {
      allowances,
      mailboxes: mailboxRules(config),
      rooms: rendezvousRules(config),
    },
    deliver: (effects) => void delivered.push(...effects),
    dismiss: () => undefined,
    release: () => Promise.resolve(),
  })
  await state.start()
  onTestFinished(() => state.close())
  const rules = rendezvousRules(config)
  const rendezvous = new Rendezvous(state.rooms, rules, state.clock, systemRandom, passes)
  return { state, rendezvous, delivered }
}

const isHosted = (effect: Effect) => effect.type === 'send' && effect.message.t === 'hosted'
const home = '203.0.113.7'

describe.skipIf(redisProgram === null)(`two nodes at once${redisMissing}`, () => {
  it('never give one nameplate to two hosts', async () => {
    const nodes = [await bareNode(redis.url), await bareNode(redis.url)]
    const rounds = 3000
    let given = 0
    for (let round = 0; round < rounds; round += 1) {
      const nameplate = String(100_000 + round)
      const answers = await Promise.all(
        nodes.map(({ state, rendezvous }) =>
          rendezvous.host(state.connectionId(), home, { t: 'host', v: 1, nameplate }),
        ),
      )
      given += answers.filter((effects) => effects.some(isHosted)).length
    }
    expect(given).toBe(rounds)
    expect((await nodes[0]?.state.rooms.usage())?.phases.hosted).toBe(rounds)
    const told = nodes.flatMap(({ delivered }) => delivered)
    expect(told.filter(isHosted)).toHaveLength(rounds)
    expect(told.filter(({ type }) => type === 'refuse')).toHaveLength(rounds)
  })

  it('leave one host of an owner that attaches at both, and close every other', async () => {
    const nodes = [await bareNode(redis.url), await bareNode(redis.url)]
    const owner = 'O'.repeat(43)
    const attached: ConnectionId[] = []
    for (let round = 0; round < 300; round += 1) {
      await Promise.all(
        nodes.map(({ state, rendezvous }) => {
          const who = state.connectionId()
          attached.push(who)
          return rendezvous.host(who, home, { t: 'host', v: 1, owner })
        }),
      )
    }
    const closed = () =>
      nodes.flatMap(({ delivered }) => delivered).filter(({ type }) => type === 'close')
    await expect.poll(() => closed().length).toBe(attached.length - 1)
    expect(new Set(closed().map(({ to }) => to)).size).toBe(attached.length - 1)
  })

  it('take no more from an allowance than it has', async () => {
    const nodes = [await bareNode(redis.url), await bareNode(redis.url)]
    const takes = Array.from({ length: 200 }, () =>
      nodes.map(({ state }) =>
        state.allowances.take([{ action: 'misses', address: '198.51.100.9' }]),
      ),
    )
    const taken = (await Promise.all(takes.flat())).filter((isTaken) => isTaken)
    expect(taken).toHaveLength(10)
  })

  it('take nothing from several allowances if one is used up', async () => {
    const { state } = await bareNode(redis.url)
    const address = '198.51.100.10'
    const once = { action: 'notifications', address } as const
    const other = { action: 'misses', address } as const
    for (let turn = 0; turn < 10; turn += 1) expect(await state.allowances.take([other])).toBe(true)
    for (let turn = 0; turn < 50; turn += 1) {
      expect(await state.allowances.take([once, other])).toBe(false)
    }
    await state.allowances.giveBack(other)
    expect(await state.allowances.take([once, other])).toBe(true)
  })

  it("take only from an address's allowance after the global one is used up", async () => {
    const once = { perMinute: 0.001, burst: 1 }
    const listens = { each: once, all: once }
    const { state } = await bareNode(redis.url, { ...admissionRules(config), listens })
    const together = { action: 'listens', address: null } as const
    expect(await state.allowances.take([together])).toBe(true)
    expect(await state.allowances.take([together])).toBe(false)
    const alone = { action: 'listens', address: '198.51.100.11', inAll: false } as const
    expect(await state.allowances.take([alone])).toBe(true)
    expect(await state.allowances.take([alone])).toBe(false)
    await state.allowances.giveBack(alone)
    expect(await state.allowances.take([together])).toBe(false)
  })

  it('lose no joiner and report each to the host once', async () => {
    const nodes = [await bareNode(redis.url), await bareNode(redis.url)]
    const [first, second] = nodes
    if (first === undefined || second === undefined) throw new Error('no nodes')
    const host = first.state.connectionId()
    const hosted = await first.rendezvous.host(host, home, { t: 'host', v: 1 })
    const assignment = hosted.find((effect) => effect.type === 'assign')
    const nameplate = assignment?.type === 'assign' ? assignment.nameplate : ''
    const joins = Array.from({ length: 100 }, (_, index) => {
      const { state, rendezvous } = index % 2 === 0 ? first : second
      return rendezvous.join(state.connectionId(), { t: 'join', v: 1, nameplate }, null)
    })
    await Promise.all(joins)
    const peers = () =>
      first.delivered.flatMap((effect) =>
        effect.type === 'hand-over' && effect.message.t === 'peer' ? [effect.message.peer] : [],
      )
    await expect.poll(() => peers().length).toBe(100)
    expect(new Set(peers()).size).toBe(100)
  })
})
