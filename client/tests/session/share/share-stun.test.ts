import { expect, it } from 'vitest'
import type { EngineCommand, IceServers } from '#client/engine'
import { ShareStun } from '#client/session/share/share-stun'
import { fixedServer } from '#client/signaling/server-locator'
import { ManualClock } from '#client/testing/manual-clock'
import { appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'

const session = 3
const [one, other] = [
  { host: '192.0.2.1', port: 3478 },
  { host: '192.0.2.2', port: 3478 },
]

const serversOf = (
  stun: IceServers['stun'],
  relayUse: IceServers['relayUse'] = 'automatic',
): IceServers => ({
  ...{ stun, turn: [], relayUse },
})

/** A share that was opened with `begun`, and the commands for its engine. */
function share(begun = serversOf([one, other])) {
  const clock = new ManualClock()
  const told: EngineCommand[] = []
  const place = { looks: 0, now: ok(begun) as Result<IceServers, ReturnType<typeof appError>> }
  const stun = new ShareStun(
    {
      clock,
      server: fixedServer('ws://127.0.0.1:1'),
      engine: { post: (command: EngineCommand) => (told.push(command), null) } as never,
      iceServers: () => {
        place.looks += 1
        return Promise.resolve(place.now)
      },
    },
    session,
  )
  /** Advances the clock, and waits for the effects. */
  const pass = async (ms: number) => {
    clock.advance(ms)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { stun, clock, told, place, pass, begun }
}

const setTo = (stun: IceServers['stun']) => ({ type: 'set-stun', session, stun })

it('a share uses the STUN server that answers when a later receiver arrives', async () => {
  const { stun, told, place, pass, begun } = share()
  stun.begin(begun)
  place.now = ok(serversOf([other, one]))
  await pass(59_999)
  stun.onReceiver()
  await pass(0)
  expect(place.looks).toBe(0)
  await pass(1)
  stun.onReceiver()
  stun.onReceiver()
  await pass(0)
  expect(told).toEqual([setTo([other, one])])
  expect(place.looks).toBe(1)
  await pass(60_000)
  stun.onReceiver()
  await pass(0)
  expect(place.looks).toBe(2)
  expect(told).toHaveLength(1)
})

it('a share searches once after a burst of network changes', async () => {
  const { stun, told, place, pass, begun } = share(serversOf([]))
  stun.begin(begun)
  place.now = ok(serversOf([one]))
  for (let change = 0; change < 5; change += 1) {
    stun.onWake()
    await pass(500)
  }
  expect(place.looks).toBe(0)
  await pass(500)
  expect(place.looks).toBe(1)
  expect(told).toEqual([setTo([one])])
})

it.each([
  ['is invalid', err(appError('E_BAD_ARGUMENT', 'no server'))],
  ['allows only relays', ok(serversOf([], 'only'))],
])('a share keeps its servers when the new setting %s', async (_what, now) => {
  const { stun, told, place, pass, begun } = share()
  stun.begin(begun)
  place.now = now
  stun.onWake()
  await pass(1000)
  expect(place.looks).toBe(1)
  expect(told).toEqual([])
})

it('a share queries no STUN server with relays only, or while it is not open', async () => {
  const relayed = share(serversOf([one, other], 'only'))
  relayed.stun.begin(relayed.begun)
  const early = share()
  const over = share()
  over.stun.begin(over.begun)
  over.stun.onWake()
  over.stun.end()
  for (const { stun, clock, place, pass } of [relayed, early, over]) {
    await pass(60_000)
    stun.onReceiver()
    await pass(0)
    expect(place.looks).toBe(0)
    expect(clock.delays).toEqual([])
  }
})

it('a share that ends during a search sends the engine nothing', async () => {
  const { stun, told, place, pass, begun } = share()
  stun.begin(begun)
  place.now = ok(serversOf([other]))
  await pass(60_000)
  stun.onReceiver()
  stun.end()
  await pass(0)
  expect(place.looks).toBe(1)
  expect(told).toEqual([])
})
