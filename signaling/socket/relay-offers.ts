/** Messages about relays for the two sides of a granted pair. */
import type { ServerMessage } from '#shared/signaling/messages'
import type { Effect } from '#signaling/rooms/rooms'
import type { ConnectionContext } from '#signaling/socket/connection-context'

type Relays = Pick<ConnectionContext, 'turn' | 'detours'>

/** One side of a pair after the host's grant. */
export type Granted = Extract<Effect, { readonly type: 'relays' }>

/** True if there is a relay or detour to offer. */
export const hasRelays = ({ turn }: Pick<Relays, 'turn'>, { detoursAt }: Granted): boolean =>
  turn !== null || detoursAt !== null

/** Messages for one side at `address`; none if the address has used up its allowance. */
export async function relayOffers(
  { turn, detours, admission, metrics }: Relays & Pick<ConnectionContext, 'admission' | 'metrics'>,
  { peer, pair, isHost, detoursAt }: Granted,
  address: string,
): Promise<readonly ServerMessage[]> {
  const isAllowed = await admission.may('grants', address).catch(() => false)
  metrics.relayCredentials.add(isAllowed ? 'given' : 'refused')
  if (!isAllowed) return []
  return [
    ...(turn === null ? [] : [{ t: 'turn', peer, ...turn.issue(address) } as const]),
    ...(detoursAt === null
      ? []
      : [detourOffer(peer, detours.issue({ pair, isHost }, detoursAt), detoursAt)]),
  ]
}

const detourOffer = (peer: string, ticket: string, node: string): ServerMessage => ({
  t: 'detour',
  peer,
  ticket,
  ...(node !== '' && { node }),
})
