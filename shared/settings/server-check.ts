/** What trying a server shows, before anybody relies on it. */
import type { ErrorCode } from '#shared/errors'

/** What became of it. */
export type ServerCheck = {
  /**
   * `insecure`: ready, but without TLS over the internet. `untrusted`: TLS failed, mostly for its
   * certificate. `password`: it wants one, or another one. `other`: what answers is no server of ours.
   */
  readonly server: 'ready' | 'insecure' | 'unreachable' | 'untrusted' | 'password' | 'other'
  /** Why, for experts; `''` when there is nothing to say. */
  readonly detail: string
  /** What the way leads through, which `unreachable` may be due to; `null`: it is direct. */
  readonly proxy: ProxyCheck | null
  /** Its STUN servers, as they were written. */
  readonly stun: readonly { readonly line: string; readonly answers: boolean }[]
  /** From a question to its answer; absent unless the server is ready and answers at once. */
  readonly roundTripMs?: number
  /** How far this computer's clock is ahead of the server's, to a second; absent where it names no time. */
  readonly clockAheadMs?: number
}

/** What became of a proxy. */
export type ProxyCheck = {
  /** Its address, without user and password. */
  readonly name: string
  /** Why it can't be used; `null`: it can. */
  readonly failure: ProxyFailure | null
}

/** The codes of errors that are a proxy's. */
export type ProxyFailure = Extract<
  ErrorCode,
  'E_PROXY_UNREACHABLE' | 'E_PROXY_AUTH' | 'E_PROXY_REFUSED'
>
