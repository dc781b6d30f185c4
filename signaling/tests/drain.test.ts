import { expect, it } from 'vitest'
import { drain, type Drainable } from '#signaling/socket/drain'
import { FakeClock } from './fake-clock.ts'

/** A number of sockets, and the times of their ends in ms from the start. */
function sockets(count: number, isPairing: (index: number, ms: number) => boolean) {
  const clock = new FakeClock()
  const begin = clock.now()
  const ended = new Map<number, number>()
  const left = (): readonly Drainable[] =>
    Array.from({ length: count }, (_, index) => index)
      .filter((index) => !ended.has(index))
      .map((index) => ({
        isPairing: isPairing(index, clock.now() - begin),
        end: () => ended.set(index, clock.now() - begin),
      }))
  const run = async (ms: number) => {
    const done = drain(left, ms, clock)
    for (let step = 0; step < 20; step += 1) {
      // Work after a pause runs a few turns after the pause's end.
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
      clock.advance(ms / 20)
    }
    await done
    return [...ended.values()]
  }
  return { run, ended }
}

it('ends sockets evenly over the time', async () => {
  const { run } = sockets(100, () => false)
  const times = await run(1000)
  expect(times).toHaveLength(100)
  for (let step = 0; step < 20; step += 1) {
    expect(times.filter((ms) => ms === step * 50)).toHaveLength(5)
  }
})

it('ends pairing clients last, and all of them in the end', async () => {
  const { run, ended } = sockets(100, (index, ms) => index === 0 || (index === 1 && ms < 500))
  await run(1000)
  expect(ended.size).toBe(100)
  expect(ended.get(0)).toBe(950)
  expect(ended.get(1)).toBeGreaterThanOrEqual(500)
  expect(ended.get(1)).toBeLessThan(950)
})

it('ends immediately without sockets', async () => {
  const { run } = sockets(0, () => false)
  expect(await run(1000)).toEqual([])
})
