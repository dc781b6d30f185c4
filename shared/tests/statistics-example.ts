/** Figures of a good connection. */
import type { ConnectionStatistics } from '#shared/state/connection-statistics'

export const statisticsExample: ConnectionStatistics = {
  rttMs: 40.25,
  minRttMs: 38.5,
  latestRttMs: 41,
  handshakeMs: 92.5,
  congestionControl: 'bbr',
  carefulResume: 'jumped',
  congestionWindow: 1_200_000,
  bytesInFlight: 480_000,
  pacingRate: 12_500_000,
  slowStartThreshold: null,
  packetsSent: 20_000,
  bytesSent: 29_000_000,
  packetsReceived: 4000,
  bytesReceived: 160_000,
  packetsLost: 100,
  bytesLost: 145_000,
  packetsLate: 12,
  deliveryRate: 11_800_000,
  compressionSaved: 7_100_000,
  datagramBytes: 1452,
  datagramsPerSend: 31.25,
  datagramsPerReceive: 1.5,
  limitedBy: 'pacing',
  limitedMs: { pacing: 7100, congestion: 2000, disk: 850, peer: 40 },
}
