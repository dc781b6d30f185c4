/** Runs the tests of a server's clients again with all state in Redis. */
import { afterAll, it } from 'vitest'
import { redisState } from '#signaling/redis/state'
import type { StateFactory } from '#signaling/rooms/shared-state'
import { keepStateIn } from '../../wire/test-server.ts'
import { redisMissing, redisProgram, RedisServer } from './redis-server.ts'

/** Calls without a result yet. */
let asked = 0

/** Wraps an object and counts its pending calls in `asked`. */
const counting = <T extends object>(target: T): T =>
  new Proxy(target, {
    get(_, key) {
      const value: unknown = Reflect.get(target, key, target)
      if (typeof value !== 'function' || key === 'deliver') return value
      return (...args: unknown[]): unknown => {
        const answer: unknown = value.apply(target, args)
        if (!(answer instanceof Promise)) return answer
        asked += 1
        const end = (): void => void (asked -= 1)
        answer.then(end, end)
        return answer
      }
    },
    set: (_, key, value) => Reflect.set(target, key, value, target),
  })

const watched =
  (make: StateFactory): StateFactory =>
  (node) => {
    const state = make(node)
    const { rooms, mailboxes, allowances } = state
    return {
      rooms: counting(rooms),
      mailboxes: counting(mailboxes),
      allowances: counting(allowances),
      clock: state.clock,
      get nodes() {
        return state.nodes
      },
      pass: (effects) => state.pass(effects),
      connectionId: () => state.connectionId(),
      start: () => state.start(),
      close: () => state.close(),
    }
  }

async function settled(): Promise<void> {
  for (let quiet = 0; quiet < 5; quiet += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    if (asked > 0) quiet = -1
  }
}

if (redisProgram === null) it.skip(`a server with Redis${redisMissing}`)
else {
  let servers = 0
  let endRedis = (): Promise<void> => Promise.resolve()
  const redis = await RedisServer.start([], (end) => (endRedis = end))
  afterAll(() => endRedis())
  keepStateIn({
    make: (clock) => {
      servers += 1
      return watched(redisState(redis.url, { clock, prefix: `{test${servers}}:` }))
    },
    settled,
  })
  await import('../../wire/nameplates.test.ts')
  await import('../../wire/passes.test.ts')
  await import('../../wire/strangers.test.ts')
  await import('../../wire/unknown-nameplate.test.ts')
  await import('../../wire/mailboxes.test.ts')
  await import('../../wire/grant.test.ts')
  await import('../../wire/draining.test.ts')
  await import('../../wire/log.test.ts')
  await import('../../wire/reload.test.ts')
}
