/** Sentences about the history. */
import { formatCount } from '#shared/format/format'
import { plural } from '#shared/format/plural'

export const historyText = {
  received: (title: string, person: string) => `Received ${title} from ${person}`,
  sent: (title: string, person: string) => `Sent ${title} to ${person}`,
  nobody: 'someone',
  verified: 'verified',
  withoutFiles: 'no files were offered',
  nothingNew: 'nothing new',
  withProblems: (count: number) =>
    plural(count, { one: 'with 1 problem', other: `with ${formatCount(count)} problems` }),
  outcome: {
    interrupted: 'interrupted',
    cancelled: 'stopped',
    failed: 'failed',
  },
  problems: (count: number) =>
    plural(count, { one: '1 problem', other: `${formatCount(count)} problems` }),
  more: (count: number) =>
    plural(count, {
      one: '1 older transfer is not shown. Show more with --limit.',
      other: `${formatCount(count)} older transfers are not shown. Show more with --limit.`,
    }),
  none: 'No transfers yet.',
  off: 'The history is off. Turn it on with "thru config set general.keepHistory yes".',
  nothingFound: 'Nothing in the history matches. Try another word.',
} as const
