/** Which messages a client may send when; the table is in docs/signaling.md. */
import { assertNever } from '#shared/assert-never'
import type { Role } from '#signaling/metrics/server-metrics'
import type { OpenMessage } from '#signaling/socket/client-line'

/** True when a `t` may come from a socket of this role, which has a place in a session or not. */
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
