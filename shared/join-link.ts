/**
 * The join link `thruflux:join?v=1&c=4821-apple-river-stone`, for chats and QR codes. It has no
 * host, so nobody can be led to one, and a reader takes exactly this form: a link comes from
 * anywhere, and what it can't say it can't do.
 */
import { type AppError, appError } from '#shared/errors'
import { isJoinCode } from '#shared/join-code'
import { err, ok, type Result } from '#shared/result'

export const joinLinkScheme = 'thruflux'

/** What errors about links are about. */
export const joinLinkSubject = `${joinLinkScheme}:`

/** Bytes; the longest link of this version has 60. */
const longestLink = 200

const beginning = `${joinLinkSubject}join?`

/** The link that fills `code` into the code field of whoever opens it. */
export const makeJoinLink = (code: string): string => `${beginning}v=1&c=${code}`

/** True for what means to be a link of ours, well-formed or not. */
export const isLinkOfOurs = (text: string): boolean =>
  text.slice(0, joinLinkSubject.length).toLowerCase() === joinLinkSubject

/**
 * The code of a link; its words may still be wrong. `E_BAD_CODE` for everything but the form of
 * `makeJoinLink` with its parameters in any order and `-` perhaps as `%2D`.
 */
export function parseJoinLink(link: string): Result<string, AppError> {
  if (link.length > longestLink) return refused(`longer than ${longestLink} bytes`)
  if (!link.startsWith(beginning)) return refused(`it does not begin with ${beginning}`)
  const parameters = link
    .slice(beginning.length)
    .split('&')
    .map((parameter) => parameter.replace(/%2d/gi, '-'))
  const [code, ...otherCodes] = parameters
    .filter((parameter) => parameter.startsWith('c='))
    .map((parameter) => parameter.slice(2))
  if (!parameters.includes('v=1')) return refused('not of version 1')
  if (otherCodes.length > 0 || parameters.length > 2) return refused('it says more than it may')
  return code !== undefined && isJoinCode(code) ? ok(code) : refused('it has no join code')
}

/** The subject tells it from a code that was typed; what the link says is shown nowhere. */
const refused = (detail: string) => err(appError('E_BAD_CODE', detail, joinLinkSubject))
