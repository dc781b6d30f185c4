/**
 * The only place that turns an error into words for people: what happened, and what to do about it. A subject may be a
 * name that a peer chose, so it is shown as `visibleText`.
 */
import { nearestWords } from '#shared/code/code-words'
import { joinLinkSubject } from '#shared/code/join-link'
import type { AppError, ErrorCode } from '#shared/errors'
import { formatList } from '#shared/format/format'
import { visibleText } from '#shared/format/visible-text'
import { text } from '#shared/text/current'
import { type Cause, type ErrorText, quoted } from '#shared/text/error-text'

export type { ErrorText }

/** The subject is a word that no code contains, or marks a link; without one the whole text is wrong. */
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

/** The detail is either a sentence about the error followed by one of advice, or a few words about the subject. */
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

/** Patterns in an error's detail, and the causes they indicate. */
const causes: { readonly [code in ErrorCode]?: readonly (readonly [RegExp, Cause])[] } = {
  E_NO_SUCH_CODE: [
    [/^looked on this network only$/, 'looked-on-network'],
    [/^looked on this computer only$/, 'looked-on-computer'],
    [/^nobody answers at the meeting points$/, 'nobody-answers'],
  ],
  E_NO_ROUTE: [[/\bmeeting points carry nothing$/, 'no-relay-at-meeting']],
  E_SERVER_UNREACHABLE: [
    [/^loopback is down$/, 'no-loopback'],
    [/^no meeting point answers: /, 'no-meeting-point'],
    [/\bECONNREFUSED\b/, 'server-refuses'],
    [/\b(ENOTFOUND|EAI_AGAIN)\b/, 'server-unknown'],
    [/\b(ENETUNREACH|EHOSTUNREACH|ENETDOWN|EADDRNOTAVAIL)\b/, 'no-way-to-server'],
  ],
  E_SERVER_PASSWORD: [
    [/^no password is set$/, 'password-missing'],
    [/^the password is wrong$/, 'password-wrong'],
  ],
  E_PATH_UNSUPPORTED: [[/^(link to a folder that contains it|follow the link)/, 'link-loop']],
  E_NOTHING_TO_SEND: [[/^all of it is excluded$/, 'all-excluded']],
  E_TARGET_NOT_WRITABLE: [
    [/^ENOTDIR/, 'is-a-file'],
    [/^a link that leads nowhere$/, 'leads-nowhere'],
    // ENOTDIR, EEXIST, ERROR_DIRECTORY; ELOOP on Linux and macOS
    [/^(?:open its folder|make the folder) \((?:20|17|267|40|62)\)$/, 'in-the-way'],
    [/^its name is taken$/, 'name-taken'],
  ],
}

/** Text for every code; only E_BAD_ARGUMENT shows part of `detail`. */
export function describeError({ code, detail, subject }: AppError): ErrorText {
  switch (code) {
    case 'E_BAD_ARGUMENT':
      return describeBadArgument(subject, detail)
    case 'E_BAD_CODE':
      return describeBadCode(subject)
    default: {
      const cause = causes[code]?.find(([said]) => said.test(detail))?.[1]
      return (cause === undefined ? text.errors[code] : text.causes[cause])(subject)
    }
  }
}
