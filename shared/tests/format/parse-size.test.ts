import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSize } from '#shared/format/parse-size'

describe('parseSize', () => {
  it.each([
    ['0', 0],
    ['4096', 4096],
    ['500k', 500_000],
    ['500 kB', 500_000],
    ['500KiB', 512_000],
    ['200MiB', 209_715_200],
    ['1.5GB', 1_500_000_000],
    ['2t', 2e12],
    [' 7B ', 7],
    ['0.5k', 500],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('understands %j', (text, bytes) => {
    expect(parseSize(text)).toEqual({ ok: true, value: bytes })
  })

  it.each(['', '-1', '1e9', '5x', 'MB', '1,5GB', '1..5k', '0x10', '9007199254740993', '9999999T'])(
    'refuses %j',
    (text) => {
      expect(parseSize(text)).toMatchObject({ ok: false, error: { code: 'E_BAD_ARGUMENT' } })
    },
  )

  it('never throws, and returns whole bytes', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const size = parseSize(text)
        if (size.ok) expect(Number.isSafeInteger(size.value)).toBe(true)
      }),
    )
  })
})
