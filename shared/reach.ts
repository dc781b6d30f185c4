/** How far the codes of this computer lead. */
import type { AppState, Share } from '#shared/app-state'
import type { AppError } from '#shared/errors'
import { usedServerUrl } from '#shared/server-choice'

/** Where somebody may be who is to receive by a code. */
export type Reach = {
  /** `anywhere`: wherever the server is reached. `network`, `computer`: on this one, and nowhere else. */
  readonly scope: 'anywhere' | 'network' | 'computer'
  /** Address of the server that is to lead further; `null` without one. */
  readonly server: string | null
  /** Why that server is of no use at present, as far as it is known. */
  readonly error: AppError | null
}

type Network = Pick<AppState, 'server' | 'localNetwork'>

/** Without a server, or as long as it is of no use. */
const nearby = ({ server, localNetwork }: Network, url: string | null): Reach => ({
  scope: localNetwork.phase === 'off' || localNetwork.phase === 'blocked' ? 'computer' : 'network',
  server: url,
  error: url !== null && server.phase === 'unreachable' ? server.error : null,
})

/** Of the code that a share has. */
export const reachOfShare = (
  { server, serverAway }: Pick<Share, 'server' | 'serverAway'>,
  network: Network,
): Reach =>
  server === null || serverAway === true
    ? nearby(network, server)
    : { scope: 'anywhere', server, error: null }

/** Of the code that the next share gets. */
export function reachOfNext(state: AppState): Reach {
  const server = usedServerUrl(state.fixedServers, state.settings.network)
  return server === null || state.server.phase === 'unreachable'
    ? nearby(state, server)
    : { scope: 'anywhere', server, error: null }
}
