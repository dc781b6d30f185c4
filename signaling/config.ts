/**
 * Every setting of the server: its flag, environment variable, default and bounds. A value outside
 * its bounds is an error, never silently another value.
 */
import { readFileSync } from 'node:fs'
import { type AppError, appError } from '#shared/errors'
import { limits } from '#shared/limits'
import { parseDuration } from '#shared/parse-duration'
import { err, ok, type Result } from '#shared/result'
import { messageAllowance, mostMailboxes, turnBounds } from '#shared/signaling'
import { parseTurnUrl } from '#shared/turn-url'
import { parseHostPort } from '#signaling/host-port'
import { areNetworks } from '#signaling/proxies'
import { serverText } from '#signaling/text'

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
  readonly wsIdleTimeout: number
  readonly sessionTimeout: number
  /** Relays that granted receivers and their senders may use, `turn:host:port?transport=udp`. */
  readonly turnUrls: readonly string[]
  /** What the server shares with the TURN server; empty when there is none. */
  readonly turnSecret: string
  readonly turnTtl: number
  readonly turnGrantsPerHour: number
  /** An address or name to listen at; empty for all interfaces, or for 127.0.0.1 behind a proxy. */
  readonly host: string
  /** Networks of reverse proxies, whose X-Forwarded-For says where clients are. */
  readonly trustProxy: readonly string[]
  /** Count this computer's own addresses only in the limits of all together. */
  readonly trustLoopback: boolean
  /** Where metrics and readiness are, `host:port`; empty for nowhere. */
  readonly metrics: string
}

/** One setting as `--help` shows it; `initial` also says by its type what the flag takes. */
export type Setting = {
  readonly flag: string
  readonly env: string
  readonly help: string
  readonly initial: number | string | boolean | readonly string[]
  /** Bounds of a number or of a text's length, both allowed. */
  readonly min?: number
  readonly max?: number
  /** Takes `90` for seconds, or a time such as `15m` or `24h`. */
  readonly isDuration?: boolean
  /** What else is wrong with a text or a list of the setting `name`; `null` when nothing is. */
  readonly formError?: (value: unknown, name: string) => string | null
  /** The flag takes a file with the value: a command line is for everybody on the computer to see. */
  readonly isSecret?: boolean
}

type Value = Setting['initial']

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

const hour = 3600

const relayListError = (value: unknown, name: string): string | null =>
  Array.isArray(value) &&
  value.length <= turnBounds.urls &&
  value.every((url) => typeof url === 'string' && parseTurnUrl(url) !== null)
    ? null
    : serverText.relays(name, turnBounds.urls)

/** Proxies in front of one server; each hop of each client is looked up in the list. */
const mostProxies = 100

const proxyListError = (value: unknown, name: string): string | null =>
  Array.isArray(value) && value.length <= mostProxies && areNetworks(value)
    ? null
    : serverText.proxies(name, mostProxies)

const metricsError = (value: unknown, name: string): string | null =>
  value === '' || (typeof value === 'string' && parseHostPort(value) !== null)
    ? null
    : serverText.address(name)

