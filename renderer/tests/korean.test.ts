import { expect, it } from 'vitest'
import { missingTexts } from '#shared/text/catalogue'
import { english as shared } from '#shared/text/en/english'
import { korean as sharedKorean } from '#shared/text/ko/korean'
import { english } from '../text/en/english'
import { korean } from '../text/ko/korean'

/** Texts that are the same in every language: keys, an example of a code, symbols. */
const universal =
  /^(keys\..*|shortcuts\.keys\..*|separator|codeField\.example|receive\.figures\.unknown)$/

const missing = (all: object, translated: object): readonly string[] =>
  missingTexts(all, translated).filter((path) => !universal.test(path))

it('the window has every text in Korean', () => {
  expect(missing(english, korean)).toEqual([])
})

it('states and errors have every text in Korean', () => {
  expect(missing(shared, sharedKorean)).toEqual([])
})
