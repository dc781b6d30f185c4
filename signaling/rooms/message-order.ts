/** The order of a client's messages; the table is in docs/signaling.md. */
import { assertNever } from '#shared/assert-never'
import type { Role } from '#signaling/metrics/server-metrics'
import type { OpenMessage } from '#signaling/socket/client-channel'

/** True if a socket of this role, seated in a session or not, may send the message `t`. */
export function isInOrder(t: OpenMessage['t'], role: Role, isSeated: boolean): boolean {
  switch (t) {
    case 'host':
    case 'join':
      return role === 'none'
    case 'listen':
      return role === 'none' || role === 'listener'
    case 'relay':
      return isSeated
    case 'grant':
    case 'notify':
      return isSeated && role === 'host'
    case 'leave':
      return isSeated || role === 'listener'
    default:
      return assertNever(t)
  }
}
