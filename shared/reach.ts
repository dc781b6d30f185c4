/** The reach of this computer's codes. */
import type { AppError, ErrorCode } from '#shared/errors'
import { usedServerUrl } from '#shared/settings/server-choice'
import type { AppState, MeetingState, Share } from '#shared/state/app-state'

/** The networks in which people can receive with a code. */
export type Reach = {
  /** `anywhere`: wherever the server is reachable. `network`, `computer`: only on this one. */
  readonly scope: 'anywhere' | 'network' | 'computer'
  /** Address of the server that would extend the reach; `null` without one. */
  readonly server: string | null
  /** The reason why that server can't be used at present, if it is known. */
  readonly error: AppError | null
  /** The code's state at public meeting points, if its reach depends on them. */
  readonly meeting?: MeetingState | undefined
}

/**
 * The reason why a code has no greater reach: no server is set, it doesn't answer, or it refuses this computer. Or no
 * public meeting point answers, or the share has left them.
 */
export type ReachLimit = 'noServer' | 'away' | 'refused' | 'noMeeting' | 'leftMeeting'

const unanswered: ReadonlySet<ErrorCode> = new Set(['E_SERVER_UNREACHABLE', 'E_PROXY_UNREACHABLE'])

/** The limit of a reach that isn't `anywhere`. */
export function limitOf({ server, error, meeting }: Reach): ReachLimit {
  if (meeting !== undefined) return meeting === 'left' ? 'leftMeeting' : 'noMeeting'
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

type Away = {
  readonly serverAway?: true | undefined
  readonly meeting?: MeetingState | undefined
}

/** The reach of a share's code. */
export function reachOfShare(
  { server, serverAway, meeting }: Pick<Share, 'server'> & Away,
  network: Network,
): Reach {
  if (meeting === 'there') return { scope: 'anywhere', server: null, error: null, meeting }
  return server === null || serverAway === true
    ? { ...nearby(network, server), ...(meeting !== undefined && { meeting }) }
    : { scope: 'anywhere', server, error: null }
}

/** The reach of the next share's code. */
export function reachOfNext(state: AppState): Reach {
  const { network } = state.settings
  const server = usedServerUrl(state.fixedServers, network)
  const mayMeet = network.meeting === 'automatic' || network.meeting === 'always'
  if (server === null && mayMeet && network.relay !== 'only') {
    return { scope: 'anywhere', server, error: null, meeting: 'there' }
  }
  return server === null || state.server.phase === 'unreachable'
    ? nearby(state, server)
    : { scope: 'anywhere', server, error: null }
}
