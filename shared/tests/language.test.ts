import { afterEach, describe, expect, it } from 'vitest'
import { describeError } from '#shared/describe-error'
import { appError } from '#shared/errors'
import * as format from '#shared/format/format'
import { pluralOf } from '#shared/format/plural'
import { chooseLanguage, languageTags } from '#shared/language'
import { missingTexts, withEnglish } from '#shared/text/catalogue'
import { speak, text } from '#shared/text/current'
import { loadSharedText } from '#shared/text/load'

afterEach(() => speak('en', {}))

describe('the preferred language', () => {
  it.each([
    [['ko-KR', 'en-US'], 'ko'],
    [['xx-Unknown', 'ko'], 'ko'],
    [['de-DE', 'en-GB'], 'en'],
    [['not a tag'], 'en'],
    [[], 'en'],
  ])('who prefers %j is %s', (wished, expected) => {
    expect(chooseLanguage(wished)).toBe(expected)
  })
})

it.each(languageTags)(
  'has shared texts for %s, all of which can be formatted',
  async (language) => {
    await loadSharedText(language)
    expect(missingTexts(text, text)).toEqual([])
    expect(describeError(appError('E_PATH_NOT_FOUND', '', '2026')).what).toContain('2026')
    expect(format.formatBytesOf(38.4e9, 61.9e9)).toMatch(/38[.,]4/)
  },
)

it('uses English for texts that a translation lacks', () => {
  const english = { greet: (name: string) => `Hello ${name}`, parts: { one: 'One', two: 'Two' } }
  const translation = { parts: { two: '둘' } }
  const merged = withEnglish(english, translation)
  expect(merged.greet('Mina')).toBe('Hello Mina')
  expect(merged.parts).toEqual({ one: 'One', two: '둘' })
  expect(missingTexts(english, translation)).toEqual(['greet', 'parts.one'])
})

it('keeps English sentences and figures in order in a right-to-left page', async () => {
  await loadSharedText('ar')
  expect(describeError(appError('E_INTERNAL')).what).toBe(
    '\u2066Something went wrong in Thruflux.\u2069',
  )
  expect(describeError(appError('E_DISK_FULL')).what).not.toContain('\u2066')
  expect(format.formatRate(118e6)).toBe('\u2066118 MB/s\u2069')
})

describe('figures', () => {
  it('follow the language', () => {
    speak('de', {})
    expect(format.formatBytes(84.2e9)).toBe('84,2 GB')
    expect(format.formatCount(12_480)).toBe('12.480')
    expect(format.formatPercent(62, 100)).toBe('62\u00a0%')
    speak('ko', {})
    expect(format.formatBytesOf(38.4e9, 61.9e9)).toBe('61.9 GB 중 38.4')
    expect(format.formatDuration(548_000)).toBe('9분 8초')
    speak('fr', {})
    expect(format.formatRate(118e6)).toBe('118 Mo/s')
    speak('ar', {})
    expect(format.formatCount(12_480)).toBe('12,480')
  })

  it('are the same again after another language was in use', () => {
    const before = format.formatCount(12_480)
    speak('de', {})
    format.formatCount(1)
    speak('en', {})
    expect(format.formatCount(12_480)).toBe(before)
  })
})

it('formats lists for the language', () => {
  expect(format.formatList(['apple', 'ample', 'maple'], 'or')).toBe('apple, ample, or maple')
  speak('ko', {})
  expect(format.formatList(['사과', '배'], 'and')).toBe('사과 및 배')
})

it("chooses plurals by the rules of a text's own language", () => {
  const files = { one: 'file', two: 'two files', few: 'few files', other: 'files' }
  expect(pluralOf('en')(2, files)).toBe('files')
  expect(pluralOf('ar')(2, files)).toBe('two files')
  expect(pluralOf('ko')(1, { other: '파일' })).toBe('파일')
})
