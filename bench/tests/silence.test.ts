import { expect, it } from 'vitest'
import { longestSilence } from '../lib/silence.mjs'

/** A sample every 20 ms; each letter of `line` is one with data, each dot one without. */
const samplesOf = (line: string) => {
  let bytes = 0
  return [...line].map((sign, index) => {
    if (sign === 'd') bytes += 20_000
    else bytes += 200
    return { atMs: index * 20, bytes }
  })
}

it('finds the longest time without data, signs of life aside', () => {
  expect(longestSilence(samplesOf('dddd..dd.....ddd'), 0)).toBe(100)
  expect(longestSilence(samplesOf('dddddddd'), 0)).toBeLessThan(40)
})

it('counts nothing before the moment from which it is asked', () => {
  expect(longestSilence(samplesOf('d........dddd..dd'), 200)).toBe(40)
  expect(longestSilence(samplesOf('d........dddd'), 100)).toBe(60)
})
