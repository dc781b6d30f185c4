/** The result of trying a server before using it. */
import type { ErrorCode } from '#shared/errors'

/** The result of a check. */
export type ServerCheck = {
  /**
   * `insecure`: ready, but without TLS over the internet. `untrusted`: TLS failed, mostly because of its certificate.
   * `password`: it requires one, or a different one. `other`: not a Thruflux server.
   */
  readonly server: 'ready' | 'insecure' | 'unreachable' | 'untrusted' | 'password' | 'other'
  /** The reason, for experts; `''` for none. */
  readonly detail: string
  /** The proxy in use, which may be why the server is `unreachable`; `null` for a direct connection. */
  readonly proxy: ProxyCheck | null
  /** Its STUN servers, as they were written. */
  readonly stun: readonly { readonly line: string; readonly answers: boolean }[]
  /** Round trip of one request; absent unless the server is ready and answers promptly. */
  readonly roundTripMs?: number
  /** Congestion control of the server's TCP; absent if it has no page for browsers, or doesn't say. */
  readonly congestion?: string
  /** This computer's clock minus the server's, to the second; absent if the server sends no time. */
  readonly clockAheadMs?: number
}

/** The result of trying a proxy. */
export type ProxyCheck = {
  /** Its address, without user and password. */
  readonly name: string
  /** The reason it can't be used; `null` if it can. */
  readonly failure: ProxyFailure | null
}

/** The codes of proxy errors. */
export type ProxyFailure = Extract<
  ErrorCode,
  'E_PROXY_UNREACHABLE' | 'E_PROXY_AUTH' | 'E_PROXY_REFUSED'
>
