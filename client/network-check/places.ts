/** The addresses of a STUN or TURN server, one of each family. */
import { isIP } from 'node:net'
import type { Clock } from '#client/clock'
import { mayName, scopeOfAddress } from '#client/signaling/address-scope'
import type { Lookup, StunServer } from '#client/signaling/ice-servers'
import { within } from '#client/within'
import type { StunPlace } from './stun-message'

/** A name service that needs longer holds up every transfer, too. */
const lookupTimeoutMs = 1500

export type Places = { readonly 4: StunPlace | null; readonly 6: StunPlace | null }

/** Whether a server may have this computer write there: not into its own network, or to itself, from further away. */
export function mayBeWrittenTo({ host, port }: StunPlace, server: StunPlace): boolean {
  const scope = scopeOfAddress(server.host)
  return port !== 0 && (scope === null || mayName(scope, scopeOfAddress(host)))
}

/** `null`: its name has no address, or none in time. */
export async function placesOf(
  { host, port }: StunServer,
  lookUp: Lookup,
  clock: Clock,
): Promise<Places | null> {
  const family = isIP(host)
  if (family !== 0) {
    return { 4: family === 4 ? { host, port } : null, 6: family === 6 ? { host, port } : null }
  }
  const nothing: Awaited<ReturnType<Lookup>> = []
  const named = lookUp(host).catch(() => nothing)
  const found = await within(clock, lookupTimeoutMs, named, () => nothing)
  const first = (wanted: 4 | 6): StunPlace | null => {
    const one = found.find((each) => each.family === wanted)
    return one === undefined ? null : { host: one.address, port }
  }
  return found.length === 0 ? null : { 4: first(4), 6: first(6) }
}
