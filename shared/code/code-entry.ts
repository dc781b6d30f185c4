/** What people type, paste or pipe where a join code is wanted, and what may be wrong with it. */
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

/** Zero-width characters and those that turn the direction of text: they hide what is there. */
const hidden = /\p{Cf}/u
const allHidden = /\p{Cf}/gu

/** Characters; a link with a few words around it is no longer. */
export const maxCodeTextLength = maxCodeInputLength + maxLinkLength

/** Both forms of a link. */
const links = new RegExp(`${joinLinkSubject}\\S*|https://[^\\s#]+/join#\\S*`, 'gi')

/**
 * A join link, a code in any form, a sentence with one of them: the code in its normal form, and the
 * server if it is a link that names one. `E_BAD_CODE` for anything else, with the first wrong word as
 * its subject if only words are wrong. Nothing of this needs a network.
 */
export function readCode(text: string): Result<JoinLink, AppError> {
  const found = codeIn(text)
  if (!found.ok) return found
  const wrong = wordsOf(found.value.code).find((word) => !isCodeWord(word))
  return wrong === undefined
    ? found
    : err(appError('E_BAD_CODE', 'no word of the list of join codes', wrong))
}

/** The same without a look at the words, for a field in which they can still be corrected. */
export function codeIn(text: string): Result<JoinLink, AppError> {
  if (text.length > maxCodeTextLength) {
    return err(appError('E_BAD_CODE', `longer than ${maxCodeTextLength} characters`))
  }
  if (hidden.test(text)) return err(appError('E_BAD_CODE', 'it has invisible characters'))
  const [link, ...others] = text.match(links) ?? []
  if (link !== undefined) {
    if (others.length > 0) return err(appError('E_BAD_CODE', 'several links'))
    // What ends a sentence is no part of a link in it.
    const isAlone = isLinkOfOurs(text.trim()) || isWebLink(text.trim())
    const alone = isAlone ? text.trim() : link.replace(/[.,;:!?)>"']+$/, '')
    return isLinkOfOurs(alone) ? parseJoinLink(alone) : parseWebLink(alone)
  }
  const normal = normaliseJoinCode(text)
  const code = text.length > maxCodeInputLength ? '' : completedCode(normal, text)
  const parsed = parseJoinCode(code)
  return parsed.ok ? ok({ code: parsed.value, server: null }) : parsed
}

/** The number of a draft as soon as something follows it; `null` before, and for links and sentences. */
export const nameplateIn = (draft: string): string | null =>
  /^\s*([1-9][0-9]{3,5})[^0-9]/.exec(draft)?.[1] ?? null

/** True for a text pasted beside every field that goes into the field for codes, right or wrong there. */
export function meansCode(text: string): boolean {
  if (text.length > maxCodeTextLength) return false
  // What hides in a code is refused there, with the reason.
  const seen = text.replace(allHidden, '').trim()
  return isLinkOfOurs(seen) || isWebLink(seen) || codeIn(seen).ok
}

const completedCode = (normal: string, text: string): string =>
  completeWords(isJoinCode(normal) ? normal : (findJoinCode(text) ?? normal))

const wordsOf = (code: string): readonly string[] => code.split('-').slice(1)

/** Beginnings of words become words. */
const completeWords = (code: string): string =>
  code
    .split('-')
    .map((part) => wordThatBegins(part) ?? part)
    .join('-')

/** A word in a draft that can't be one of a join code. */
export type WrongWord = {
  readonly word: string
  /** Where it stands in the draft. */
  readonly start: number
  readonly end: number
  /** What may be meant, the likeliest first. */
  readonly nearest: readonly string[]
}

/** What a field can say about a code before it is whole. */
export type DraftHints = {
  /** The rest of the word at the end, once its beginning is unmistakable; else empty. */
  readonly completion: string
  /** The first one, as soon as no further letter could make it right. */
  readonly wrong: WrongWord | null
}

const noHints: DraftHints = { completion: '', wrong: null }

/** Letters in a row; digits, separators and the rest stand between words. */
const wordPattern = /[\p{L}\p{M}]+/gu

/** Hints for a draft; none for a sentence or a link, which is read as a whole. */
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

/** The draft with `word` in place of its wrong one. */
export const withWord = (draft: string, { start, end }: WrongWord, word: string): string =>
  draft.slice(0, start) + word + draft.slice(end)

/** The draft with its last word completed, and a separator behind it while words are missing. */
export function completed(draft: string): string {
  const { completion } = hintsFor(draft)
  if (completion === '') return draft
  const [between = '-'] = /[\s._-](?=[^\s._-]*$)/.exec(draft) ?? []
  const isLast = (draft.match(wordPattern)?.length ?? 0) >= 3
  return draft + completion + (isLast ? '' : between)
}

/** What typing made of a draft: a separator behind an unmistakable beginning completes that word. */
export function typed(before: string, after: string): string {
  const isSeparator = after.length === before.length + 1 && /[\s._-]$/.test(after)
  if (!isSeparator || !after.startsWith(before)) return after
  return before + hintsFor(before).completion + after.slice(-1)
}

/**
 * What a paste puts into the field: the code in it with its server, or a part of a code as it is.
 * `E_BAD_CODE` for what is too long, has invisible characters, or means to be a link and is none.
 */
export function pasted(text: string): Result<JoinLink, AppError> {
  const code = codeIn(text)
  const mayBePart =
    text.length <= maxCodeInputLength && !hidden.test(text) && text.match(links) === null
  return code.ok || !mayBePart ? code : ok({ code: normaliseJoinCode(text), server: null })
}
