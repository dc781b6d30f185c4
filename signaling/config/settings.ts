/** Every setting of the server: its flag, environment variable, default and bounds. */
import { limits } from '#shared/limits'
import {
  maxMailboxes,
  messageAllowance,
  nodeNamePattern,
  turnBounds,
} from '#shared/signaling/messages'
import { parseTurnUrl } from '#shared/signaling/turn-url'
import type { ServerConfig } from '#signaling/config/server-config'
import { serverText } from '#signaling/config/text'
import { maxDrainSeconds } from '#signaling/limits/limits'
import { addressForms } from '#signaling/socket/address-names'
import { parseHostPort } from '#signaling/socket/host-port'
import { areNetworks } from '#signaling/socket/proxies'

/** A setting; the type of `initial` is the type of the value. */
export type Setting = {
  /** Its name in the file, with two dashes. */
  readonly flag: string
  /** False if only the file and the variable set it. */
  readonly isFlag?: boolean
  readonly env: string
  readonly help: string
  readonly initial: number | string | boolean | readonly string[]
  /** Inclusive bounds of a number or of a text's length. */
  readonly min?: number
  readonly max?: number
  /** Takes `90` for seconds, or a time such as `15m` or `24h`. */
  readonly isDuration?: boolean
  /** Further checks of a text or list for the setting `name`; returns an error message or `null`. */
  readonly formError?: (value: unknown, name: string) => string | null
  /** Formats a value that contains a password. */
  readonly shown?: (value: Value) => string
  /** True if it can change while the server runs, see `SignalingServer.reload`. */
  readonly isLimit?: boolean
  /** The flag takes a file with the value, or with one per line, because other users can see command lines. */
  readonly isSecret?: boolean
}

/** Types of values. */
export type Value = Setting['initial']

const setting = (
  name: string,
  help: string,
  initial: Value,
  more: Partial<Setting> = {},
): Setting => ({
  flag: `--${name}`,
  env: `THRU_${name.toUpperCase().replace(/-/g, '_')}`,
  help,
  initial,
  ...more,
})

/** A setting that can be changed on a running server. */
const limit = (name: string, help: string, initial: number, more: Partial<Setting>): Setting =>
  setting(name, help, initial, { ...more, isLimit: true })

/** A limit that few servers change, so the command line doesn't take it. */
const fineLimit: typeof limit = (name, help, initial, more) =>
  limit(name, help, initial, { ...more, isFlag: false })

const hour = 3600
const mebibyte = 1024 * 1024

const relayListError = (value: unknown, name: string): string | null =>
  Array.isArray(value) &&
  value.length <= turnBounds.urls &&
  value.every((url) => typeof url === 'string' && parseTurnUrl(url) !== null)
    ? null
    : serverText.relays(name, turnBounds.urls)

/** Proxies in front of one server; every hop of every client is looked up in this list. */
const maxProxies = 100

const proxyListError = (value: unknown, name: string): string | null =>
  Array.isArray(value) && value.length <= maxProxies && areNetworks(value)
    ? null
    : serverText.proxies(name, maxProxies)

/** Maximum number of passwords: one per group, plus old ones that are being replaced. */
const maxPasswords = 16

/** Twelve characters can't be guessed at the rate of `passwordTries`; commas separate passwords in the variable. */
const isPassword = (text: unknown): boolean =>
  typeof text === 'string' && /^[!-+\--~]{12,256}$/.test(text)

const passwordsError = (value: unknown, name: string): string | null =>
  Array.isArray(value) && value.length <= maxPasswords && value.every(isPassword)
    ? null
    : serverText.passwords(name, maxPasswords)

const metricsError = (value: unknown, name: string): string | null =>
  value === '' || (typeof value === 'string' && parseHostPort(value) !== null)
    ? null
    : serverText.address(name)

const redisError = (value: unknown, name: string): string | null =>
  value === '' || (typeof value === 'string' && isRedisUrl(value)) ? null : serverText.redis(name)

const nodeNameError = (value: unknown, name: string): string | null =>
  value === '' || (typeof value === 'string' && nodeNamePattern.test(value))
    ? null
    : serverText.nodeName(name)

function isRedisUrl(text: string): boolean {
  try {
    const { protocol, hostname } = new URL(text)
    return (protocol === 'redis:' || protocol === 'rediss:') && hostname !== ''
  } catch {
    return false
  }
}

