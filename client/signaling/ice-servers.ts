/**
 * STUN and TURN servers as people write them, and as the engine needs them: `stun:host[:port]`,
 * `turn:user:password@host[:port][?transport=udp|tcp]`, `turns:user:password@host[:port]`. A user or password may be
 * percent-encoded, and an IPv6 address is in brackets. The default port is 3478, and 5349 for `turns:`.
 */
import { lookup } from 'node:dns'
import { isIP } from 'node:net'
import { type Clock, systemClock } from '#client/clock'
import type { IceServers, RelayProxy } from '#client/engine'
import { withTimeout } from '#client/with-timeout'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'

/** A server with an unresolved name. */
export type StunServer = { readonly host: string; readonly port: number }

/** A relay with an unresolved name. */
export type TurnServer = StunServer & {
  readonly user: string
  readonly password: string
  /** `ws` and `wss` denote a signaling server's server relay at `path`, for the ticket in `password`. */
  readonly transport: 'udp' | 'tcp' | 'tls' | 'ws' | 'wss'
  readonly path?: string
  /** The name in its TLS certificate, once `host` is an address. */
  readonly name?: string
  /** The proxy for the relay; see `throughProxies`. */
  readonly proxy?: RelayProxy
}

/** Parsed configuration. */
export type IceConfig = {
  readonly stun: readonly StunServer[]
  readonly turn: readonly TurnServer[]
}

/** The lines as a person wrote them. */
export type IceText = {
  readonly stun: readonly string[]
  readonly turn: readonly string[]
}

const defaultPort = 3478
const defaultTlsPort = 5349
const maxLineLength = 1000
const maxServers = 16

const hostAndPort = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/

/** Parses every line. Error: `E_BAD_ARGUMENT`, without the line's password. */
export function parseIceConfig(text: IceText): Result<IceConfig, AppError> {
  if (text.stun.length + text.turn.length > maxServers) {
    return err(
      appError(
        'E_BAD_ARGUMENT',
        `More than ${maxServers} STUN and TURN servers are configured. Use fewer.`,
      ),
    )
  }
  const stun: StunServer[] = []
  for (const line of text.stun) {
    const server = parseStun(line)
    if (!server.ok) return server
    stun.push(server.value)
  }
  const turn: TurnServer[] = []
  for (const line of text.turn) {
    const server = parseTurn(line)
    if (!server.ok) return server
    turn.push(server.value)
  }
  return ok({ stun, turn })
}

function parseStun(line: string): Result<StunServer, AppError> {
  const rest = afterScheme(line, 'stun')
  if (!rest.ok) return rest
  const place = parsePlace(rest.value)
  return place === null ? bad(line, notStun) : ok(place)
}

function parseTurn(line: string): Result<TurnServer, AppError> {
  const isTls = /^\s*turns:/i.test(line)
  const rest = afterScheme(line, isTls ? 'turns' : 'turn')
  if (!rest.ok) return rest
  const [address, query, ...more] = rest.value.split('?')
  const protocol = query === undefined ? null : /^transport=(udp|tcp)$/.exec(query)?.[1]
  if (isTls && protocol === 'udp') {
    return bad(
      line,
      (server) => `${server} uses TLS, which goes over TCP. Leave its parameter out.`,
    )
  }
  const transport = isTls && protocol !== undefined ? 'tls' : protocol === null ? 'udp' : protocol
  if (address === undefined || more.length > 0 || !isTransport(transport)) {
    return bad(
      line,
      (server) => `${server} has unknown parameters. Use ?transport=udp or ?transport=tcp.`,
    )
  }
  // A password may contain "@" and ":"; a host contains no "@", a user no ":".
  const at = address.lastIndexOf('@')
  const colon = address.indexOf(':')
  if (at < 0 || colon < 0 || colon > at) {
    return bad(line, notTurn)
  }
  const user = percentDecoded(address.slice(0, colon))
  const password = percentDecoded(address.slice(colon + 1, at))
  const place = parsePlace(address.slice(at + 1), isTls ? defaultTlsPort : defaultPort)
  if (user === null || user === '' || password === null || password === '') {
    return bad(
      line,
      (server) =>
        `${server} lacks a user or a password. Percent-encode special characters in them.`,
    )
  }
  if (place === null) return bad(line, notTurn)
  const name = isTls ? { name: place.host } : {}
  return ok({ ...place, ...name, user, password, transport })
}

