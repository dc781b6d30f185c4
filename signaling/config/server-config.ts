/** The server's settings. Times are in seconds. */
export type ServerConfig = {
  /** TCP port; 0 lets the system choose. */
  readonly port: number
  readonly maxSessions: number
  readonly maxReceiversPerSender: number
  readonly maxMessageBytes: number
  readonly wsConnectionsPerMin: number
  readonly wsConnectionsBurst: number
  readonly wsMessagesPerSec: number
  readonly wsMessagesBurst: number
  readonly sessionCreatesPerMin: number
  readonly sessionCreatesBurst: number
  readonly joinsPerMin: number
  readonly joinsBurst: number
  readonly maxSessionsPerAddress: number
  readonly maxMailboxesPerAddress: number
  readonly maxWsConnections: number
  readonly maxWsConnectionsPerAddress: number
  /** Maximum number of bytes that all clients together leave unread or incomplete. */
  readonly maxHeldBytes: number
  readonly wsIdleTimeout: number
  readonly sessionTimeout: number
  /** Relays for granted receivers and their senders, as `turn:host:port?transport=udp`. */
  readonly turnUrls: readonly string[]
  /** Secret shared with the TURN server; empty without one. */
  readonly turnSecret: string
  readonly turnTtl: number
  readonly turnGrantsPerHour: number
  /** Maximum number of server relays at the same time; 0 turns them off. */
  readonly serverRelays: number
  readonly serverRelayBytesPerSec: number
  readonly serverRelayBytes: number
  /** The `https:` origin at which browsers reach this server and its page; empty without the page. */
  readonly web: string
  /** Maximum number of pages that receive at the same time. */
  readonly webRelays: number
  readonly webBytesPerSec: number
  /** Maximum number of bytes that one page receives. */
  readonly webBytes: number
  /** Passwords, any of which admits a client; empty for an open server. */
  readonly serverPasswords: readonly string[]
  /** Address or name to listen on; empty for all interfaces, or for 127.0.0.1 behind a proxy. */
  readonly host: string
  /** Networks of reverse proxies whose `X-Forwarded-For` is trusted. */
  readonly trustProxy: readonly string[]
  /** True if these proxies begin each connection with a PROXY protocol header, version 2. */
  readonly proxyProtocol: boolean
  /** True to apply only global limits to this computer's own addresses. */
  readonly trustLoopback: boolean
  /** Address of metrics and readiness, `host:port`; empty for none. */
  readonly metrics: string
  /** Form of clients' addresses in the log. */
  readonly logAddresses: string
  /** Redis or Valkey shared by the nodes of one service, `redis://host:port`; empty for a single node. */
  readonly redis: string
  /** Unique name of this node, used in the paths of server relays; empty for a single node. */
  readonly nodeName: string
  /** Time for the clients of a stopping node to move to the others; a single node stops immediately. */
  readonly drainTime: number
  /** File that keeps the owners of nameplates across restarts of a single node; empty for none. */
  readonly stateFile: string
  /** Address of the download page, for the page at `/`; empty for none. */
  readonly installUrl: string
}
