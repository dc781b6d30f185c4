import { describe, expect, it } from 'vitest'
import type { ServerMessage } from '#shared/signaling'
import { makeConfig } from '#signaling/config'
import { rendezvousRules } from '#signaling/limits'
import { MemoryStore } from '#signaling/memory-store'
import { type Random, systemRandom } from '#signaling/random'
import { Rendezvous } from '#signaling/rendezvous'
import type { ConnectionId, Effect, Room } from '#signaling/rooms'
import { FakeClock } from './fake-clock.ts'

const connection = (name: string) => name as ConnectionId

const dayMs = 24 * 3600 * 1000

function setUp({
  maxSessions = 100,
  random = systemRandom,
}: { maxSessions?: number; random?: Random } = {}) {
  const clock = new FakeClock()
  const store = new MemoryStore()
  const config = makeConfig({ maxSessions })
  if (!config.ok) throw new Error(config.error.detail)
  const rendezvous = new Rendezvous(store, rendezvousRules(config.value), clock, random, null)
  const host = (name: string, wish: { token?: string; nameplate?: string } = {}) =>
    rendezvous.host(connection(name), { t: 'host', v: 1, ...wish })
  return { clock, store, rendezvous, host }
}

/** Draws these numbers instead of random ones, the last one for ever. */
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

/** Takes so many nameplates of a length, in the given phase. */
async function fill(
  store: MemoryStore,
  digits: number,
  count: number,
  phase: 'absent' | 'resting',
): Promise<void> {
  const joins = { tokens: 0, at: 0 }
  for (let index = 0; index < count; index += 1) {
    const nameplate = String(10 ** (digits - 1) + index)
    const room: Room = { nameplate, ownerHash: null, until: Infinity, joins, phase }
    await store.create(room, false)
  }
}

describe('nameplates', () => {
  it('have four digits and a token of 256 bits', async () => {
    const { host } = setUp()
    const answer = hosted(await host('a'))
    expect(answer.nameplate).toMatch(/^[1-9][0-9]{3}$/)
    expect(Buffer.from(answer.token, 'base64url')).toHaveLength(32)
  })

  it('are drawn again when they are taken', async () => {
    const { host } = setUp({ random: drawing(4821, 4821, 4822) })
    await host('a')
    expect(hosted(await host('b')).nameplate).toBe('4822')
  })

  it('have five digits when more than 30 % of those with four are taken, then six', async () => {
    const { store, host } = setUp()
    await fill(store, 4, 2700, 'resting')
    expect(hosted(await host('a')).nameplate).toHaveLength(4)
    expect(hosted(await host('b')).nameplate).toHaveLength(5)
    await fill(store, 5, 27_001, 'resting')
    expect(hosted(await host('c')).nameplate).toHaveLength(6)
  })

  it('SIG-18: are reused before their rest is over only when all lengths are crowded', async () => {
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

describe('owner tokens', () => {
  it('take the nameplate back after a drop', async () => {
    const { host, rendezvous } = setUp()
    const { nameplate, token } = hosted(await host('a'))
    await rendezvous.drop(connection('a'), nameplate)
    expect(hosted(await host('b', { token }))).toMatchObject({ nameplate, token })
  })

  it('SIG-08: are refused when guessed', async () => {
    const { host } = setUp()
    await host('a')
    const guess = systemRandom.bytes(32).toString('base64url')
    expect(refusal(await host('b', { token: guess }))).toBe('E_NO_SUCH_CODE')
  })

  it('SIG-08: do not help to take a nameplate that somebody else has', async () => {
    const { host } = setUp()
    const mine = hosted(await host('a'))
    const other = hosted(await host('b'))
    const effects = await host('c', { token: mine.token, nameplate: other.nameplate })
    expect(hosted(effects).nameplate).toBe(mine.nameplate)
  })

  it('are kept as hashes only', async () => {
    const { store, host } = setUp()
    const { nameplate, token } = hosted(await host('a'))
    let kept = ''
    await store.update(nameplate, (room) => {
      kept = JSON.stringify(room)
      return { room, effects: [] }
    })
    expect(kept).toContain(nameplate)
    expect(kept).not.toContain(token)
  })

  it('that a restarted server has forgotten give the nameplate back when it is named too', async () => {
    const { host } = setUp()
    const token = systemRandom.bytes(32).toString('base64url')
    const again = hosted(await host('a', { token, nameplate: '4821' }))
    expect(again.nameplate).toBe('4821')
    expect(again.token).not.toBe(token)
  })
})

describe('a sweep', () => {
  it('ends sessions whose time is over', async () => {
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
      await rendezvous.join(b, { t: 'join', v: 1, nameplate })
      await rendezvous.drop(b, nameplate)
      await rendezvous.leave(a, nameplate)
    }
    expect((await store.usage()).sessions).toBe(0)
    clock.advance(dayMs)
    await rendezvous.sweep()
    expect(await store.usage()).toEqual({ sessions: 0, taken: { 4: 0, 5: 0, 6: 0 } })
  })
})
