import { describe, expect, it } from 'vitest'
import type { ServerMessage } from '#shared/signaling/messages'
import { makeConfig } from '#signaling/config/config'
import { rendezvousRules } from '#signaling/limits/limits'
import { type Random, systemRandom } from '#signaling/random'
import { MemoryStore } from '#signaling/rooms/memory-store'
import { Passes, type PassId } from '#signaling/rooms/passes'
import { Rendezvous } from '#signaling/rooms/rendezvous'
import type { ConnectionId, Effect, Room } from '#signaling/rooms/rooms'
import { FakeClock } from './fake-clock.ts'

const connection = (name: string) => name as ConnectionId

const home = '203.0.113.7'

const dayMs = 24 * 3600 * 1000

function setUp({
  maxSessions = 100,
  maxSessionsPerAddress = 100,
  random = systemRandom,
}: { maxSessions?: number; maxSessionsPerAddress?: number; random?: Random } = {}) {
  const clock = new FakeClock()
  const store = new MemoryStore()
  const config = makeConfig({ maxSessions, maxSessionsPerAddress })
  if (!config.ok) throw new Error(config.error.detail)
  const rendezvous = new Rendezvous(
    store,
    rendezvousRules(config.value),
    clock,
    random,
    new Passes(random),
  )
  const host = (name: string, options: { owner?: string; nameplate?: string } = {}) =>
    rendezvous.host(connection(name), home, { t: 'host', v: 1, ...options })
  /** The verified owner returns. */
  const attach = (owner: string, nameplate: string, origin: string) =>
    rendezvous.host(
      connection(`${owner} again`),
      origin,
      { t: 'host', v: 1, owner, nameplate },
      nameplate,
    )
  return { clock, store, rendezvous, host, attach }
}

/** Draws these numbers instead of random ones, and repeats the last. */
const drawing = (...numbers: readonly number[]): Random => {
  const left = [...numbers]
  return {
    bytes: systemRandom.bytes,
    between: (from) => (left.length > 1 ? left.shift() : left[0]) ?? from,
  }
}

function hosted(effects: readonly Effect[]): Extract<ServerMessage, { t: 'hosted' }> {
  for (const effect of effects) {
    if (effect.type === 'send' && effect.message.t === 'hosted') return effect.message
  }
  throw new Error(`not hosted: ${JSON.stringify(effects)}`)
}

const refusal = (effects: readonly Effect[]) =>
  effects.find((effect) => effect.type === 'refuse')?.code

const terms = { recycle: false, maxSessions: Infinity, maxPerAddress: null }

/** Takes `count` nameplates of a length, in the given phase. */
async function fill(
  store: MemoryStore,
  digits: number,
  count: number,
  phase: 'absent' | 'resting',
): Promise<void> {
  const joins = { tokens: 0, at: 0 }
  for (let index = 0; index < count; index += 1) {
    const nameplate = String(10 ** (digits - 1) + index)
    const assignment = { nameplate, owner: null, origin: home, isVisible: false }
    const lasting = { ...assignment, until: Infinity, joins }
    const room: Room =
      phase === 'absent' ? { ...lasting, phase, waiting: [] } : { ...lasting, phase }
    await store.create(room, terms, [])
  }
}

describe('nameplates', () => {
  it('have four digits', async () => {
    const { host } = setUp()
    expect(hosted(await host('a')).nameplate).toMatch(/^[1-9][0-9]{3}$/)
  })

  it('are drawn again when they are taken', async () => {
    const { host } = setUp({ random: drawing(4821, 4821, 4822) })
    await host('a')
    expect(hosted(await host('b')).nameplate).toBe('4822')
  })

  it('have five digits when more than 30% of those with four are taken, then six', async () => {
    const { store, host } = setUp()
    await fill(store, 4, 2700, 'resting')
    expect(hosted(await host('a')).nameplate).toHaveLength(4)
    expect(hosted(await host('b')).nameplate).toHaveLength(5)
    await fill(store, 5, 27_001, 'resting')
    expect(hosted(await host('c')).nameplate).toHaveLength(6)
  })

  it('SIG-18: are reused early only if all lengths are crowded', async () => {
    const { store, host } = setUp({ random: drawing(999_999, 100_000) })
    await fill(store, 4, 2701, 'resting')
    await fill(store, 5, 27_001, 'resting')
    await fill(store, 6, 270_001, 'resting')
    expect(hosted(await host('a')).nameplate).toBe('100000')
    expect((await store.usage()).taken[6]).toBe(270_001)
  })

  it('SIG-18: run out with E_SERVER_BUSY', async () => {
    const { host, rendezvous } = setUp({ maxSessions: 2 })
    const first = hosted(await host('a'))
    await host('b')
    expect(refusal(await host('c'))).toBe('E_SERVER_BUSY')
    await rendezvous.leave(connection('a'), first.nameplate)
    expect(refusal(await host('c'))).toBeUndefined()
  })

  it.each([
    ['in all', { maxSessions: 2 }],
    ['of one address', { maxSessionsPerAddress: 2 }],
  ])(
    'that rest are given back to owners only while there are fewer sessions %s',
    async (_of, most) => {
      const { clock, store, host, attach, rendezvous } = setUp(most)
      const { nameplate } = hosted(await host('a', { owner: 'A' }))
      await rendezvous.drop(connection('a'), nameplate)
      clock.advance(10 * 60_000)
      await rendezvous.sweep()
      const { nameplate: second } = hosted(await host('b'))
      await host('c')
      expect(refusal(await attach('A', nameplate, home))).toBe('E_SERVER_BUSY')
      expect((await store.usage()).phases).toEqual({ hosted: 2, absent: 0, resting: 1 })
      await rendezvous.leave(connection('b'), second)
      expect(hosted(await attach('A', nameplate, home)).nameplate).toBe(nameplate)
    },
  )

  it("count for the address of their session's start, wherever the owner returns", async () => {
    const { host, attach } = setUp({ maxSessionsPerAddress: 1 })
    const { nameplate } = hosted(await host('a', { owner: 'A' }))
    hosted(await attach('A', nameplate, '198.51.100.1'))
    expect(refusal(await host('b'))).toBe('E_SERVER_BUSY')
  })

  it('SIG-18: rest for a day after their end', async () => {
    const { clock, host, rendezvous } = setUp()
    const { nameplate } = hosted(await host('a'))
    await rendezvous.leave(connection('a'), nameplate)
    clock.advance(dayMs - 1)
    await rendezvous.sweep()
    expect(refusal(await host('b', { nameplate }))).toBe('E_NO_SUCH_CODE')
    clock.advance(1)
    await rendezvous.sweep()
    expect(hosted(await host('b', { nameplate })).nameplate).toBe(nameplate)
  })
})

