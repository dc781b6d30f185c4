import { expect, it } from 'vitest'
import { longestSilence } from '../lib/silence.mjs'

/** Converts each `d` of `line` into a sample with data, each dot into one without; they are 20 ms apart. */
const samplesOf = (line: string) => {
  let bytes = 0
  return [...line].map((sign, index) => {
    if (sign === 'd') bytes += 20_000
    else bytes += 200
    return { atMs: index * 20, bytes }
  })
}

it('finds the longest time without data, ignoring keep-alives', () => {
  expect(longestSilence(samplesOf('dddd..dd.....ddd'), 0)).toBe(100)
  expect(longestSilence(samplesOf('dddddddd'), 0)).toBeLessThan(40)
})

it('ignores samples before the given moment', () => {
  expect(longestSilence(samplesOf('d........dddd..dd'), 200)).toBe(40)
  expect(longestSilence(samplesOf('d........dddd'), 100)).toBe(60)
})
