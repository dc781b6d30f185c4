import { expect, it } from 'vitest'
import { isBareRate, parseRate } from '#shared/format/parse-rate'

it.each([
  ['20M', 20_000_000],
  ['20MB/s', 20_000_000],
  ['20 MB/s', 20_000_000],
  ['200MiB', 209_715_200],
  ['200 MiB/s', 209_715_200],
  ['20Mbit', 2_500_000],
  ['20Mbit/s', 2_500_000],
  ['20Mbits/s', 2_500_000],
  ['20Mbps', 2_500_000],
  ['4096', 4096],
  ['0', 0],
])('reads %s', (text, value) => {
  expect(parseRate(text)).toEqual({ ok: true, value })
})

it.each(['', 'fast', '20 miles', '-5M', '/s', 'bit'])('refuses "%s"', (text) => {
  expect(parseRate(text)).toMatchObject({ ok: false, error: { code: 'E_BAD_ARGUMENT' } })
})

it.each<readonly [string, boolean]>([
  ['5', true],
  [' 999 ', true],
  ['1000', false],
  ['0', false],
  ['5k', false],
  ['500B', false],
])('knows whether a unit was forgotten in "%s"', (text, isBare) => {
  expect(isBareRate(text)).toBe(isBare)
})
