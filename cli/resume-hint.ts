/** Hints on resuming a receive that did not complete, or on cleaning up after it. */
import type { TransferId } from '#shared/app-state'
import type { ErrorCode } from '#shared/errors'
import { text } from './text'

/** Ends after which the sender has another code, or none. */
const endsOfShare: ReadonlySet<ErrorCode> = new Set(['E_STOPPED'])

/** Ends after which the sender may still share under the same code. */
const lost: ReadonlySet<ErrorCode> = new Set(['E_PEER_GONE'])

/**
 * The lines for `transfer`, which ended with `error` or was stopped here; none when there is nothing to
 * resume. `remembered` are the unfinished receives as `thru resume` lists them.
 */
export function resumeHintLines(
  remembered: readonly { readonly transfer: TransferId }[],
  transfer: TransferId,
  error: ErrorCode | null,
): readonly string[] {
  const number = remembered.findIndex((one) => one.transfer === transfer) + 1
  if (number === 0) return []
  const { resumeHint } = text.receive
  const isOver = error !== null && endsOfShare.has(error)
  const isUnsure = error !== null && lost.has(error)
  return [
    resumeHint.kept,
    ...(isOver ? [] : [resumeHint.resume(number)]),
    ...(isOver || isUnsure ? [resumeHint.resumeWithCode(number)] : []),
    resumeHint.forget(number),
  ]
}
