/** What trying a server shows, before anybody relies on it. */

/** What became of it. */
export type ServerCheck = {
  /**
   * `insecure`: ready, but without TLS over the internet. `untrusted`: TLS failed, mostly for its
   * certificate. `other`: what answers is no server of ours. `proxy`: the proxy on the way can't be used.
   */
  readonly server: 'ready' | 'insecure' | 'unreachable' | 'untrusted' | 'other' | 'proxy'
  /** Why, for experts; `''` when there is nothing to say. */
  readonly detail: string
  /** Its STUN servers, as they were written. */
  readonly stun: readonly { readonly line: string; readonly answers: boolean }[]
}
