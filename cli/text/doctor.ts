/** What `doctor` says besides what was found, which is in the shared texts. */
import type { Reach } from '#shared/state/network-check'

/** See above. */
export const doctorText = {
  marks: { ok: 'ok  ', warning: 'note', failed: 'FAIL', unknown: '-   ' },
  summary: (reach: Reach) =>
    ({
      everywhere: 'You can reach others through the internet and on your network.',
      internet: 'You can reach others through the server, but not on your network without it.',
      network: 'You can reach others on your network, but not through the internet.',
      nowhere: "You can't reach others from here. Begin with the first line that failed.",
    })[reach],
} as const