const isTransport = (text: string | undefined): text is TurnServer['transport'] =>
  text === 'udp' || text === 'tcp' || text === 'tls'

/** Both `stun:host` and `stun://host` are in use. */
function afterScheme(line: string, scheme: 'stun' | 'turn' | 'turns'): Result<string, AppError> {
  const isNone = scheme === 'stun' ? notStun : notTurn
  if (line.length > maxLineLength) return bad(line.slice(0, 40), isNone)
  const match = /^([a-z]+):(?:\/\/)?(.+)$/i.exec(line.trim())
  const found = match?.[1]?.toLowerCase()
  if (found === `${scheme}s`) {
    return bad(
      line,
      (server) => `${server} uses TLS, which isn't supported. Use ${scheme}: instead.`,
    )
  }
  return found === scheme && match?.[2] !== undefined ? ok(match[2]) : bad(line, isNone)
}

function parsePlace(text: string, otherwise = defaultPort): StunServer | null {
  const match = hostAndPort.exec(text)
  if (match === null) return null
  const [, bracketed, plain, portText] = match
  const host = bracketed ?? plain ?? ''
  const port = portText === undefined ? otherwise : Number(portText)
  const isHost = bracketed === undefined ? /^[\p{L}\p{N}._-]{1,253}$/u.test(host) : isIP(host) === 6
  return isHost && port >= 1 && port <= 65_535 ? { host, port } : null
}

function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

const notStun = (server: string): string =>
  `${server} isn't a STUN server. Write it like stun:host:port.`

const notTurn = (server: string): string =>
  `${server} isn't a TURN server. Write it like turn:user:password@host:port.`

/** Makes an error; `inWords` receives the line without its password. */
function bad(line: string, inWords: (server: string) => string) {
  const shown = line.replace(/:[^:@]*(?:[:@].*)?@/, ':***@')
  return err(appError('E_BAD_ARGUMENT', inWords(`"${shown}"`), shown))
}

/** All addresses of a name, as from `dns.lookup`. */
export type Lookup = (host: string) => Promise<readonly { address: string; family: number }[]>

/** The system's resolver. */
export const systemLookup: Lookup = (host) =>
  new Promise((resolve, reject) => {
    lookup(host, { all: true }, (reason, addresses) => {
      if (reason === null) resolve(addresses)
      else reject(reason)
    })
  })

/** A resolver that queries several name servers in turn gives up sooner. */
const lookupTimeoutMs = 20_000

/** Resolves names. Error: `E_BAD_ARGUMENT` if a name has no address, or resolving takes too long. */
export async function resolveIceServers(
  config: IceConfig,
  lookUp: Lookup = systemLookup,
  clock: Clock = systemClock,
): Promise<Result<Pick<IceServers, 'stun' | 'turn'>, AppError>> {
  const [stun, turn] = await Promise.all([
    Promise.all(config.stun.map((server) => resolved(server, lookUp, clock))),
    Promise.all(config.turn.map((server) => resolved(server, lookUp, clock))),
  ])
  const failed = [...stun, ...turn].find((server) => !server.ok)
  if (failed?.ok === false) return failed
  return ok({
    stun: stun.flatMap((server) => (server.ok ? [server.value] : [])),
    turn: turn.flatMap((server) => (server.ok ? [server.value] : [])),
  })
}

/** Resolves one server's name. Errors are those of `resolveIceServers`. */
export async function resolved<S extends StunServer>(
  server: S,
  lookUp: Lookup,
  clock: Clock,
): Promise<Result<S, AppError>> {
  if (isIP(server.host) !== 0) return ok(server)
  try {
    const addresses = await withTimeout(clock, lookupTimeoutMs, lookUp(server.host), () => [])
    // Prefers IPv4, where address translation makes these servers necessary.
    const best = addresses.find(({ family }) => family === 4) ?? addresses[0]
    if (best !== undefined) return ok({ ...server, host: best.address })
  } catch {
    // The error below contains the name instead of the resolver's code.
  }
  return err(
    appError('E_BAD_ARGUMENT', `"${server.host}" has no address. Check its name.`, server.host),
  )
}
