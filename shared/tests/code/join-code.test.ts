import { describe, expect, it } from 'vitest'
import { makeJoinCode, nameplateOf, parseJoinCode } from '#shared/code/join-code'

const code = '4821-apple-river-stone'

describe('parseJoinCode', () => {
  it.each([
    ['as it is shown', code],
    ['in capitals', '4821-APPLE-River-sTONE'],
    ['with spaces around and between', '  4821 apple river  stone\n'],
    ['with dots and underscores', '4821.apple_river.stone'],
    ['with full-width digits and hyphens', '４８２１－apple－river－stone'],
    ['with typographic dashes', '4821–apple—river‑stone'],
    ['with a trailing hyphen', '4821-apple-river-stone-'],
  ])('accepts a code %s', (_how, text) => {
    expect(parseJoinCode(text)).toEqual({ ok: true, value: code })
  })

  it.each([
    ['nothing', ''],
    ['no nameplate', 'apple-river-stone'],
    ['a nameplate that begins with zero', '0821-apple-river-stone'],
    ['a nameplate of three digits', '821-apple-river-stone'],
    ['a nameplate of seven digits', '4821000-apple-river-stone'],
    ['two words', '4821-apple-river'],
    ['four words', '4821-apple-river-stone-lake'],
    ['a word of two letters', '4821-apple-river-st'],
    ['letters that only look alike', '4821-аpple-river-stone'],
    ['more after it', '4821-apple-river-stone; rm -rf /'],
    ['far too much text', `${code}${' '.repeat(500)}`],
  ])('refuses %s', (_what, text) => {
    const parsed = parseJoinCode(text)
    expect(parsed.ok ? null : parsed.error.code).toBe('E_BAD_CODE')
  })
})

it('puts a code together and takes its nameplate out again', () => {
  expect(makeJoinCode('4821', 'apple-river-stone')).toBe(code)
  expect(nameplateOf(code)).toBe('4821')
})
