/**
 * The one place where an error becomes words for people: what happened, and what to do about it.
 * A subject may be a name that a peer chose: it is shown as `visibleText` has it.
 */
import { nearestWords } from '#shared/code-words'
import type { AppError } from '#shared/errors'
import { formatList } from '#shared/format'
import { joinLinkSubject } from '#shared/join-link'
import { text } from '#shared/text/current'
import { type ErrorText, quoted } from '#shared/text/error-text'
import { visibleText } from '#shared/visible-text'

export type { ErrorText }

/** The subject is a word that is in no code, or says that it was a link; else nothing fits. */
function describeBadCode(subject: string | undefined): ErrorText {
  const { notACode, notALink, notAWord, checkWord, didYouMean } = text.badCodes
  if (subject === undefined) return notACode
  if (subject === joinLinkSubject) return notALink
  const nearest = nearestWords(subject)
  return {
    what: notAWord(subject),
    remedy: nearest.length === 0 ? checkWord : didYouMean(formatList(nearest, 'or')),
  }
}

/**
 * The detail is a sentence about what is wrong, with another one behind it about what to do, or it is
 * a few words about the subject.
 */
function describeBadArgument(subject: string | undefined, detail: string): ErrorText {
  const { unnamed, named, remedy } = text.badArguments
  const isNamed = subject !== undefined && subject !== ''
  if (detail === '') return { what: isNamed ? named(quoted(subject)) : unnamed, remedy }
  const [, what, advice] = /^(.+\.) (\p{Lu}.*[.?])$/su.exec(detail) ?? []
  if (what !== undefined && advice !== undefined) return { what, remedy: advice }
  if (detail.endsWith('.')) return { what: detail, remedy }
  const said = isNamed ? `${visibleText(subject)}: ${detail}` : detail
  return { what: `${said.charAt(0).toUpperCase()}${said.slice(1)}.`, remedy }
}

/** Text for every code; of `detail` only E_BAD_ARGUMENT shows something. */
export function describeError({ code, detail, subject }: AppError): ErrorText {
  switch (code) {
    case 'E_BAD_ARGUMENT':
      return describeBadArgument(subject, detail)
    case 'E_BAD_CODE':
      return describeBadCode(subject)
    case 'E_TARGET_NOT_WRITABLE':
      return (detail.startsWith('ENOTDIR') ? text.isAFile : text.errors[code])(subject)
    default:
      return text.errors[code](subject)
  }
}