/** All settings by their name in `ServerConfig`. */
export const settings: { readonly [name in keyof ServerConfig]: Setting } = {
  port: setting('port', serverText.help.port, 8080, { min: 0, max: 65_535 }),
  host: setting('host', serverText.help.host, ''),
  maxSessions: setting('max-sessions', serverText.help.maxSessions, 10_000, {
    min: 1,
    max: 300_000,
  }),
  // The most that a sender can ask for: how many it serves is for the sender to say.
  maxReceiversPerSender: setting(
    'max-receivers-per-sender',
    serverText.help.maxReceiversPerSender,
    limits.mostReceiversPerShare,
    { min: 1, max: limits.mostReceiversPerShare },
  ),
  maxMessageBytes: setting(
    'max-message-bytes',
    serverText.help.maxMessageBytes,
    limits.signalingFrameBytes,
    { min: 2 * limits.relayBodyBytes, max: limits.signalingFrameBytes },
  ),
  // Above joins and hosts together, so that their limits, which answer in words, act first.
  wsConnectionsPerMin: setting('ws-connections-per-min', serverText.help.wsConnectionsPerMin, 240, {
    min: 1,
    max: 100_000,
  }),
  wsConnectionsBurst: setting('ws-connections-burst', serverText.help.wsConnectionsBurst, 120, {
    min: 1,
    max: 100_000,
  }),
  wsMessagesPerSec: setting(
    'ws-messages-per-sec',
    serverText.help.wsMessagesPerSec,
    messageAllowance.perSecond,
    { min: 1, max: 10_000 },
  ),
  wsMessagesBurst: setting(
    'ws-messages-burst',
    serverText.help.wsMessagesBurst,
    messageAllowance.burst,
    { min: 10, max: 10_000 },
  ),
  // A university or a mobile network shows hundreds of people under one address.
  sessionCreatesPerMin: setting(
    'session-creates-per-min',
    serverText.help.sessionCreatesPerMin,
    10,
    {
      min: 1,
      max: 100_000,
    },
  ),
  sessionCreatesBurst: setting('session-creates-burst', serverText.help.sessionCreatesBurst, 20, {
    min: 1,
    max: 100_000,
  }),
  joinsPerMin: setting('joins-per-min', serverText.help.joinsPerMin, 60, { min: 1, max: 100_000 }),
  joinsBurst: setting('joins-burst', serverText.help.joinsBurst, 60, { min: 1, max: 100_000 }),
  maxSessionsPerAddress: setting(
    'max-sessions-per-address',
    serverText.help.maxSessionsPerAddress,
    100,
    { min: 1, max: 300_000 },
  ),
  maxMailboxesPerAddress: setting(
    'max-mailboxes-per-address',
    serverText.help.maxMailboxesPerAddress,
    2000,
    { min: mostMailboxes, max: 1_000_000 },
  ),
  maxWsConnections: setting('max-ws-connections', serverText.help.maxWsConnections, 20_000, {
    min: 1,
    max: 1_000_000,
  }),
  maxWsConnectionsPerAddress: setting(
    'max-ws-connections-per-address',
    serverText.help.maxWsConnectionsPerAddress,
    100,
    { min: 1, max: 100_000 },
  ),
  wsIdleTimeout: setting('ws-idle-timeout', serverText.help.wsIdleTimeout, 90, {
    min: 15,
    max: hour,
    isDuration: true,
  }),
  sessionTimeout: setting('session-timeout', serverText.help.sessionTimeout, 24 * hour, {
    min: 60,
    max: 7 * 24 * hour,
    isDuration: true,
  }),
  turnUrls: setting('turn-url', serverText.help.turnUrls, [], {
    formError: relayListError,
  }),
  turnSecret: setting('turn-secret-file', serverText.help.turnSecret, '', {
    env: 'THRU_TURN_SECRET',
    isSecret: true,
    // Whoever was given credentials can try secrets on them without asking anybody.
    min: 16,
    max: 256,
  }),
  turnTtl: setting('turn-ttl', serverText.help.turnTtl, 600, {
    min: 60,
    max: turnBounds.ttlS,
    isDuration: true,
  }),
  turnGrantsPerHour: setting('turn-grants-per-hour', serverText.help.turnGrantsPerHour, 240, {
    min: 1,
    max: 100_000,
  }),
  trustProxy: setting('trust-proxy', serverText.help.trustProxy, [], {
    formError: proxyListError,
  }),
  trustLoopback: setting('trust-loopback', serverText.help.trustLoopback, false),
  metrics: setting('metrics', serverText.help.metrics, '', { formError: metricsError }),
}

const names = Object.keys(settings) as (keyof ServerConfig)[]

