/** Words for the receiver about items that a sender left out. */
import { formatCount } from '#shared/format/format'
import { plural, type PluralForms } from '#shared/format/plural'
import type { LeftOutReasons } from '#shared/text/error-text'

const counted = (forms: (count: string) => PluralForms) => (entries: number) =>
  plural(entries, forms(formatCount(entries)))

/** Items left out for any other reason. */
export const leftOut = counted((count) => ({
  one: `${count} item can't be sent`,
  other: `${count} items can't be sent`,
}))

export const leftOutReasons: LeftOutReasons = {
  E_PATH_UNREADABLE: counted((count) => ({
    one: `${count} item can't be read by the sender`,
    other: `${count} items can't be read by the sender`,
  })),
  E_PATH_NOT_FOUND: counted((count) => ({
    one: `${count} item no longer exists`,
    other: `${count} items no longer exist`,
  })),
  E_PATH_UNSUPPORTED: counted((count) => ({
    one: `${count} item is neither a file nor a folder`,
    other: `${count} items are neither files nor folders`,
  })),
  E_LINK_OUTSIDE: counted((count) => ({
    one: `${count} link leads outside the share`,
    other: `${count} links lead outside the share`,
  })),
  E_NAME_NOT_ALLOWED: counted((count) => ({
    one: `${count} item has a name that can't be sent`,
    other: `${count} items have names that can't be sent`,
  })),
  E_LIMIT_EXCEEDED: counted((count) => ({
    one: `at least ${count} item is more than a share can hold`,
    other: `at least ${count} items are more than a share can hold`,
  })),
  E_DISK_IO: counted((count) => ({
    one: `${count} item can't be read because the sender's disk reported an error`,
    other: `${count} items can't be read because the sender's disk reported an error`,
  })),
}
