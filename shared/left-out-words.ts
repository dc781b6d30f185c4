/** Words for the receiver about items that a sender left out. */
import type { LeftOut } from '#shared/state/app-state'
import { text } from '#shared/text/current'

/** `12 items can't be read by the sender`, `1 link leads outside the share`. */
export const leftOutReason = ({ code, entries }: Pick<LeftOut, 'code' | 'entries'>): string =>
  (text.leftOutReasons[code] ?? text.leftOut)(entries)

/** The number of entries left out for all reasons together. */
export const countLeftOut = (leftOut: readonly LeftOut[]): number =>
  leftOut.reduce((sum, { entries }) => sum + entries, 0)
