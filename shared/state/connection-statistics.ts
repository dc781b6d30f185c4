/** How a connection gets on, as the engine measures it. `docs/diagnostics.md` explains each figure. */

/**
 * What keeps more from being sent. Only the sender can tell most of them; a receiver waits for its
 * `peer`, its `disk`, or a person.
 */
export type Bottleneck =
  /** This side has nothing to send yet: a person here or the producer of a stream. */
  | 'application'
  /** The other side chooses, writes or confirms; a receiver waits for data. */
  | 'peer'
  /** This side's disk. */
  | 'disk'
  /** As much as this side keeps is on its way. */
  | 'send-buffer'
  /** The other side gave no credit for more. */
  | 'flow-control'
  /** The congestion window is full. */
  | 'congestion'
  /** It is not time for the next burst yet. */
  | 'pacing'
  /** A limit that a person set. */
  | 'rate-limit'
  /** A person on one of the two sides paused. */
  | 'paused'
  /** The system took no more datagrams. */
  | 'socket'
  /** Nothing: it is sent as fast as this computer can. */
  | 'processor'

/** Since the connection began; sizes are bytes, times milliseconds with fractions. */
export type ConnectionStatistics = {
  /** Smoothed; 0, like the next two, until there was a sample. */
  readonly rttMs: number
  readonly minRttMs: number
  readonly latestRttMs: number
  readonly handshakeMs: number
  readonly congestionControl: 'bbr' | 'cubic'
  readonly congestionWindow: number
  readonly bytesInFlight: number
  /** Bytes a second beyond which packets are held back; `null` where the QUIC library doesn't tell. */
  readonly pacingRate: number | null
  /** `null` while there is none, and with BBR. */
  readonly slowStartThreshold: number | null
  readonly packetsSent: number
  readonly bytesSent: number
  readonly packetsReceived: number
  readonly bytesReceived: number
  /** Given up by loss detection, also when they arrived later. */
  readonly packetsLost: number
  readonly bytesLost: number
  /** Lost ones that the other side had after all; `null` where the QUIC library doesn't tell. */
  readonly packetsLate: number | null
  /** Bytes of packets that got through in a second, since the report before. */
  readonly deliveryRate: number
  /** The largest UDP payload that is sent now. */
  readonly datagramBytes: number
  /** On average in one call of the system. */
  readonly datagramsPerSend: number
  readonly datagramsPerReceive: number
  /** Now. */
  readonly limitedBy: Bottleneck
  /** For how long each did since the handshake; absent: never. */
  readonly limitedMs: { readonly [B in Bottleneck]?: number }
  /** The connection's qlog; absent when it has none. */
  readonly qlog?: {
    /** In the file. */
    readonly bytes: number
    /** Records that are not in the file. */
    readonly dropped: number
    /** Why nothing more is written, such as `E_DISK_FULL`; empty while it is. */
    readonly ended: string
  }
}

/** Percent of the time since the handshake, largest first; those that round to nothing are left out. */
export function bottleneckShares({
  limitedMs,
}: Pick<ConnectionStatistics, 'limitedMs'>): readonly (readonly [Bottleneck, number])[] {
  const entries = Object.entries(limitedMs) as [Bottleneck, number][]
  const all = entries.reduce((sum, [, ms]) => sum + ms, 0)
  return entries
    .map(([bottleneck, ms]) => [bottleneck, all === 0 ? 0 : Math.round((ms / all) * 100)] as const)
    .filter(([, percent]) => percent > 0)
    .sort(([, one], [, other]) => other - one)
}

/** Part of the sent packets, 0 to 1. */
export const lossOf = ({
  packetsLost,
  packetsSent,
}: Pick<ConnectionStatistics, 'packetsLost' | 'packetsSent'>): number =>
  packetsSent === 0 ? 0 : packetsLost / packetsSent

/** Part of the lost packets that arrived after all, 0 to 1; 0 also where that is not known. */
export const latenessOf = ({
  packetsLate,
  packetsLost,
}: Pick<ConnectionStatistics, 'packetsLate' | 'packetsLost'>): number =>
  packetsLost === 0 ? 0 : (packetsLate ?? 0) / packetsLost
