/** One share and one receive, and the route between their two sides. */
import type { PeerId, ReceiveId, Route, ShareId, TransferId } from '#shared/state/app-state'

export const share = 's1' as ShareId
export const receive = 'r1' as ReceiveId
export const peer = 'p1' as PeerId
export const transfer = '0123456789abcdef0123456789abcdef' as TransferId
export const route: Route = {
  kind: 'direct',
  family: 4,
  transport: 'udp',
  remote: '203.0.113.7:5000',
  relay: '',
}
