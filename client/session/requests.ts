/** What is asked of a client, checked and completed with the defaults. */
import { resolve } from 'node:path'
import type { NewEvent } from '#client/state/state-log'
import { checkWords } from '#shared/code/chosen-words'
import { parseJoinCode } from '#shared/code/join-code'
import { isLinkOfOurs, type JoinLink, parseJoinLink } from '#shared/code/join-link'
import { type AppError, appError } from '#shared/errors'
import { limits } from '#shared/limits'
import { err, ok, type Result } from '#shared/result'
import {
  defaultReceiveOptions,
  type ReceivePlan,
  selectAll,
} from '#shared/settings/receive-options'
import type { ShareOptions, SourceItem } from '#shared/settings/share-options'
import type { AppState, ReceiveId, ShareId } from '#shared/state/app-state'
import type { ContactId } from '#shared/state/contacts'

/** What is offered, to which contacts, by which words, and what differs from `defaultShareOptions`. */
export type NewShare = {
  readonly items: readonly SourceItem[]
  readonly to?: readonly ContactId[]
  /** The words of the code, which are drawn without these. */
  readonly words?: string
} & Partial<ShareOptions>

/** Where a receive is written, and what differs from `defaultReceiveOptions` and `selectAll`. */
export type NewPlan = Pick<ReceivePlan, 'directory'> & Partial<ReceivePlan>

/** The plan with everything said. */
export const planOf = (plan: NewPlan): ReceivePlan => ({
  options: defaultReceiveOptions,
  selection: selectAll,
  changes: [],
  ...plan,
  directory: resolve(plan.directory),
})

/** Why this can't be offered. Errors: `E_NOTHING_TO_SEND`, `E_LIMIT_EXCEEDED`, `E_BAD_ARGUMENT`. */
export function checkOffer({ items, words }: NewShare): AppError | null {
  if (items.length === 0) return appError('E_NOTHING_TO_SEND')
  if (items.length > limits.pathsPerShare) {
    return appError('E_LIMIT_EXCEEDED', `at most ${limits.pathsPerShare} items at once`)
  }
  const isTooLong = items.some(
    (item) => item.kind === 'text' && Buffer.byteLength(item.text) > limits.textBytes,
  )
  return isTooLong
    ? appError('E_LIMIT_EXCEEDED', `a text has at most ${limits.textBytes} bytes`, 'The text')
    : checkWords(words)
}

/** The code, and the server if a link names one. */
export function readLink(text: string): Result<JoinLink, AppError> {
  if (isLinkOfOurs(text)) return parseJoinLink(text)
  const code = parseJoinCode(text)
  return code.ok ? ok({ code: code.value, server: null }) : code
}

/** The answer to a request about a share or receive that has ended. */
export const ended = err(appError('E_BAD_ARGUMENT', 'This is no longer running.'))

/** The answer to a request that fails with `error`, if at all. */
export const resultOf = (error: AppError | null): Result<null, AppError> =>
  error === null ? ok(null) : err(error)

/** The event that takes a share or receive out of the state, if it is there. */
export const removalOf = (
  { shares, receives }: AppState,
  share: ShareId,
  receive: ReceiveId,
): readonly NewEvent[] => [
  ...(shares.some(({ id }) => id === share) ? [{ type: 'share-removed', share } as const] : []),
  ...(receives.some(({ id }) => id === receive)
    ? [{ type: 'receive-removed', receive } as const]
    : []),
]

/** The error of a receive without an offer. */
export const noOffer = appError('E_BAD_ARGUMENT', 'There is no offer.')

/** The answer to a request about a receive that is not accepted. */
export const nothingAccepted = err(appError('E_BAD_ARGUMENT', 'Nothing was accepted yet.'))

/** The end of a stream whose connection ended with `error`. */
export const lostStream = ({ code }: AppError): AppError =>
  appError('E_STREAM_BROKEN', `the connection was lost (${code})`)

/** For what has to end first. */
export const stillRuns = appError('E_BAD_ARGUMENT', 'This has not ended yet.')

/** For an unfinished receive that can't be resumed by its key. */
export const needsCode = appError(
  'E_BAD_ARGUMENT',
  'A code is needed to resume this. Ask the sender for one.',
)

/** For an unfinished receive that is unknown, or runs. */
export const nothingToResume = appError('E_BAD_ARGUMENT', 'There is nothing to resume.')
