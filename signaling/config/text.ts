/** The texts of the server's settings. */
import type { ServerConfig } from '#signaling/config/server-config'

/** Help texts of the settings. */
const help: { readonly [name in keyof ServerConfig]: string } = {
  port: 'TCP port to listen on; 0 picks a free one',
  host: 'address to listen on; if empty, all of them (with --trust-proxy, only this computer)',
  maxSessions: 'maximum number of shares at the same time',
  maxReceiversPerSender: 'maximum number of receivers of one share at the same time',
  maxMessageBytes: 'maximum size of a WebSocket message, in bytes',
  wsConnectionsPerMin: 'new connections per minute from one address',
  wsConnectionsBurst: 'burst of new connections from one address',
  wsMessagesPerSec: 'messages per second on one connection',
  wsMessagesBurst: 'burst of messages on one connection',
  sessionCreatesPerMin: 'new shares per minute from one address',
  sessionCreatesBurst: 'burst of new shares from one address',
  joinsPerMin: 'joins per minute from one address',
  joinsBurst: 'burst of joins from one address',
  maxSessionsPerAddress: 'maximum number of shares from one address at the same time',
  maxMailboxesPerAddress: 'maximum number of mailboxes of one address at the same time',
  maxWsConnections: 'maximum number of connections at the same time',
  maxWsConnectionsPerAddress: 'maximum number of connections from one address at the same time',
  maxHeldBytes: 'memory for messages that clients have not read or not completed, in bytes',
  wsIdleTimeout: 'close an idle connection after this time',
  sessionTimeout: 'end a share after this time',
  turnUrls: 'relay to offer, such as turn:host:port?transport=udp or turns:host:443; repeatable',
  turnSecret: "file with the TURN server's static-auth-secret",
  turnTtl: 'lifetime of relay credentials',
  turnGrantsPerHour: 'relay credentials per hour for one address',
  serverRelays:
    'maximum number of pairs that this server relays when no other route works; 0 for none',
  serverRelayBytesPerSec: 'bytes per second of one such pair',
  serverRelayBytes: 'total bytes of one such pair',
  web: 'show a page with which browsers receive; the address of this server, such as https://thru.example.org',
  webRelays: 'maximum number of such pages that receive at the same time',
  webBytesPerSec: 'bytes per second of one such page',
  webBytes: 'total bytes of one such page',
  serverPasswords: 'file with passwords, one per line; clients must have one of them',
  trustProxy: 'networks of trusted proxies, such as 127.0.0.0/8,::1/128',
  proxyProtocol: 'expect the PROXY protocol, version 2, from trusted proxies',
  trustLoopback: 'apply only global limits to connections from this computer',
  metrics: 'address and port to serve metrics on, such as 127.0.0.1:9464; off when empty',
  drainTime: 'time that clients get to move to other nodes when this one stops',
  stateFile: 'file that keeps codes across restarts of a single server; none when empty',
  redis: 'Redis or Valkey shared by several servers, such as redis://127.0.0.1:6379',
  nodeName: 'unique name of this server, such as a; required for --server-relays with --redis',
  logAddresses:
    'addresses in the log: none, hashed (new hashes after each start) or network (/24, /48)',
  installUrl: "download page for Thruflux, linked on the server's own page",
}

/** Texts about settings; `name` is a flag or a variable. */
export const serverText = {
  help,
  title: 'Thruflux signaling server',
  configFile: 'read settings from this TOML file, named like the flags without the dashes',
  checkConfig: 'print all settings and their origins, then exit',
  hidden: 'not shown',
  fileMissing: (file: string) => `${file} can't be read. Check its path and permissions.`,
  fileTooLarge: (file: string, bytes: number) => `${file} is larger than ${bytes} bytes.`,
  fileMalformed: (file: string, why: string) => `${file} isn't valid TOML: ${why}`,
  needsRestart: (name: string) => `${name} can't change while the server is running. Restart it.`,
  logLevel: (levels: string) => `THRU_LOG_LEVEL isn't valid. Choose one of ${levels}.`,
  unknown: (name: string) => `${name} isn't a setting. Run "thru serve --help" to see them all.`,
  noFlag: (flag: string, name: string, variable: string) =>
    `${flag} isn't an option. Set ${name} in the file of --config, or ${variable}.`,
  moreLimits: '  More limits belong in the file of --config; --check-config lists all settings.',
  valueMissing: (name: string) => `${name} needs a value. Add it after the option.`,
  unreadable: (name: string, value: string) =>
    `${name} can't be "${value}". Run "thru serve --help" to see valid values.`,
  wrongType: (name: string, type: string) => `${name} must be a ${type}.`,
  wrongLength: (name: string, min: number, max: number) =>
    `${name} must have ${min} to ${max} characters.`,
  oneOf: (name: string, values: string) => `${name} must be one of ${values}.`,
  outOfBounds: (name: string, min: number, max: number) =>
    `${name} must be a whole number from ${min} to ${max}.`,
  passwords: (name: string, most: number) =>
    `${name} takes up to ${most} passwords of 12 to 256 letters, digits and symbols, without commas.`,
  relays: (name: string, most: number) =>
    `${name} takes up to ${most} relays of the form turn:host:port?transport=udp.`,
  proxies: (name: string, most: number) =>
    `${name} takes up to ${most} networks such as 127.0.0.0/8,::1/128.`,
  relayNeedsBoth: (missing: string) =>
    `A relay needs both --turn-url and --turn-secret-file. Add ${missing}.`,
  address: (name: string) => `${name} takes an address and a port, such as 127.0.0.1:9464.`,
  oneState: (first: string, second: string) =>
    `${first} and ${second} can't be used together. Choose one.`,
  noStateFile: (file: string) => `${file} isn't a state file. Choose another file.`,
  stateFileFails: (file: string, why: string) => `${file} can't be used: ${why}`,
  nodeName: (name: string) => `${name} takes 1 to 32 of the characters a-z, 0-9 and -.`,
  serverRelaysNeedName: (serverRelays: string, redis: string, missing: string) =>
    `${serverRelays} with ${redis} needs a name for each server. Add ${missing}.`,
  origin: (name: string) =>
    `${name} takes the https address of this server, such as https://thru.example.org.`,
  noPage: (name: string) =>
    `This copy of the server has no page for ${name}. Build it with npm run build:web.`,
  redis: (name: string) => `${name} takes an address such as redis://user:password@host:6379.`,
  /** `flag` sets the port. */
  portTaken: (port: number, flag: string) =>
    `Port ${port} is already in use. Choose another with ${flag}.`,
  portForbidden: (port: number, flag: string) =>
    `Your account isn't allowed to use port ${port}. Choose one above 1023 with ${flag}.`,
  notOwnAddress: (host: string, flag: string) =>
    `${host} isn't an address of this computer. Choose one with ${flag}.`,
  page: (name: string) => `${name} takes a web address such as https://example.org/thruflux.`,
} as const
