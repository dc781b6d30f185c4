/** Hints on resuming a receive that did not complete, or on cleaning up after it. */
import type { ErrorCode } from '#shared/errors'
import type { TransferId } from '#shared/state/app-state'
import { text } from '../text'

/** Ends after which the sender may share under the same code or a new one. */
const unsure: ReadonlySet<ErrorCode> = new Set(['E_STOPPED', 'E_PEER_GONE'])

/**
 * The lines for `transfer`, which ended with `error` or was stopped here; empty if there is nothing to
 * resume. `remembered` lists the unfinished receives in the order of `thru resume`.
 */
export function resumeHintLines(
  remembered: readonly { readonly transfer: TransferId }[],
  transfer: TransferId,
  error: ErrorCode | null,
): readonly string[] {
  const number = remembered.findIndex((one) => one.transfer === transfer) + 1
  if (number === 0) return []
  const { resumeHint } = text.receive
  const isUnsure = error !== null && unsure.has(error)
  return [
    resumeHint.kept,
    resumeHint.resume(number),
    ...(isUnsure ? [resumeHint.resumeWithCode(number)] : []),
    resumeHint.delete(number),
  ]
}