/** The defaults with `changes`, or `E_BAD_ARGUMENT` naming the setting that is out of bounds. */
export function makeConfig(changes: Partial<ServerConfig>): Result<ServerConfig, AppError> {
  const config: Record<string, Value> = {}
  for (const name of names) {
    const value = changes[name] ?? settings[name].initial
    const error = settingError(settings[name], value)
    if (error !== null) return err(appError('E_BAD_ARGUMENT', error, settings[name].flag))
    config[name] = value
  }
  const { turnUrls, turnSecret, trustProxy, host } = config as ServerConfig
  // Who is behind a proxy doesn't want to be reached past it.
  if (trustProxy.length > 0 && host === '') config['host'] = '127.0.0.1'
  if (turnUrls.length > 0 === (turnSecret !== '')) return ok(config as ServerConfig)
  const missing = turnSecret === '' ? settings.turnSecret : settings.turnUrls
  return err(appError('E_BAD_ARGUMENT', serverText.relayNeedsBoth(missing.flag), missing.flag))
}

/**
 * The settings of a command line (`--flag value`, `--flag=value`, bare switches) over those of the
 * environment over the defaults; lists have commas between, or their flag comes again. Errors: `E_BAD_ARGUMENT` with the flag or variable as subject.
 */
export function readConfig(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Result<ServerConfig, AppError> {
  const changes: Partial<Record<keyof ServerConfig, Value>> = {}
  for (const name of names) {
    const text = env[settings[name].env]
    if (text === undefined || text === '') continue
    const value = parseValue(settings[name], text)
    if (value === null) return unreadable(settings[name].env, text)
    changes[name] = value
  }
  const flagged = new Map<keyof ServerConfig, string>()
  for (let at = 0; at < args.length; at += 1) {
    const [flag = '', ...inline] = (args[at] ?? '').split('=')
    const name = names.find((candidate) => settings[candidate].flag === flag)
    if (name === undefined) return err(appError('E_BAD_ARGUMENT', serverText.unknown(flag), flag))
    const { initial } = settings[name]
    const isSwitch = typeof initial === 'boolean'
    const given = inline.length > 0 ? inline.join('=') : isSwitch ? 'true' : args[(at += 1)]
    if (given === undefined)
      return err(appError('E_BAD_ARGUMENT', serverText.valueMissing(flag), flag))
    const before = typeof initial === 'object' ? flagged.get(name) : undefined
    const text = before === undefined ? given : `${before},${given}`
    flagged.set(name, text)
    const value = settings[name].isSecret ? readSecret(text) : parseValue(settings[name], text)
    if (value === null) return unreadable(flag, text)
    changes[name] = value
  }
  return makeConfig(changes as Partial<ServerConfig>)
}

/** All settings, in the order of `--help`. */
export const configSettings = (): readonly Setting[] => names.map((name) => settings[name])

/** The settings as lines for `--help`. */
export const configHelp = (): string =>
  configSettings()
    .map(({ flag, env, help, initial }) => {
      const value = String(initial)
      return `  ${flag.padEnd(32)} ${help}${value === '' ? '' : ` (default: ${value})`} [${env}]`
    })
    .join('\n')

const unreadable = (subject: string, text: string) =>
  err(appError('E_BAD_ARGUMENT', serverText.unreadable(subject, text.slice(0, 100)), subject))

/** The first line of a file; `null` when it can't be read. */
function readSecret(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').split(/\r?\n/, 1)[0] ?? ''
  } catch {
    return null
  }
}

function parseValue({ initial, isDuration }: Setting, text: string): Value | null {
  if (typeof initial === 'string') return text
  if (typeof initial === 'object') return text.split(',')
  if (typeof initial === 'boolean') return text === 'true' ? true : text === 'false' ? false : null
  if (/^[0-9]{1,12}$/.test(text)) return Number(text)
  return isDuration === true ? parseDuration(text) : null
}

function settingError(
  { flag, initial, min = 0, max = 0, formError }: Setting,
  value: unknown,
): string | null {
  if (typeof initial === 'object') return formError?.(value, flag) ?? null
  if (typeof value !== typeof initial) return serverText.wrongType(flag, typeof initial)
  if (typeof value === 'string') {
    const fits = value === initial || max === 0 || (value.length >= min && value.length <= max)
    return fits ? (formError?.(value, flag) ?? null) : serverText.wrongLength(flag, min, max)
  }
  if (typeof value !== 'number') return null
  const fits = Number.isInteger(value) && value >= min && value <= max
  return fits ? null : serverText.outOfBounds(flag, min, max)
}
