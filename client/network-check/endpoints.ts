/** The addresses of a STUN or TURN server, one of each family. */
import { isIP } from 'node:net'
import type { Clock } from '#client/clock'
import { mayName, scopeOfAddress } from '#client/signaling/address-scope'
import type { Lookup, StunServer } from '#client/signaling/ice-servers'
import { withTimeout } from '#client/with-timeout'
import type { Endpoint } from './stun-message'

/** A slower name service delays every transfer, too. */
const lookupTimeoutMs = 1500

export type Endpoints = { readonly 4: Endpoint | null; readonly 6: Endpoint | null }

/** True if this computer may send to an address that a server named: no server may direct it to a closer network. */
export function mayBeWrittenTo({ host, port }: Endpoint, server: Endpoint): boolean {
  const scope = scopeOfAddress(server.host)
  return port !== 0 && (scope === null || mayName(scope, scopeOfAddress(host)))
}

/** Returns `null` if the name has no address, or none in time. */
export async function endpointsOf(
  { host, port }: StunServer,
  lookUp: Lookup,
  clock: Clock,
): Promise<Endpoints | null> {
  const family = isIP(host)
  if (family !== 0) {
    return { 4: family === 4 ? { host, port } : null, 6: family === 6 ? { host, port } : null }
  }
  const nothing: Awaited<ReturnType<Lookup>> = []
  const named = lookUp(host).catch(() => nothing)
  const found = await withTimeout(clock, lookupTimeoutMs, named, () => nothing)
  const first = (wanted: 4 | 6): Endpoint | null => {
    const one = found.find((each) => each.family === wanted)
    return one === undefined ? null : { host: one.address, port }
  }
  return found.length === 0 ? null : { 4: first(4), 6: first(6) }
}
