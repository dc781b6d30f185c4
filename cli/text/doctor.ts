/** The marks and summary of `doctor`; its findings are in the shared texts. */
import type { Reach } from '#shared/state/network-check'

export const doctorText = {
  marks: { ok: 'ok  ', warning: 'note', failed: 'FAIL', unknown: '-   ' },
  summary: (reach: Reach) =>
    ({
      everywhere: 'You can reach others on the internet and on your network.',
      internet:
        "You can reach others through the server, but can't find them on your network without it.",
      network: 'You can reach others on your network, but not on the internet.',
      nowhere: "You can't reach others from here. Start with the first failed line.",
    })[reach],
} as const
