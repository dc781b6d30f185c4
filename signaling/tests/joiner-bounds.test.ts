import { expect, it } from 'vitest'
import { JoinerBounds, type JoinerRules } from '#signaling/limits/joiner-bounds'

const rules: JoinerRules = {
  messages: { perMinute: 60, burst: 10 },
  maxChars: 100,
  strays: { perMinute: 6, burst: 2 },
  grantMs: 1000,
}
const host = 'host'

/** A joiner with this many characters in its join, introduced at time 0. */
function introduced(said = 0): JoinerBounds {
  const joiner = new JoinerBounds(said)
  joiner.introduce(host, 0)
  return joiner
}

it('may send its host as much as a pairing needs', () => {
  const joiner = introduced(40)
  expect(joiner.judge(rules, host, 60, 0)).toBe('pass')
  expect(joiner.judge(rules, host, 1, 0)).toBe(4000)
})

it('counts its messages for others, too', () => {
  const joiner = introduced()
  expect(joiner.judge(rules, 'another', 60, 0)).toBe('stray')
  expect(joiner.judge(rules, host, 41, 0)).toBe(4000)
})

it('has no host before its introduction', () => {
  const joiner = new JoinerBounds(0)
  expect(joiner.judge(rules, host, 1, 0)).toBe('stray')
  expect(joiner.isLate(rules, 1_000_000)).toBe(false)
})

it('may send any amount once it is admitted, but only to its host', () => {
  const joiner = introduced()
  joiner.letIn()
  for (let time = 0; time < 10; time += 1) expect(joiner.judge(rules, host, 90, 0)).toBe('pass')
  expect(joiner.judge(rules, 'another', 90, 0)).toBe('stray')
  expect(joiner.judge(rules, 'another', 90, 0)).toBe('stray')
  expect(joiner.judge(rules, 'another', 90, 0)).toBe(4006)
  expect(joiner.judge(rules, 'another', 90, 10_000)).toBe('stray')
})

it('has limited time to be admitted', () => {
  const joiner = introduced()
  expect([joiner.isLate(rules, 999), joiner.isLate(rules, 1000)]).toEqual([false, true])
  joiner.letIn()
  expect(joiner.isLate(rules, 1000)).toBe(false)
})
