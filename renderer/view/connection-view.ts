/** The bottlenecks of a connection, in words; those that people can't distinguish are combined. */
import { assertNever } from '#shared/assert-never'
import { formatPercent } from '#shared/format/format'
import {
  type Bottleneck,
  bottleneckShares,
  type ConnectionStatistics,
} from '#shared/state/connection-statistics'
import { text } from '../text'

/** This computer's end of a transfer. */
export type Side = 'sender' | 'receiver'

/** More causes would be less clear. */
const most = 3

/** `the network 91% of the time, this computer's disk 8%`; `null` without measurements. */
export function limitedWords(
  statistics: Pick<ConnectionStatistics, 'limitedMs'>,
  side: Side,
): string | null {
  const shares = new Map<string, number>()
  for (const [bottleneck, percent] of bottleneckShares(statistics)) {
    const word = wordOf(bottleneck, side)
    shares.set(word, (shares.get(word) ?? 0) + percent)
  }
  const parts = [...shares]
    .sort(([, one], [, other]) => other - one)
    .slice(0, most)
    .map(([word, percent]) => text.connection.limitedPart(word, formatPercent(percent, 100)))
  return parts.length === 0 ? null : text.connection.limitedBy(parts)
}

function wordOf(bottleneck: Bottleneck, side: Side): string {
  const words = text.connection.limits
  switch (bottleneck) {
    case 'congestion':
    case 'pacing':
      return words.network
    case 'flow-control':
      return words.receiver
    case 'send-buffer':
      return words.memory
    case 'peer':
      return side === 'sender' ? words.peer : words.sender
    case 'disk':
    case 'application':
    case 'paused':
    case 'socket':
    case 'processor':
      return words[bottleneck]
    case 'rate-limit':
      return words.limit
    default:
      return assertNever(bottleneck)
  }
}
