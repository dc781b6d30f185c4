import { expect, it } from 'vitest'
import { type AskStun, nearestHosts } from '#client/signaling/nearest-relays'
import { ManualClock } from '#client/testing/manual-clock'

/** Relays that answer after this many milliseconds; `null` for never. */
function relays(times: Readonly<Record<string, number | null>>) {
  const clock = new ManualClock()
  let open = 0
  const ask: AskStun = ({ host }, onAnswer) => {
    open += 1
    const time = times[host] ?? null
    const cancel = time === null ? () => undefined : clock.after(time, onAnswer)
    return () => {
      open -= 1
      cancel()
    }
  }
  const places = Object.keys(times).map((host) => ({ host, port: 3478 }))
  let near: readonly string[] | null = null
  void nearestHosts(places, clock, ask).then((hosts) => (near = [...hosts]))
  return {
    after: async (ms: number) => {
      clock.advance(ms)
      await Promise.resolve()
      return { near, open }
    },
  }
}

it('the first relay to answer is kept, and those of other continents are not', async () => {
  const { after } = relays({ seoul: 12, frankfurt: 240, virginia: 170 })
  expect(await after(12)).toEqual({ near: null, open: 3 })
  expect(await after(10)).toEqual({ near: ['seoul'], open: 0 })
})

it('two relays at about the same distance are both kept', async () => {
  const { after } = relays({ one: 200, two: 230, far: 290 })
  expect((await after(250)).near).toEqual(['one', 'two'])
})

it('the search ends when all have answered', async () => {
  const { after } = relays({ one: 5, two: 6 })
  expect(await after(6)).toEqual({ near: ['one', 'two'], open: 0 })
})

it('all are kept when none answers', async () => {
  const { after } = relays({ one: null, two: null })
  expect((await after(299)).near).toBeNull()
  expect(await after(1)).toEqual({ near: ['one', 'two'], open: 0 })
})

it('a single relay is not queried', async () => {
  const { after } = relays({ only: null })
  expect(await after(0)).toEqual({ near: ['only'], open: 0 })
})
