/** The server's settings. Times are in seconds. */
export type ServerConfig = {
  /** 0 lets the system choose. */
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
  /** Bound of the bytes that all clients together leave unread and unfinished. */
  readonly maxHeldBytes: number
  readonly wsIdleTimeout: number
  readonly sessionTimeout: number
  /** Relays that granted receivers and their senders may use, `turn:host:port?transport=udp`. */
  readonly turnUrls: readonly string[]
  /** Secret shared with the TURN server; empty when there is none. */
  readonly turnSecret: string
  readonly turnTtl: number
  readonly turnGrantsPerHour: number
  /** Most relays of last resort at the same time; 0 for none at all. */
  readonly detours: number
  readonly detourBytesPerSec: number
  readonly detourBytes: number
  /** Any of them lets a client in; none for a server that is for everybody. */
  readonly serverPasswords: readonly string[]
  /** An address or name to listen at; empty for all interfaces, or for 127.0.0.1 behind a proxy. */
  readonly host: string
  /** Networks of reverse proxies, whose X-Forwarded-For says where clients are. */
  readonly trustProxy: readonly string[]
  /** These proxies begin each connection with a header of the PROXY protocol, version 2. */
  readonly proxyProtocol: boolean
  /** Count this computer's own addresses only in the limits of all together. */
  readonly trustLoopback: boolean
  /** Address of metrics and readiness, `host:port`; empty for none. */
  readonly metrics: string
  /** Form of clients' addresses in the log. */
  readonly logAddresses: string
  /** Redis or Valkey by which several nodes are one service, `redis://host:port`; empty for one node. */
  readonly redis: string
  /** Unique name of this node, used in the paths of detours; empty for a single node. */
  readonly nodeName: string
  /** Time in which the clients of a node that ends move to the others; a single node ends at once. */
  readonly drainTime: number
  /** File that keeps who owns which nameplate beyond the end of the only node; empty for none. */
  readonly stateFile: string
  /** Address of the download, for the page at `/`; empty for none. */
  readonly installUrl: string
}
