/** The reach of this computer's codes. */
import type { AppError, ErrorCode } from '#shared/errors'
import { usedServerUrl } from '#shared/settings/server-choice'
import type { AppState, Share } from '#shared/state/app-state'

/** The networks in which people can receive with a code. */
export type Reach = {
  /** `anywhere`: wherever the server is reachable. `network`, `computer`: only on this one. */
  readonly scope: 'anywhere' | 'network' | 'computer'
  /** Address of the server that would extend the reach; `null` without one. */
  readonly server: string | null
  /** The reason why that server can't be used at present, if it is known. */
  readonly error: AppError | null
}

/** The reason why a code has no greater reach: no server is set, it doesn't answer, or it refuses this computer. */
export type ReachLimit = 'noServer' | 'away' | 'refused'

const unanswered: ReadonlySet<ErrorCode> = new Set(['E_SERVER_UNREACHABLE', 'E_PROXY_UNREACHABLE'])

/** The limit of a reach that isn't `anywhere`. */
export function limitOf({ server, error }: Reach): ReachLimit {
  if (server === null) return 'noServer'
  return error === null || unanswered.has(error.code) ? 'away' : 'refused'
}

type Network = Pick<AppState, 'server' | 'localNetwork'>

/** The reach without a server, or while it can't be used. */
const nearby = ({ server, localNetwork }: Network, url: string | null): Reach => ({
  scope: localNetwork.phase === 'off' || localNetwork.phase === 'blocked' ? 'computer' : 'network',
  server: url,
  error: url !== null && server.phase === 'unreachable' ? server.error : null,
})

/** The reach of a share's code. */
export const reachOfShare = (
  { server, serverAway }: Pick<Share, 'server'> & { readonly serverAway?: true | undefined },
  network: Network,
): Reach =>
  server === null || serverAway === true
    ? nearby(network, server)
    : { scope: 'anywhere', server, error: null }

/** The reach of the next share's code. */
export function reachOfNext(state: AppState): Reach {
  const server = usedServerUrl(state.fixedServers, state.settings.network)
  return server === null || state.server.phase === 'unreachable'
    ? nearby(state, server)
    : { scope: 'anywhere', server, error: null }
}
