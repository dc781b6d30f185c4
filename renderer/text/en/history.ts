/** Texts of the history. */
import { formatCount } from '#shared/format/format'
import { plural } from '#shared/format/plural'

export const historyText = {
  title: 'History',
  search: 'Name or person',
  filterName: 'Show',
  filters: { all: 'All', received: 'Received', sent: 'Sent', problems: 'Problems' },
  today: 'Today',
  yesterday: 'Yesterday',
  nobody: 'Someone',
  outcomes: {
    done: 'Verified',
    interrupted: 'Interrupted',
    cancelled: 'Stopped',
    failed: 'Failed',
  },
  /** All files already existed, or none was wanted. */
  nothingNew: 'Nothing new',
  problems: (count: number) =>
    plural(count, { one: '1 problem', other: `${formatCount(count)} problems` }),
  gone: 'Moved or deleted',
  sendAgain: 'Send again',
  show: 'Show in folder',
  resume: 'Resume',
  remove: 'Remove from history',
  removing: (title: string) => `Removing ${title}`,
  clearing: 'Clearing the history',
  more: 'More',
  clear: 'Clear history',
  clearAbout: 'Files stay where they are.',
  empty: 'Nothing here yet',
  emptyAbout: 'What you send and receive is listed here, on this computer only.',
  off: 'The history is off. Turn it on in Settings > General.',
  nothingFound: 'Nothing matches. Try another word or filter.',
} as const
