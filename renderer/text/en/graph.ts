/** Texts of the graph of a transfer's speed. */

type Speeds = { readonly average: string; readonly least: string; readonly most: string }

export const graphText = {
  title: 'Speed',
  spans: { minute: 'Last minute', whole: 'Whole transfer' },
  ago: (duration: string) => `${duration} ago`,
  /** The end of the time axis. */
  ends: { now: 'now', still: 'when it paused' },
  nothing: 'No data has moved yet.',
  /** Read by screen readers. */
  describe: {
    minute: ({ average, least, most }: Speeds) =>
      `Speed in the last minute: ${average} on average, between ${least} and ${most}.`,
    whole: ({ average, least, most }: Speeds) =>
      `Speed of the whole transfer: ${average} on average, between ${least} and ${most}.`,
  },
} as const
