import { expect, it } from 'vitest'
import { GuessLimits } from '#client/session/request/guess-limits'

/** Makes `count` wrong guesses, each as early as it is allowed; returns the time of the last one. */
function guess(limits: GuessLimits, count: number): number {
  let nowMs = 0
  for (let made = 0; made < count; made += 1) {
    nowMs = limits.nextMs(nowMs) ?? Infinity
    const run = limits.begin(nowMs)
    run.shown()
    run.end()
  }
  return nowMs
}

it('counts a run from its proof on, unless the other side proves itself, too', () => {
  const limits = new GuessLimits()
  limits.begin(0).end()
  expect(limits.guesses.wrong).toBe(0)
  const run = limits.begin(0)
  run.shown()
  expect(limits.guesses.wrong).toBe(1)
  run.proven()
  run.end()
  expect(limits.guesses).toEqual({ wrong: 0, locked: false, spent: false })
})

it('allows three runs at a time, ten at once, and then one every 2 s', () => {
  const limits = new GuessLimits()
  const runs = [limits.begin(0), limits.begin(0), limits.begin(0)]
  expect(limits.nextMs(0)).toBeNull()
  for (const run of runs) run.end()
  for (let made = 3; made < 10; made += 1) {
    expect(limits.nextMs(0)).toBe(0)
    limits.begin(0).end()
  }
  expect(limits.nextMs(0)).toBe(2000)
})

it('doubles the pause after five wrong guesses, up to 30 s', () => {
  const limits = new GuessLimits()
  const fifthMs = guess(limits, 5)
  expect(limits.nextMs(fifthMs)).toBe(fifthMs + 1000)
  const others = new GuessLimits()
  const lastMs = guess(others, 20)
  expect(others.nextMs(lastMs)).toBe(lastMs + 30_000)
})

it('is locked after fifty wrong guesses until there is another code, and for good after two hundred', () => {
  const limits = new GuessLimits()
  for (const code of [1, 2, 3]) {
    guess(limits, 50)
    expect(limits.guesses, `code ${code}`).toMatchObject({ wrong: 50, locked: true, spent: false })
    expect(limits.nextMs(1e9)).toBeNull()
    limits.renew()
  }
  guess(limits, 50)
  limits.renew()
  expect(limits.guesses).toMatchObject({ wrong: 0, locked: true, spent: true })
})
