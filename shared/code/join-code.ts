/**
 * The form of a join code such as `4821-apple-river-stone`: a nameplate, which is public and given by the signaling
 * server, and three secret words. The words themselves are in `code-words.ts`.
 */
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'

const grammar = /^[1-9][0-9]{3,5}(?:-[a-z]{3,10}){3}$/

/** Characters. Longer input can't be a mistyped code: the longest code has 39. */
export const maxCodeInputLength = 200

/** Spaces, dots, underscores, and the hyphens and dashes of keyboards and text programs. */
const separator = String.raw`[\s._\u2010-\u2015\u2212-]`

const separators = new RegExp(`${separator}+`, 'g')

/** True for the normal form only. */
export const isJoinCode = (text: string): boolean => grammar.test(text)

/** Lower-case letters and plain digits for capitals, full-width and other compatible forms. */
const plain = (text: string): string =>
  text
    .slice(0, maxCodeInputLength + 1)
    .normalize('NFKC')
    .toLowerCase()

/** Normalizes typed or pasted text: lower case, plain digits, single hyphens. */
export const normaliseJoinCode = (text: string): string =>
  plain(text).replace(separators, '-').replace(/^-|-$/g, '')

/** The code in its normal form, or `E_BAD_CODE`. */
export function parseJoinCode(text: string): Result<string, AppError> {
  const code = normaliseJoinCode(text)
  return text.length <= maxCodeInputLength && isJoinCode(code)
    ? ok(code)
    : err(appError('E_BAD_CODE', 'not a number and three words'))
}

/**
 * A code within a sentence. No number that could belong to it may precede it, and no text that could be a fourth word
 * may follow. If the code contains hyphens, only a hyphen could join such a word; otherwise any separator could.
 */
const inSentence = [`${separator}+`, '[\\u2010-\\u2015\\u2212-]'].map(
  (between) =>
    new RegExp(
      String.raw`(?<![\p{L}\p{N}]|\p{N}${separator}+)` +
        String.raw`[1-9][0-9]{3,5}(?:${between}[a-z]{3,10}){3}` +
        String.raw`(?!(?:${between})?[\p{L}\p{N}])`,
      'gu',
    ),
)

/** The only code in a text such as "Code: 4821 Apple River Stone."; `null` for none or several. */
export function findJoinCode(text: string): string | null {
  if (text.length > maxCodeInputLength) return null
  const found = inSentence.flatMap((pattern) =>
    [...plain(text).matchAll(pattern)].map(([match]) => normaliseJoinCode(match)),
  )
  return new Set(found).size === 1 ? (found[0] ?? null) : null
}

/** The part that the signaling server knows. */
export const nameplateOf = (code: string): string => code.slice(0, code.indexOf('-'))

/** The part that only the two sides know. */
export const wordsOf = (code: string): string => code.slice(code.indexOf('-') + 1)

/** The whole code of a share. */
export const makeJoinCode = (nameplate: string, words: string): string => `${nameplate}-${words}`
