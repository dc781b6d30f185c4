import type { CodedError } from '#shared/errors'
import type { ProxyFailure } from '#shared/settings/server-check'

/** Why there is no tunnel through a proxy. */
export type TunnelFailure = CodedError<ProxyFailure>
