/** Texts about the files of a running transfer. */
import type { FileFilter, FileState } from '#shared/files'
import { formatCount } from '#shared/format/format'
import { plural } from '#shared/format/plural'

const filters: Readonly<Record<FileFilter, string>> = {
  all: 'All',
  active: 'Active',
  waiting: 'Waiting',
  done: 'Done',
  skipped: 'Skipped',
  problem: 'Problems',
}

const states: Readonly<Record<FileState, string>> = {
  waiting: 'Waiting',
  active: 'Active',
  received: 'Received',
  saved: 'Saved',
  sent: 'Sent',
  present: 'Already there',
  skipped: 'Skipped',
  failed: 'Problem',
}

const files = (count: number): string =>
  plural(count, { one: `${formatCount(count)} file`, other: `${formatCount(count)} files` })

export const filesText = {
  title: 'Files',
  filters,
  states,
  search: 'Search files',
  /** Notes for an empty list, by filter. */
  none: {
    all: 'No files yet.',
    active: 'No file is being transferred right now.',
    waiting: 'No file is waiting.',
    done: 'No file is done yet.',
    skipped: 'No file is skipped.',
    problem: 'No problems.',
  } satisfies Readonly<Record<FileFilter, string>>,
  noMatch: (query: string) => `No file matches "${query}".`,
  first: 'Receive first',
  firstOf: (name: string) => `Receive ${name} first`,
  skip: 'Skip',
  skipOf: (name: string) => `Skip ${name}`,
  want: 'Receive after all',
  wantOf: (name: string) => `Receive ${name} after all`,
  selected: (count: number) => `${files(count)} selected`,
  clear: 'Clear selection',
  /** The note at the limit of one selection. */
  maxSelected: (count: number) => `At most ${files(count)} can be selected at once.`,
} as const
