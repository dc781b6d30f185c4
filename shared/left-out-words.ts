/** What a sender leaves out of what it shares, in words for the receiver. */
import type { LeftOut } from '#shared/app-state'
import type { ErrorCode } from '#shared/errors'
import { formatCount } from '#shared/format'

/** For one entry, and for several. */
const reasons: { readonly [code in ErrorCode]?: readonly [string, string] } = {
  E_PATH_UNREADABLE: ["can't be read by the sender", "can't be read by the sender"],
  E_PATH_NOT_FOUND: ['no longer exists', 'no longer exist'],
  E_PATH_UNSUPPORTED: ['is neither a file nor a folder', 'are neither files nor folders'],
  E_LINK_OUTSIDE: [
    'is a link to something outside the share',
    'are links to something outside the share',
  ],
  E_NAME_NOT_ALLOWED: ["has a name that can't be sent", "have names that can't be sent"],
  E_LIMIT_EXCEEDED: ['is more than one share can hold', 'are more than one share can hold'],
  E_DISK_IO: [
    "is on a part of the sender's disk that has errors",
    "are on a part of the sender's disk that has errors",
  ],
}

/** `12 can't be read there`, `1 is a link that leads outside what is shared`. */
export function leftOutReason({ code, entries }: LeftOut): string {
  const [one, several] = reasons[code] ?? ["can't be sent", "can't be sent"]
  return `${formatCount(entries)} ${entries === 1 ? one : several}`
}

/** How many in all. */
export const countLeftOut = (leftOut: readonly LeftOut[]): number =>
  leftOut.reduce((sum, { entries }) => sum + entries, 0)
