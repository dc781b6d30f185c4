import { describe, expect, it } from 'vitest'
import {
  codeIn,
  completed,
  hintsFor,
  nameplateIn,
  pasted,
  readCode,
  typed,
  withWord,
} from '#shared/code/code-entry'
import { describeError } from '#shared/describe-error'
import { ok } from '#shared/result'

const code = '4821-apple-kayak-onion'
const link = `thruflux:join?v=1&c=${code}`
const server = 'wss://meet.example.org/v1'

const errorOf = (text: string) => {
  const read = readCode(text)
  return read.ok ? null : read.error
}

describe('CODE-01 readCode refuses', () => {
  it.each(['', '   ', '4821', '4821-', 'apple-kayak-onion', '-a-b-c', '4821-apple-kayak'])(
    '"%s"',
    (text) => {
      expect(errorOf(text)).toMatchObject({ code: 'E_BAD_CODE' })
    },
  )
})

describe('CODE-02 readCode accepts', () => {
  it.each([
    ['upper case', '4821-APPLE-KAYAK-ONION'],
    ['spaces', ' 4821 apple  kayak onion '],
    ['dots and underscores', '4821.apple_kayak.onion'],
    ['full-width digits and letters', '４８２１－ａｐｐｌｅ－kayak－onion'],
    ['no-break spaces', '4821\u00a0apple\u00a0kayak\u202fonion'],
    ['a trailing newline', `${code}\r\n`],
    ['a sentence', `code: ${code}.`],
    ['a sentence with spaces in the code', 'The code is 4821 Apple Kayak Onion!'],
    ['a code with a sentence behind it', `${code}. See you soon`],
    ['a code in brackets', `(${code})`],
    ['a code on a line of its own', `Hi Mina,\n${code}\n`],
    ['a join link', link],
    ['a join link in a sentence', `Open ${link}, then press Enter.`],
    ['beginnings of words', '4821-app-kay-oni'],
  ])('%s', (_what, text) => {
    expect(readCode(text)).toEqual(ok({ code, server: null }))
  })

  it.each([
    ['a join link with a server', `${link}&s=wss://meet.example.org`],
    ['one in a sentence', `Open ${link}&s=wss://meet.example.org.`],
    ['a web link', `https://meet.example.org/join#c=${code}`],
    ['a web link in a sentence', `Have a look (https://meet.example.org/join#c=${code}).`],
  ])('%s, and that server', (_what, text) => {
    expect(readCode(text)).toEqual(ok({ code, server }))
  })
})

describe('CODE-03 a wrong word', () => {
  it('is reported, the first one, with suggestions', () => {
    const error = errorOf('4821-aple-stone-onion')
    expect(error).toMatchObject({ code: 'E_BAD_CODE', subject: 'aple' })
    expect(describeError(error!)).toEqual({
      what: '"aple" isn\'t a join-code word.',
      remedy: 'Did you mean apple?',
    })
  })

  it('does not keep the code from being shown', () => {
    expect(codeIn('4821-aple-kayak-onion')).toEqual(
      ok({ code: '4821-aple-kayak-onion', server: null }),
    )
  })
})

describe('CODE-04 readCode refuses', () => {
  it.each([
    ['a code behind 200 characters', `${' '.repeat(200)}${code}`],
    ['1 MiB', code.repeat(50_000)],
    ['an emoji in place of a word', '4821-apple-kayak-🧅'],
    ['an emoji in a word', '4821-apple-kay🛶ak-onion'],
    ['a text turned around', `\u202e${code}`],
    ['right-to-left letters', '4821-apple-kayak-בצל'],
    ['a zero-width space in a word', '4821-apple-kay\u200bak-onion'],
    ['a zero-width space beside it', `\u200b${code}`],
    ['a soft hyphen', '4821-apple-kay\u00adak-onion'],
    ['letters that only look alike', '4821-аpple-kayak-onion'],
  ])('%s', (_what, text) => {
    expect(errorOf(text)).toMatchObject({ code: 'E_BAD_CODE' })
    expect(pasted(text).ok && readCode(text).ok).toBe(false)
  })
})

