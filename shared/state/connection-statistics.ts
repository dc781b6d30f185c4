/** The figures of a connection, measured by the engine. `docs/diagnostics.md` explains each of them. */

/**
 * The factor that limits sending. Only the sender knows most of them; a receiver waits for its `peer`, its `disk`, or a
 * person.
 */
export type Bottleneck =
  /** This side has nothing to send yet, because of its user or the producer of a stream. */
  | 'application'
  /** The other side chooses, writes or confirms; a receiver waits for data. */
  | 'peer'
  /** This side's disk. */
  | 'disk'
  /** All data that this side may keep is in flight. */
  | 'send-buffer'
  /** The other side gave no credit for more. */
  | 'flow-control'
  /** The congestion window is full. */
  | 'congestion'
  /** The next burst is not due yet. */
  | 'pacing'
  /** A limit that a person set. */
  | 'rate-limit'
  /** A person on either side paused. */
  | 'paused'
  /** The system accepted no more datagrams. */
  | 'socket'
  /** No limit: data is sent as fast as this computer can. */
  | 'processor'

/** Since the connection began; sizes are bytes, times milliseconds with fractions. */
export type ConnectionStatistics = {
  /** Smoothed. Like the next two, 0 until there is a sample. */
  readonly rttMs: number
  readonly minRttMs: number
  readonly latestRttMs: number
  readonly handshakeMs: number
  readonly congestionControl: 'bbr' | 'cubic'
  /**
   * The sender's use of an earlier connection's measurement (RFC 9959): it has none, waits for data, began with half of
   * its rate, or undid this because of congestion.
   */
  readonly carefulResume: 'none' | 'pending' | 'jumped' | 'retreated'
  readonly congestionWindow: number
  readonly bytesInFlight: number
  /** Bytes a second beyond which packets are held back; `null` if the QUIC library doesn't report it. */
  readonly pacingRate: number | null
  /** `null` if there is none, and with BBR. */
  readonly slowStartThreshold: number | null
  readonly packetsSent: number
  readonly bytesSent: number
  readonly packetsReceived: number
  readonly bytesReceived: number
  /** Declared lost by loss detection, including packets that arrived later. */
  readonly packetsLost: number
  readonly bytesLost: number
  /** Lost packets that arrived after all; `null` if the QUIC library doesn't report them. */
  readonly packetsLate: number | null
  /** Bytes of delivered packets a second, since the previous report. */
  readonly deliveryRate: number
  /** Bytes of files that compression has kept off the network. */
  readonly compressionSaved: number
  /** The current maximum UDP payload. */
  readonly datagramBytes: number
  /** Average for one system call. */
  readonly datagramsPerSend: number
  readonly datagramsPerReceive: number
  /** Current limit. */
  readonly limitedBy: Bottleneck
  /** Time of each limit since the handshake; absent: never. */
  readonly limitedMs: { readonly [B in Bottleneck]?: number }
  /** The connection's qlog; absent when it has none. */
  readonly qlog?: {
    /** Size of the file. */
    readonly bytes: number
    /** Records that are not in the file. */
    readonly dropped: number
    /** The reason for an early end, such as `E_DISK_FULL`; empty while it is being written. */
    readonly ended: string
  }
}

/** Percent of the time since the handshake, largest first, without those that round to nothing. */
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

/** Fraction of the sent packets, 0 to 1. */
export const lossOf = ({
  packetsLost,
  packetsSent,
}: Pick<ConnectionStatistics, 'packetsLost' | 'packetsSent'>): number =>
  packetsSent === 0 ? 0 : packetsLost / packetsSent

/** Fraction of the lost packets that arrived after all, 0 to 1; 0 also if that is unknown. */
export const latenessOf = ({
  packetsLate,
  packetsLost,
}: Pick<ConnectionStatistics, 'packetsLate' | 'packetsLost'>): number =>
  packetsLost === 0 ? 0 : (packetsLate ?? 0) / packetsLost
