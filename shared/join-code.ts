/**
 * The join code `4821-apple-river-stone`: a nameplate, public and given by the signaling server, and
 * three secret words. Only the form is known here; the word list is the engine's.
 */
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'

const grammar = /^[1-9][0-9]{3,5}(?:-[a-z]{3,10}){3}$/

/** Longer input is no mistyped code; the longest code has 39 characters. */
const longestInput = 200

/** Hyphens and dashes of keyboards and text programs, spaces, dots and underscores. */
const separators = /[\s._\u2010-\u2015\u2212-]+/g

/** Lower case, plain digits, single hyphens: what people type or paste becomes what we compare. */
export const normaliseJoinCode = (text: string): string =>
  text
    .slice(0, longestInput + 1)
    .normalize('NFKC')
    .toLowerCase()
    .replace(separators, '-')
    .replace(/^-|-$/g, '')

/** The code in its normal form, or `E_BAD_CODE`. */
export function parseJoinCode(text: string): Result<string, AppError> {
  const code = normaliseJoinCode(text)
  return text.length <= longestInput && grammar.test(code)
    ? ok(code)
    : err(appError('E_BAD_CODE', 'not of the form 4821-apple-river-stone'))
}

/** The part that the signaling server knows. */
export const nameplateOf = (code: string): string => code.slice(0, code.indexOf('-'))

/** The part that only the two sides know. */
export const wordsOf = (code: string): string => code.slice(code.indexOf('-') + 1)

/** The whole code of a share. */
export const makeJoinCode = (nameplate: string, words: string): string => `${nameplate}-${words}`
