import { describe, expect, it, onTestFinished } from 'vitest'
import * as format from '#shared/format/format'
import { languages, languageTags, setLanguage } from '#shared/language'

describe('formatBytes', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [99_949, '99.9 kB'],
    [99_951, '100 kB'],
    [999_499, '999 kB'],
    [999_500, '1.0 MB'],
    [117_600_000, '118 MB'],
    [84_200_000_000, '84.2 GB'],
    [1e18, '1000 PB'],
  ])('writes %d as %s', (bytes, text) => {
    expect(format.formatBytes(bytes)).toBe(text)
  })
})

it('shows a part in the unit of the whole', () => {
  expect(format.formatBytesOf(38.4e9, 61.9e9)).toBe('38.4 of 61.9 GB')
  expect(format.formatBytesOf(0, 512)).toBe('0 of 512 B')
})

it('writes a rate', () => {
  expect(format.formatRate(118e6)).toBe('118 MB/s')
})

it('groups the digits of counts', () => {
  expect(format.formatCount(1_234_567)).toBe('1,234,567')
})

it.each(languageTags)('writes figures in %s as Intl does', (tag) => {
  setLanguage(tag)
  onTestFinished(() => setLanguage('en'))
  const { locale } = languages[tag]
  for (const tenths of [10, 15, 16.4, 99.9]) {
    const figure = new Intl.NumberFormat(locale, { minimumFractionDigits: 1 }).format(tenths)
    expect(format.formatBytes(tenths * 1e6)).toContain(figure)
  }
  for (const count of [0, 7, 999, 1000, 12_480]) {
    expect(format.formatCount(count)).toBe(new Intl.NumberFormat(locale).format(count))
  }
  const percent = new Intl.NumberFormat(locale, { style: 'percent' })
  expect(format.formatPercent(62, 100)).toContain(percent.format(0.62))
})

it('reaches 100% only when nothing is missing', () => {
  expect(format.formatPercent(0, 10)).toBe('0%')
  expect(format.formatPercent(9999, 10_000)).toBe('99%')
  expect(format.formatPercent(10, 10)).toBe('100%')
  expect(format.formatPercent(0, 0)).toBe('100%')
})

describe('formatDuration', () => {
  it.each([
    [0, '0 s'],
    [8400, '8 s'],
    [60_000, '1 min'],
    [548_000, '9 min 8 s'],
    [3_599_999, '1 h'],
    [3_900_000, '1 h 5 min'],
    [183_600_000, '2 d 3 h'],
  ])('writes %d ms as %s', (durationMs, text) => {
    expect(format.formatDuration(durationMs)).toBe(text)
  })
})

describe('formatTimeLeft', () => {
  it.each([
    [0, '1 s'],
    [7.2, '8 s'],
    [71, '1 min 20 s'],
    [180, '3 min'],
    [301, '6 min'],
    [3700, '1 h 2 min'],
  ])('writes %d seconds as %s', (seconds, text) => {
    expect(format.formatTimeLeft(seconds)).toBe(text)
  })
})