const addressFormError = (value: unknown, name: string): string | null =>
  addressForms.some((form) => form === value)
    ? null
    : serverText.oneOf(name, addressForms.join(', '))

const installUrlError = (value: unknown, name: string): string | null =>
  value === '' || (typeof value === 'string' && isWebAddress(value)) ? null : serverText.page(name)

/** An `https:` address of valid characters, short enough for a page. */
const isWebAddress = (text: string): boolean =>
  /^https:\/\/[a-z0-9][a-z0-9.-]*(?::[0-9]{1,5})?(?:\/[\w./~%+-]{0,200})?$/i.test(text)

const webError = (value: unknown, name: string): string | null =>
  value === '' || (typeof value === 'string' && isOrigin(value)) ? null : serverText.origin(name)

/** An `https:` origin in the form in which browsers send it. */
function isOrigin(text: string): boolean {
  try {
    return text.length <= 200 && text.startsWith('https:') && new URL(text).origin === text
  } catch {
    return false
  }
}

/** All settings, keyed by their names in `ServerConfig`. */
export const settings: { readonly [name in keyof ServerConfig]: Setting } = {
  port: setting('port', serverText.help.port, 8080, { min: 0, max: 65_535 }),
  host: setting('host', serverText.help.host, ''),
  maxSessions: limit('max-sessions', serverText.help.maxSessions, 10_000, {
    min: 1,
    max: 300_000,
  }),
  // The maximum that a sender can choose; the sender sets its own limit.
  maxReceiversPerSender: fineLimit(
    'max-receivers-per-sender',
    serverText.help.maxReceiversPerSender,
    limits.maxReceiversPerShare,
    { min: 1, max: limits.maxReceiversPerShare },
  ),
  maxMessageBytes: fineLimit(
    'max-message-bytes',
    serverText.help.maxMessageBytes,
    limits.signalingFrameBytes,
    { min: 2 * limits.relayBodyBytes, max: limits.signalingFrameBytes },
  ),
  // Higher than joins and hosts together, so that their limits, which send an error, apply first.
  wsConnectionsPerMin: fineLimit(
    'ws-connections-per-min',
    serverText.help.wsConnectionsPerMin,
    240,
    {
      min: 1,
      max: 100_000,
    },
  ),
  wsConnectionsBurst: fineLimit('ws-connections-burst', serverText.help.wsConnectionsBurst, 120, {
    min: 1,
    max: 100_000,
  }),
  wsMessagesPerSec: fineLimit(
    'ws-messages-per-sec',
    serverText.help.wsMessagesPerSec,
    messageAllowance.perSecond,
    { min: 1, max: 10_000 },
  ),
  wsMessagesBurst: fineLimit(
    'ws-messages-burst',
    serverText.help.wsMessagesBurst,
    messageAllowance.burst,
    { min: 10, max: 10_000 },
  ),
  // A university or a mobile network can have hundreds of people behind one address.
  sessionCreatesPerMin: fineLimit(
    'session-creates-per-min',
    serverText.help.sessionCreatesPerMin,
    10,
    {
      min: 1,
      max: 100_000,
    },
  ),
  sessionCreatesBurst: fineLimit('session-creates-burst', serverText.help.sessionCreatesBurst, 20, {
    min: 1,
    max: 100_000,
  }),
  joinsPerMin: fineLimit('joins-per-min', serverText.help.joinsPerMin, 60, {
    min: 1,
    max: 100_000,
  }),
  joinsBurst: fineLimit('joins-burst', serverText.help.joinsBurst, 60, { min: 1, max: 100_000 }),
  maxSessionsPerAddress: fineLimit(
    'max-sessions-per-address',
    serverText.help.maxSessionsPerAddress,
    100,
    { min: 1, max: 300_000 },
  ),
  maxMailboxesPerAddress: fineLimit(
    'max-mailboxes-per-address',
    serverText.help.maxMailboxesPerAddress,
    2000,
    { min: maxMailboxes, max: 1_000_000 },
  ),
  maxWsConnections: limit('max-ws-connections', serverText.help.maxWsConnections, 20_000, {
    min: 1,
    max: 1_000_000,
  }),
  maxWsConnectionsPerAddress: fineLimit(
    'max-ws-connections-per-address',
    serverText.help.maxWsConnectionsPerAddress,
    100,
    { min: 1, max: 100_000 },
  ),
  // Less than a fifth of the memory limit in the systemd unit.
  maxHeldBytes: fineLimit('max-held-bytes', serverText.help.maxHeldBytes, 128 * mebibyte, {
    min: mebibyte,
    max: 64 * 1024 * mebibyte,
  }),
  wsIdleTimeout: fineLimit('ws-idle-timeout', serverText.help.wsIdleTimeout, 90, {
    min: 15,
    max: hour,
    isDuration: true,
  }),
  sessionTimeout: fineLimit('session-timeout', serverText.help.sessionTimeout, 24 * hour, {
    min: 60,
    max: 7 * 24 * hour,
    isDuration: true,
  }),
  turnUrls: setting('turn-url', serverText.help.turnUrls, [], {
    formError: relayListError,
    isLimit: true,
  }),
  turnSecret: setting('turn-secret-file', serverText.help.turnSecret, '', {
    env: 'THRU_TURN_SECRET',
    isSecret: true,
    // A secret must be replaceable, because more and more people learn it.
    isLimit: true,
    // A client with credentials can test guessed secrets offline.
    min: 16,
    max: 256,
  }),
  turnTtl: setting('turn-ttl', serverText.help.turnTtl, 600, {
    min: 60,
    max: turnBounds.ttlS,
    isDuration: true,
    isLimit: true,
  }),
  turnGrantsPerHour: limit('turn-grants-per-hour', serverText.help.turnGrantsPerHour, 240, {
    min: 1,
    max: 100_000,
  }),
  serverRelays: limit('server-relays', serverText.help.serverRelays, 0, { min: 0, max: 10_000 }),
  // 10 Mbit/s transfers a photo in seconds, and a gigabit line carries a hundred such pairs.
  serverRelayBytesPerSec: limit(
    'server-relay-bytes-per-sec',
    serverText.help.serverRelayBytesPerSec,
    1_250_000,
    {
      min: 16_384,
      max: 1_000_000_000,
    },
  ),
  serverRelayBytes: limit('server-relay-bytes', serverText.help.serverRelayBytes, 1024 * mebibyte, {
    min: mebibyte,
    max: 1024 * 1024 * mebibyte - 1,
  }),
  web: setting('web', serverText.help.web, '', { formError: webError }),
  webRelays: fineLimit('web-relays', serverText.help.webRelays, 100, { min: 1, max: 10_000 }),
  webBytesPerSec: fineLimit('web-bytes-per-sec', serverText.help.webBytesPerSec, 1_250_000, {
    min: 16_384,
    max: 1_000_000_000,
  }),
  webBytes: fineLimit('web-bytes', serverText.help.webBytes, 1024 * mebibyte, {
    min: mebibyte,
    max: 1024 * 1024 * mebibyte - 1,
  }),
  serverPasswords: setting('server-password-file', serverText.help.serverPasswords, [], {
    env: 'THRU_SERVER_PASSWORD',
    isSecret: true,
    isLimit: true,
    formError: passwordsError,
  }),
  trustProxy: setting('trust-proxy', serverText.help.trustProxy, [], {
    formError: proxyListError,
  }),
  proxyProtocol: setting('proxy-protocol', serverText.help.proxyProtocol, false),
  trustLoopback: setting('trust-loopback', serverText.help.trustLoopback, false),
  metrics: setting('metrics', serverText.help.metrics, '', { formError: metricsError }),
  logAddresses: setting('log-addresses', serverText.help.logAddresses, 'none', {
    formError: addressFormError,
  }),
  drainTime: setting('drain-time', serverText.help.drainTime, 5, {
    min: 0,
    max: maxDrainSeconds,
    isDuration: true,
  }),
  stateFile: setting('state-file', serverText.help.stateFile, ''),
  redis: setting('redis', serverText.help.redis, '', {
    env: 'REDIS_URL',
    formError: redisError,
    shown: (value) => String(value).replace(/(:\/\/[^:@/]*:)[^@/]*@/, `$1${serverText.hidden}@`),
  }),
  nodeName: setting('node-name', serverText.help.nodeName, '', { formError: nodeNameError }),
  installUrl: setting('install-url', serverText.help.installUrl, '', {
    formError: installUrlError,
  }),
}
