/** Requests to a client, checked and completed with defaults. */
import { resolve } from 'node:path'
import type { JoinTarget } from '#client/session/receive/join-target'
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
import type { NearbyId } from '#shared/state/nearby'

/** A share's items, contacts and words, and its differences from `defaultShareOptions`. */
export type NewShare = {
  readonly items: readonly SourceItem[]
  readonly to?: readonly ContactId[]
  /** Nearby computers to ask. */
  readonly nearby?: readonly NearbyId[]
  /** The words of the code; random by default. */
  readonly words?: string
  /** The request that it answers; `Client.answer` sets it. */
  readonly answers?: JoinTarget
} & Partial<ShareOptions>

/** The words of a request's code, and its differences from `defaultShareOptions`. */
export type NewRequest = { readonly words?: string | undefined } & Partial<
  Pick<ShareOptions, 'maxReceivers' | 'oneReceiver' | 'browsers' | 'codeLifeMs'>
>

/** A receive's folder, and its differences from `defaultReceiveOptions` and `selectAll`. */
export type NewPlan = Pick<ReceivePlan, 'directory'> & Partial<ReceivePlan>

/** Completes a plan with defaults. */
export const planOf = (plan: NewPlan): ReceivePlan => ({
  options: defaultReceiveOptions,
  selection: selectAll,
  changes: [],
  ...plan,
  directory: resolve(plan.directory),
})

/** The reason why this can't be offered, or `null`. Errors: `E_NOTHING_TO_SEND`, `E_LIMIT_EXCEEDED`, `E_BAD_ARGUMENT`. */
export function checkOffer({ items, words }: NewShare): AppError | null {
  if (items.length === 0) return appError('E_NOTHING_TO_SEND')
  if (items.length > limits.pathsPerShare) {
    return appError('E_LIMIT_EXCEEDED', `at most ${limits.pathsPerShare} items at once`)
  }
  const isTooLong = items.some(
    (item) => item.kind === 'text' && Buffer.byteLength(item.text) > limits.textBytes,
  )
  return isTooLong
    ? appError('E_LIMIT_EXCEEDED', `a text has at most ${limits.textBytes} bytes`)
    : checkWords(words)
}

/** Reads a code, or a link, which names a server. */
export function readLink(text: string): Result<JoinLink, AppError> {
  if (isLinkOfOurs(text)) return parseJoinLink(text)
  const code = parseJoinCode(text)
  return code.ok ? ok({ code: code.value, server: null }) : code
}

/** The answer to a request about a share or receive that has ended. */
export const ended = err(appError('E_BAD_ARGUMENT', 'This is no longer running.'))

/** Converts an error, or `null`, to the answer to a request. */
export const resultOf = (error: AppError | null): Result<null, AppError> =>
  error === null ? ok(null) : err(error)

/** The events that remove a share or receive from the state, if it is there. */
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

/** The error of a share or receive that must end first. */
export const stillRuns = appError('E_BAD_ARGUMENT', 'This has not ended yet.')

/** The error of an unfinished receive that can't be resumed with its key. */
export const needsCode = appError(
  'E_BAD_ARGUMENT',
  'A code is needed to resume this. Ask the sender for one.',
)

/** The error of an unfinished receive that is unknown or running. */
export const nothingToResume = appError('E_BAD_ARGUMENT', 'There is nothing to resume.')