describe('readCode refuses what is not clearly one code', () => {
  it.each([
    ['a fourth word', `${code}-mummy`],
    ['a fourth word behind spaces', '4821 apple kayak onion mummy'],
    ['a number before it', `12 ${code}`],
    ['letters that cling to it', `x${code}`],
    ['two codes', `${code} or 4822-apple-kayak-onion`],
    ['two links', `${link} ${link}`],
    ['a link that says more', `${link}&out=/etc`],
  ])('%s', (_what, text) => {
    expect(errorOf(text)).toMatchObject({ code: 'E_BAD_CODE' })
  })
})

describe('hintsFor', () => {
  it.each([
    ['4821-ap', ''],
    ['4821-app', 'le'],
    ['4821-APP', 'le'],
    ['4821-apple', ''],
    ['4821-apple-kay', 'ak'],
    ['kay', 'ak'],
  ])('completes %s with "%s"', (draft, completion) => {
    expect(hintsFor(draft)).toEqual({ completion, wrong: null })
  })

  it.each([
    ['4821-apx', 'apx'],
    ['4821-apple-stone-onion', 'stone'],
    ['4821 ap kayak', 'ap'],
    ['4821-apple-kayak-onion-mx-', 'mx'],
  ])('marks in %s the word %s', (draft, word) => {
    const { completion, wrong } = hintsFor(draft)
    expect(completion).toBe('')
    expect(draft.slice(wrong?.start, wrong?.end)).toBe(word)
  })

  it.each(['', '4', '4821', '4821-', '4821-r', `code: ${code}.`, link, `${link}&x=1`])(
    'has nothing against "%s"',
    (draft) => {
      expect(hintsFor(draft).wrong).toBeNull()
    },
  )

  it('leads to a valid code through its suggestions', () => {
    const draft = '4821 Aple kayak onion'
    const { wrong } = hintsFor(draft)
    expect(readCode(withWord(draft, wrong!, wrong!.nearest[0]!))).toEqual(
      ok({ code, server: null }),
    )
  })
})

describe('completed', () => {
  it.each([
    ['4821-app', '4821-apple-'],
    ['4821 apple kay', '4821 apple kayak '],
    ['4821-apple-kayak-oni', code],
    ['app', 'apple-'],
    ['4821-ap', '4821-ap'],
    ['4821-apple', '4821-apple'],
  ])('makes %s to "%s"', (draft, expected) => {
    expect(completed(draft)).toBe(expected)
  })
})

describe('typed', () => {
  it.each([
    ['a separator behind a beginning', '4821-app', '4821-app-', '4821-apple-'],
    ['a space behind a beginning', '4821-app', '4821-app ', '4821-apple '],
    ['a separator behind a whole word', '4821-apple', '4821-apple-', '4821-apple-'],
    ['a separator behind too few letters', '4821-ap', '4821-ap-', '4821-ap-'],
    ['a letter', '4821-app', '4821-appl', '4821-appl'],
    ['a letter taken back', '4821-apple', '4821-appl', '4821-appl'],
  ])('%s', (_what, before, after, expected) => {
    expect(typed(before, after)).toBe(expected)
  })
})

describe('pasted', () => {
  it('extracts the code from its surroundings', () => {
    expect(pasted(`code: ${code}.`)).toEqual(ok({ code, server: null }))
    expect(pasted(link)).toEqual(ok({ code, server: null }))
    expect(pasted(`${link}&s=wss://meet.example.org`)).toEqual(ok({ code, server }))
  })

  it('keeps part of a code', () => {
    expect(pasted(' Apple Kayak\n')).toEqual(ok({ code: 'apple-kayak', server: null }))
  })
})

it.each([
  ['4821-', '4821'],
  [' 48213 apple', '48213'],
  ['4821-apple-river-stone', '4821'],
  ['482', null],
  ['4821', null],
  ['0821-apple', null],
  ['4821936-apple', null],
  ['the code is 4821-apple', null],
  ['thruflux:join?v=1&c=4821-apple-river-stone', null],
])('the number of %j is %j before the words are there', (draft, nameplate) => {
  expect(nameplateIn(draft)).toBe(nameplate)
})
