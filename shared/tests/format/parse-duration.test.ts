import { expect, it } from 'vitest'
import { parseDuration } from '#shared/format/parse-duration'

it.each([
  ['90s', 90],
  ['15m', 900],
  ['10min', 600],
  ['1h30m', 5400],
  ['24h', 86_400],
  ['7d', 604_800],
  [' 1 h 30 min ', 5400],
])('reads %s', (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds)
})

it.each(['', '10', 'soon', '-5m', '1.5h', '30m1h', '5 months'])('refuses "%s"', (text) => {
  expect(parseDuration(text)).toBeNull()
})
