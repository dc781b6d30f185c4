import { describe, expect, it } from 'vitest'
import { chosenWordsSchema, readWords } from '#shared/code/chosen-words'

const faultIn = (given: string, old?: string) => {
  const read = readWords(given, old)
  return read.ok ? null : `${read.error.what} ${read.error.remedy}`
}

describe('words that a person chooses for a code', () => {
  it.each([
    ['apple-kayak-onion'],
    [' Apple  Kayak.ONION '],
    ['app_kay_oni'],
    ['apple\u2013kayak\u2014onion'],
  ])('are read like codes: %s', (given) => {
    expect(readWords(given)).toEqual({ ok: true, value: 'apple-kayak-onion' })
  })

  it.each([
    ['nothing', '', 'three words'],
    ['two words', 'apple kayak', 'three words'],
    ['four words', 'apple kayak onion puppy', 'three words'],
    ['a number and two words', '4821-apple-kayak', 'three words'],
    ['two words, one of no code', 'apple-kayek', 'Did you mean kayak'],
    ['a whole code', '4821-apple-kayak-onion', 'three words'],
    ['a word of no code', 'aple-kayak-onion', '"aple" isn\'t a join-code word. Did you mean apple'],
    ['a word that resembles none', 'apple-qqqqq-onion', '"qqqqq".*Choose another word'],
    ['a beginning that is too short', 'ap-kayak-onion', '"ap" isn\'t'],
    ['hidden characters', 'app\u200ble-kayak-onion', "isn't a join-code word"],
    ['three equal words', 'apple-apple-app', 'Choose different words'],
    ['far too much', 'apple '.repeat(100_000), 'three words'],
  ])('are refused with the reason: %s', (_what, given, reason) => {
    expect(faultIn(given)).toMatch(new RegExp(reason))
  })

  it('may have the same word twice, and are not those of the code before', () => {
    expect(readWords('apple-apple-onion').ok).toBe(true)
    expect(faultIn('Apple Kayak Onion', 'apple-kayak-onion')).toMatch(/already/)
    expect(faultIn('kayak-apple-onion', 'apple-kayak-onion')).toBeNull()
  })

  it('come from a window only in their normal form', () => {
    for (const words of ['app-kayak-onion', 'apple kayak onion', 'apple-apple-apple', '', 5]) {
      expect(chosenWordsSchema.safeParse(words).success, String(words)).toBe(false)
    }
    expect(chosenWordsSchema.safeParse('apple-kayak-onion').success).toBe(true)
  })
})