describe('owners', () => {
  const mine = 'M'.repeat(43)

  it('take their nameplate back after a drop', async () => {
    const { host, rendezvous } = setUp()
    const { nameplate } = hosted(await host('a', { owner: mine }))
    await rendezvous.drop(connection('a'), nameplate)
    expect(await rendezvous.ownedBy(mine)).toBe(nameplate)
    expect(hosted(await host('b', { owner: mine }))).toMatchObject({ nameplate })
  })

  it("SIG-08: don't get another owner's nameplate", async () => {
    const { host } = setUp()
    const own = hosted(await host('a', { owner: mine }))
    const other = hosted(await host('b', { owner: 'O'.repeat(43) }))
    const effects = await host('c', { owner: mine, nameplate: other.nameplate })
    expect(hosted(effects).nameplate).toBe(own.nameplate)
    expect(refusal(await host('d', { owner: 'T'.repeat(43), nameplate: own.nameplate }))).toBe(
      'E_NO_SUCH_CODE',
    )
  })

  it('that a restarted server has forgotten reclaim a nameplate by naming it', async () => {
    const { host } = setUp()
    expect(hosted(await host('a', { owner: mine, nameplate: '4821' })).nameplate).toBe('4821')
  })

  it('issue passes that are valid while they have the nameplate', async () => {
    const { clock, host, rendezvous } = setUp()
    const { nameplate } = hosted(await host('a', { owner: mine }))
    const pass = (await rendezvous.invite(nameplate)) ?? ''
    expect(await rendezvous.passOf(nameplate, pass)).not.toBeNull()
    const { nameplate: elsewhere } = hosted(await host('b'))
    expect(await rendezvous.passOf(elsewhere, pass)).toBeNull()
    for (const wrong of ['A'.repeat(43), `${pass.slice(0, 42)}${pass.endsWith('A') ? 'E' : 'A'}`]) {
      expect(await rendezvous.passOf(nameplate, wrong)).toBeNull()
    }
    await rendezvous.leave(connection('a'), nameplate)
    clock.advance(2 * dayMs)
    await host('c', { owner: 'O'.repeat(43), nameplate })
    expect(await rendezvous.passOf(nameplate, pass)).toBeNull()
  })

  it('are awaited by at most 64 joiners with a pass, who are introduced at once', async () => {
    const { host, rendezvous } = setUp()
    const { nameplate } = hosted(await host('a', { owner: mine }))
    await rendezvous.drop(connection('a'), nameplate)
    const answers = []
    for (let index = 0; index <= 64; index += 1) {
      const join = { t: 'join', v: 1, nameplate } as const
      answers.push(await rendezvous.join(connection(`${index}`), join, `${index}` as PassId))
    }
    expect(answers.map(refusal).lastIndexOf(undefined)).toBe(63)
    expect(refusal(answers[64] ?? [])).toBe('E_PEER_GONE')
  })
})

describe('a sweep', () => {
  it('ends expired sessions', async () => {
    const { clock, host, rendezvous } = setUp()
    await host('a')
    clock.advance(dayMs)
    expect(await rendezvous.sweep()).toEqual([{ type: 'close', to: 'a', code: 4003 }])
    expect(await rendezvous.sweep()).toEqual([])
  })

  it('SIG-11: leaves nothing of 10,000 shares with a receiver each', async () => {
    const { clock, store, host, rendezvous } = setUp()
    for (let round = 0; round < 10_000; round += 1) {
      const a = connection(`a${round}`)
      const b = connection(`b${round}`)
      const { nameplate } = hosted(await host(a))
      await rendezvous.join(b, { t: 'join', v: 1, nameplate }, null)
      await rendezvous.drop(b, nameplate)
      await rendezvous.leave(a, nameplate)
    }
    expect((await store.usage()).phases).toMatchObject({ hosted: 0, absent: 0 })
    clock.advance(dayMs)
    await rendezvous.sweep()
    expect(await store.usage()).toEqual({
      phases: { hosted: 0, absent: 0, resting: 0 },
      taken: { 4: 0, 5: 0, 6: 0 },
    })
  })
})
