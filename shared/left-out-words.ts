/** What a sender leaves out of what it shares, in words for the receiver. */
import type { LeftOut } from '#shared/app-state'
import type { ErrorCode } from '#shared/errors'
import { formatCount } from '#shared/format'
import { plural, type PluralForms } from '#shared/plural'

const unsendable = (count: string): PluralForms => ({
  one: `${count} item can't be sent`,
  other: `${count} items can't be sent`,
})

const reasons: { readonly [code in ErrorCode]?: (count: string) => PluralForms } = {
  E_PATH_UNREADABLE: (count) => ({
    one: `${count} item can't be read by the sender`,
    other: `${count} items can't be read by the sender`,
  }),
  E_PATH_NOT_FOUND: (count) => ({
    one: `${count} item no longer exists`,
    other: `${count} items no longer exist`,
  }),
  E_PATH_UNSUPPORTED: (count) => ({
    one: `${count} item is neither a file nor a folder`,
    other: `${count} items are neither files nor folders`,
  }),
  E_LINK_OUTSIDE: (count) => ({
    one: `${count} link leads outside the share`,
    other: `${count} links lead outside the share`,
  }),
  E_NAME_NOT_ALLOWED: (count) => ({
    one: `${count} item has a name that can't be sent`,
    other: `${count} items have names that can't be sent`,
  }),
  E_LIMIT_EXCEEDED: (count) => ({
    one: `${count} item is more than a share can hold`,
    other: `${count} items are more than a share can hold`,
  }),
  E_DISK_IO: (count) => ({
    one: `${count} item can't be read because the sender's disk reported an error`,
    other: `${count} items can't be read because the sender's disk reported an error`,
  }),
}

/** `12 items can't be read by the sender`, `1 link leads outside the share`. */
export const leftOutReason = ({ code, entries }: LeftOut): string =>
  plural(entries, (reasons[code] ?? unsendable)(formatCount(entries)))

/** The number of entries left out for all reasons together. */
export const countLeftOut = (leftOut: readonly LeftOut[]): number =>
  leftOut.reduce((sum, { entries }) => sum + entries, 0)
