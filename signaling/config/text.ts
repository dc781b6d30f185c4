/** The sentences of the server's settings. */
import type { ServerConfig } from '#signaling/config/server-config'

/** What each setting does. */
const help: { readonly [name in keyof ServerConfig]: string } = {
  port: 'TCP port; 0 lets the system choose',
  host: 'address to listen on; all when empty, only this computer behind a proxy',
  maxSessions: 'most shares at the same time',
  maxReceiversPerSender: 'most receivers of one share at the same time',
  maxMessageBytes: 'largest WebSocket message, in bytes',
  wsConnectionsPerMin: 'new connections a minute from one address',
  wsConnectionsBurst: 'new connections at once from one address',
  wsMessagesPerSec: 'messages a second over one connection',
  wsMessagesBurst: 'messages at once over one connection',
  sessionCreatesPerMin: 'new shares a minute from one address',
  sessionCreatesBurst: 'new shares at once from one address',
  joinsPerMin: 'joins a minute from one address',
  joinsBurst: 'joins at once from one address',
  maxSessionsPerAddress: 'most shares of one address at the same time',
  maxMailboxesPerAddress: 'most mailboxes of one address at the same time',
  maxWsConnections: 'most connections at the same time',
  maxWsConnectionsPerAddress: 'most connections of one address at the same time',
  maxHeldBytes: 'memory for what clients have not read or not finished, in bytes',
  wsIdleTimeout: 'close a silent connection after this time',
  sessionTimeout: 'end a share after this time',
  turnUrls: 'relay, such as turn:host:port?transport=udp or turns:host:443; repeatable',
  turnSecret: "file with the TURN server's static-auth-secret",
  turnTtl: 'how long relay credentials are valid',
  turnGrantsPerHour: 'relay credentials an hour for one address',
  detours: 'most pairs relayed by this server itself, where nothing else gets through; 0 for none',
  detourBytesPerSec: 'bytes a second of one such pair',
  detourBytes: 'bytes of one such pair in all',
  serverPasswords: 'file with passwords, one on each line, of which clients need one',
  trustProxy: 'networks of trusted proxies, such as 127.0.0.0/8,::1/128',
  proxyProtocol: 'the trusted proxies send the PROXY protocol, version 2',
  trustLoopback: 'apply only the global limits to this computer',
  metrics: 'address and port for monitoring, such as 127.0.0.1:9464; off when empty',
  drainTime: 'how long clients may take to go over to other nodes when this one ends',
  stateFile: 'file in which codes outlive a restart of the only server; none when empty',
  redis: 'Redis or Valkey that several servers share, such as redis://127.0.0.1:6379',
  nodeName: 'name of this server among several, such as a, for --detours with --redis',
  logAddresses: 'addresses in the log: none, hashed (until the next start), network (/24, /48)',
  installUrl: "page where people get Thruflux, linked on the server's own page",
}

/** See above. `name` is a flag or a variable. */
export const serverText = {
  help,
  title: 'Thruflux signaling server',
  configFile: 'TOML file with settings, the names of the flags without dashes in front',
  checkConfig: 'print all settings and where they come from, and end',
  hidden: 'not shown',
  fileMissing: (file: string) => `${file} can't be read. Check its path and who may read it.`,
  fileTooLarge: (file: string, bytes: number) => `${file} has more than ${bytes} bytes.`,
  fileMalformed: (file: string, why: string) => `${file} isn't valid TOML: ${why}`,
  needsRestart: (name: string) => `${name} can't change while the server runs. Restart it.`,
  logLevel: (levels: string) => `THRU_LOG_LEVEL can't have that value. Choose one of ${levels}.`,
  unknown: (name: string) => `${name} isn't a setting. Run "thru serve --help" to see them all.`,
  valueMissing: (name: string) => `${name} needs a value. Add it after the option.`,
  unreadable: (name: string, value: string) =>
    `${name} can't be "${value}". Run "thru serve --help" to see what it takes.`,
  wrongType: (name: string, type: string) => `${name} must be a ${type}.`,
  wrongLength: (name: string, min: number, max: number) =>
    `${name} must have ${min} to ${max} characters.`,
  oneOf: (name: string, values: string) => `${name} must be one of ${values}.`,
  outOfBounds: (name: string, min: number, max: number) =>
    `${name} must be a whole number from ${min} to ${max}.`,
  passwords: (name: string, most: number) =>
    `${name} takes up to ${most} passwords of 12 to 256 letters, digits and signs but commas.`,
  relays: (name: string, most: number) =>
    `${name} takes up to ${most} relays of the form turn:host:port?transport=udp.`,
  proxies: (name: string, most: number) =>
    `${name} takes up to ${most} networks such as 127.0.0.0/8,::1/128.`,
  relayNeedsBoth: (missing: string) =>
    `A relay needs both --turn-url and --turn-secret-file. Add ${missing}.`,
  address: (name: string) => `${name} takes an address and a port, such as 127.0.0.1:9464.`,
  oneState: (first: string, second: string) =>
    `${first} and ${second} can't be used together. Choose one.`,
  noStateFile: (file: string) => `${file} isn't a file of sessions. Choose another file.`,
  stateFileFails: (file: string, why: string) => `${file} can't be used: ${why}`,
  nodeName: (name: string) => `${name} takes 1 to 32 of the characters a-z, 0-9 and -.`,
  detoursNeedName: (detours: string, redis: string, missing: string) =>
    `${detours} with ${redis} needs a name for each server. Add ${missing}.`,
  redis: (name: string) => `${name} takes an address such as redis://user:password@host:6379.`,
  /** `flag` chooses another one. */
  portTaken: (port: number, flag: string) =>
    `Port ${port} is already in use. Choose another with ${flag}.`,
  portForbidden: (port: number, flag: string) =>
    `Port ${port} needs more rights than this account has. Choose one above 1023 with ${flag}.`,
  notOwnAddress: (host: string, flag: string) =>
    `${host} isn't an address of this computer. Choose one with ${flag}.`,
  page: (name: string) => `${name} takes a page such as https://example.org/thruflux.`,
} as const
