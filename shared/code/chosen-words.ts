/** The words that a person chooses for a share's code, instead of random ones. */
import * as z from 'zod'
import { nearestWords, wordThatBegins } from '#shared/code/code-words'
import { maxCodeInputLength, normaliseJoinCode } from '#shared/code/join-code'
import { type AppError, appError } from '#shared/errors'
import { formatList } from '#shared/format/format'
import { visibleText } from '#shared/format/visible-text'
import { err, ok, type Result } from '#shared/result'
import { text } from '#shared/text/current'
import type { ErrorText } from '#shared/text/error-text'

/** Characters of the three longest words. */
const maxWordsLength = 32

/**
 * Reads three words in any form a code may have and completes their beginnings. Returns their normal form,
 * `apple-kayak-onion`, or what is wrong and what to do. A new code can't have the `old` words, because someone may
 * already be guessing them.
 */
export function readWords(given: string, old: string | null = null): Result<string, ErrorText> {
  const { notThree, allEqual, same } = text.badWords
  if (given.length > maxCodeInputLength) return err(notThree)
  const parts = normaliseJoinCode(given).split('-')
  const unknown = parts.find((part) => /\p{L}/u.test(part) && wordThatBegins(part) === null)
  if (unknown !== undefined) return err(unknownWord(unknown))
  const words = parts.flatMap((part) => wordThatBegins(part) ?? [])
  if (words.length !== 3 || parts.length !== 3) return err(notThree)
  if (new Set(words).size === 1) return err(allEqual)
  const chosen = words.join('-')
  return chosen === old ? err(same) : ok(chosen)
}

function unknownWord(word: string): ErrorText {
  const { badWords, badCodes } = text
  const nearest = nearestWords(word)
  return {
    what: badCodes.notAWord(visibleText(word)),
    remedy:
      nearest.length === 0 ? badWords.another : badCodes.didYouMean(formatList(nearest, 'or')),
  }
}

/** Requires the words of a code in their normal form; returns `E_BAD_ARGUMENT` otherwise. */
export function checkWords(words: string | undefined, old?: string): AppError | null {
  if (words === undefined) return null
  const read = readWords(words, old)
  if (!read.ok) return appError('E_BAD_ARGUMENT', `${read.error.what} ${read.error.remedy}`)
  return read.value === words ? null : appError('E_BAD_ARGUMENT', 'not in their normal form', words)
}

/** Decodes chosen words from a window, which has already normalized them. */
export const chosenWordsSchema = z
  .string()
  .max(maxWordsLength)
  .refine((words) => checkWords(words) === null, 'not three code words')
