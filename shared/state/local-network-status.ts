/** Visibility on the local network, as a part of the application's state. */

/**
 * Visibility of this program's shares to others on this network without a server. `urls` are the addresses of its
 * signaling server there, even if it can't be found automatically. `hasPage`: browsers receive there, too.
 */
export type LocalNetworkStatus =
  /** A person turned it off. */
  | { readonly phase: 'off' }
  /** Nothing is shared. */
  | { readonly phase: 'idle' }
  | { readonly phase: 'visible'; readonly urls: readonly string[]; readonly hasPage?: boolean }
  | {
      readonly phase: 'blocked'
      /**
       * `no-network`: no address that others here could reach. `port`: our server doesn't answer at the port.
       * `multicast`: announcements don't get through, for example because of a firewall.
       */
      readonly reason: 'no-network' | 'port' | 'multicast'
      readonly urls: readonly string[]
    }
