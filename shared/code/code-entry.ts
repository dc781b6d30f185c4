/** Reads the text that people type, paste or pipe for a join code, and finds errors in it. */
import { isCodeWord, nearestWords, wordThatBegins } from '#shared/code/code-words'
import {
  findJoinCode,
  isJoinCode,
  maxCodeInputLength,
  normaliseJoinCode,
  parseJoinCode,
} from '#shared/code/join-code'
import {
  isLinkOfOurs,
  isWebLink,
  type JoinLink,
  joinLinkSubject,
  maxLinkLength,
  parseJoinLink,
  parseWebLink,
} from '#shared/code/join-link'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'

/** Zero-width characters, and those that change the direction of text: both can disguise a code. */
const hidden = /\p{Cf}/u
const allHidden = /\p{Cf}/gu

/** Characters; enough for a link with a few words around it. */
export const maxCodeTextLength = maxCodeInputLength + maxLinkLength

/** Both forms of a link. */
const links = new RegExp(`${joinLinkSubject}\\S*|https://[^\\s#]+/join#\\S*`, 'gi')

/**
 * Reads a join link, a code in any form, or a sentence with one of them. Returns the code in its normal form, and the
 * server if a link names one. Fails with `E_BAD_CODE`, whose subject is the first wrong word if only words are wrong.
 * Needs no network.
 */
export function readCode(text: string): Result<JoinLink, AppError> {
  const found = codeIn(text)
  if (!found.ok) return found
  const wrong = wordsOf(found.value.code).find((word) => !isCodeWord(word))
  return wrong === undefined ? found : err(appError('E_BAD_CODE', 'not a join-code word', wrong))
}

/** The same without checking the words, for a field in which they can still be corrected. */
export function codeIn(text: string): Result<JoinLink, AppError> {
  if (text.length > maxCodeTextLength) {
    return err(appError('E_BAD_CODE', `longer than ${maxCodeTextLength} characters`))
  }
  if (hidden.test(text)) return err(appError('E_BAD_CODE', 'it has invisible characters'))
  const [link, ...others] = text.match(links) ?? []
  if (link !== undefined) {
    if (others.length > 0) return err(appError('E_BAD_CODE', 'several links'))
    // Punctuation after a link belongs to the sentence.
    const isAlone = isLinkOfOurs(text.trim()) || isWebLink(text.trim())
    const alone = isAlone ? text.trim() : link.replace(/[.,;:!?)>"']+$/, '')
    return isLinkOfOurs(alone) ? parseJoinLink(alone) : parseWebLink(alone)
  }
  const normal = normaliseJoinCode(text)
  const code = text.length > maxCodeInputLength ? '' : completedCode(normal, text)
  const parsed = parseJoinCode(code)
  return parsed.ok ? ok({ code: parsed.value, server: null }) : parsed
}

/** The number of a draft once a character follows it; `null` before, and for links and sentences. */
export const nameplateIn = (draft: string): string | null =>
  /^\s*([1-9][0-9]{3,5})[^0-9]/.exec(draft)?.[1] ?? null

/** True for a text that the code field receives wherever it is pasted, even if it is refused there. */
export function meansCode(text: string): boolean {
  if (text.length > maxCodeTextLength) return false
  // The code field itself rejects hidden characters, with a reason.
  const seen = text.replace(allHidden, '').trim()
  return isLinkOfOurs(seen) || isWebLink(seen) || codeIn(seen).ok
}

const completedCode = (normal: string, text: string): string =>
  completeWords(isJoinCode(normal) ? normal : (findJoinCode(text) ?? normal))

const wordsOf = (code: string): readonly string[] => code.split('-').slice(1)

const completeWords = (code: string): string =>
  code
    .split('-')
    .map((part) => wordThatBegins(part) ?? part)
    .join('-')

/** A word in a draft that can't be one of a join code. */
export type WrongWord = {
  readonly word: string
  /** Offset in the draft. */
  readonly start: number
  readonly end: number
  /** Words that may be meant, the likeliest first. */
  readonly nearest: readonly string[]
}

/** Feedback on a code while it is being typed. */
export type DraftHints = {
  /** The rest of the last word, once its beginning is unambiguous; else empty. */
  readonly completion: string
  /** The first word that no further letter could make right. */
  readonly wrong: WrongWord | null
}

const noHints: DraftHints = { completion: '', wrong: null }

/** Consecutive letters; digits, separators and everything else separate words. */
const wordPattern = /[\p{L}\p{M}]+/gu

/** Hints for a draft. A sentence or a link is read as a whole and gets none. */
export function hintsFor(draft: string): DraftHints {
  if (draft.length > maxCodeInputLength || readCode(draft).ok) return lastWordHint(draft)
  if (isLinkOfOurs(draft.trim()) || isWebLink(draft.trim())) return noHints
  const wrong = [...draft.matchAll(wordPattern)]
    .map((match) => ({ word: match[0].normalize('NFKC').toLowerCase(), start: match.index, match }))
    .find(({ word, start, match }) => {
      const isAtEnd = start + match[0].length === draft.length
      return wordThatBegins(word) === null && !(isAtEnd && word.length < 3)
    })
  if (wrong === undefined) return lastWordHint(draft)
  const { word, start, match } = wrong
  const nearest = nearestWords(word)
  return { completion: '', wrong: { word, start, end: start + match[0].length, nearest } }
}

function lastWordHint(draft: string): DraftHints {
  const [last] = /[a-z]+$/i.exec(draft) ?? []
  const word = last === undefined ? null : wordThatBegins(last.toLowerCase())
  return word === null ? noHints : { completion: word.slice(last?.length), wrong: null }
}

/** Replaces the wrong word of a draft with `word`. */
export const withWord = (draft: string, { start, end }: WrongWord, word: string): string =>
  draft.slice(0, start) + word + draft.slice(end)

/** Completes the last word of a draft, and adds a separator unless it is the third. */
export function completed(draft: string): string {
  const { completion } = hintsFor(draft)
  if (completion === '') return draft
  const [between = '-'] = /[\s._-](?=[^\s._-]*$)/.exec(draft) ?? []
  const isLast = (draft.match(wordPattern)?.length ?? 0) >= 3
  return draft + completion + (isLast ? '' : between)
}

/** Completes a word when a separator is typed after its unambiguous beginning. */
export function typed(before: string, after: string): string {
  const isSeparator = after.length === before.length + 1 && /[\s._-]$/.test(after)
  if (!isSeparator || !after.startsWith(before)) return after
  return before + hintsFor(before).completion + after.slice(-1)
}

/**
 * Reads a pasted text: returns the code in it with its server, or part of a code unchanged. Fails with `E_BAD_CODE` for
 * a text that is too long, has invisible characters, or contains an invalid link.
 */
export function pasted(text: string): Result<JoinLink, AppError> {
  const code = codeIn(text)
  const mayBePart =
    text.length <= maxCodeInputLength && !hidden.test(text) && text.match(links) === null
  return code.ok || !mayBePart ? code : ok({ code: normaliseJoinCode(text), server: null })
}
