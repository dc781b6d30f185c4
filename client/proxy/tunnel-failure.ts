import type { CodedError } from '#shared/errors'
import type { ProxyFailure } from '#shared/settings/server-check'

/** The reasons why a proxy opens no tunnel. */
export type TunnelFailure = CodedError<ProxyFailure>
