/** Messages about relays for the two sides of a granted pair. */
import type { ServerMessage } from '#shared/signaling/messages'
import type { Effect } from '#signaling/rooms/rooms'
import type { ConnectionContext } from '#signaling/socket/connection-context'

type Relays = Pick<ConnectionContext, 'turn' | 'serverRelays'>

/** One side of a pair after the host's grant. */
export type Granted = Extract<Effect, { readonly type: 'relays' }>

/** True if there is a relay or server relay to offer. */
export const hasRelays = (
  { turn }: Pick<Relays, 'turn'>,
  { relayNode, isPage }: Granted,
): boolean => (turn !== null && !isPage) || relayNode !== null

/** Messages for one side at `address`; none if the address has used up its allowance. */
export async function relayOffers(
  {
    turn,
    serverRelays,
    admission,
    metrics,
  }: Relays & Pick<ConnectionContext, 'admission' | 'metrics'>,
  { peer, pair, isHost, isPage, relayNode }: Granted,
  address: string,
): Promise<readonly ServerMessage[]> {
  const isAllowed = await admission.may('grants', address).catch(() => false)
  metrics.relayCredentials.add(isAllowed ? 'given' : 'refused')
  if (!isAllowed) return []
  return [
    // A page can't use TURN.
    ...(turn === null || isPage ? [] : [{ t: 'turn', peer, ...turn.issue(address) } as const]),
    ...(relayNode === null
      ? []
      : [
          serverRelayOffer(
            peer,
            serverRelays.issue({ pair, isHost, isPage }, relayNode),
            relayNode,
          ),
        ]),
  ]
}

const serverRelayOffer = (peer: string, ticket: string, node: string): ServerMessage => ({
  t: 'server-relay',
  peer,
  ticket,
  ...(node !== '' && { node }),
})
