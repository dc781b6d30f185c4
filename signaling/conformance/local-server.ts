import { type SignalingServerOptions, startSignalingServer } from '#signaling/server'
import { type Action, type Allowance, usualAllowances } from './throttle.ts'

/** A server that exists only for a check. */
export type LocalServer = {
  readonly url: string
  /** The allowances of one address: enough to check all rules without pauses. */
  readonly allowances: { readonly [action in Action]: Allowance }
  readonly close: () => Promise<void>
}

/** More than all cases take together. */
const plenty = 2000

/** Starts this project's server on a free port of this computer. Its relays are placeholders. */
export async function localServer(options: SignalingServerOptions = {}): Promise<LocalServer> {
  const started = await startSignalingServer({
    host: '127.0.0.1',
    port: 0,
    wsConnectionsPerMin: plenty,
    wsConnectionsBurst: plenty,
    sessionCreatesPerMin: plenty,
    sessionCreatesBurst: plenty,
    joinsPerMin: plenty,
    joinsBurst: plenty,
    turnUrls: ['turn:relay.example.org:3478?transport=udp', 'turns:relay.example.org:443'],
    turnSecret: 'a secret that opens nothing',
    ...options,
  })
  if (!started.ok) throw new Error(started.error.detail)
  const { url } = started.value
  const much = { burst: plenty, perMinute: plenty }
  return {
    url,
    close: () => started.value.close(),
    allowances: { ...usualAllowances, socket: much, host: much, join: much },
  }
}
