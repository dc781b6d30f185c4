/**
 * The server that a client uses, with its STUN and TURN servers: what was given for this start, else what
 * people set, else what this copy of the program comes with, else the server on this computer.
 */
import type { ClientOptions } from '#client/client-options'
import { type Clock, systemClock } from '#client/clock'
import type { IceServers } from '#client/engine'
import { proxyChooser, type ProxyFor } from '#client/proxy/proxy-choice'
import type { SettingsSource } from '#client/settings/settings-store'
import { answeringFirst } from '#client/signaling/answering-stun'
import {
  type IceConfig,
  type Lookup,
  parseIceConfig,
  resolved,
  resolveIceServers,
  systemLookup,
} from '#client/signaling/ice-servers'
import { LocalServer } from '#client/signaling/local-server'
import { fixedServer, type ServerLocator } from '#client/signaling/server-locator'
import { type AppError, appError } from '#shared/errors'
import { parseProxySetting } from '#shared/proxy-url'
import { err, ok, type Result } from '#shared/result'
import {
  chooseServer,
  type FixedServers,
  type GivenServer,
  usedServerUrl,
} from '#shared/server-choice'
import { parseServerUrl } from '#shared/server-url'

/** Follows the settings: each answer is for what begins now. */
export type UsedServer = {
  /** The same object as long as the address is the same; the embedded one when none is configured. */
  readonly server: ServerLocator
  /** The configured one's address; `null` for the embedded one. */
  readonly serverUrl: string | null
  /** The one that this program brings along. */
  readonly embedded: LocalServer
  readonly fixed: FixedServers
  /** With addresses for names. Error: `E_BAD_ARGUMENT` for lines that make no sense. */
  readonly iceServers: () => Promise<Result<IceServers, AppError>>
  /** False: relays that the server names are not used. */
  readonly usesRelays: () => boolean
  /** What a configured server is reached through. */
  readonly proxyFor: ProxyFor
}

type Options = Pick<
  ClientOptions,
  'serverUrl' | 'ice' | 'localPort' | 'clock' | 'builtInServers' | 'proxy' | 'systemProxy'
>

/**
 * Error: `E_BAD_ARGUMENT` for an address or a proxy that was given for this start. One of the settings that makes
 * no sense keeps no program from starting: each attempt to connect says so.
 */
export function useServer(
  options: Options,
  source: SettingsSource,
  lookUp: Lookup = systemLookup,
): Result<UsedServer, AppError> {
  const ice = options.ice ?? { stun: [], turn: [], relayOnly: false }
  const said = options.serverUrl === null ? null : parseServerUrl(options.serverUrl)
  if (said?.ok === false) return said
  const parsed = parseIceConfig(ice)
  if (!parsed.ok) return parsed
  const { proxy } = options
  if (proxy !== undefined && parseProxySetting(proxy) === null) return err(noProxy)
  const proxyFor = proxyChooser({
    setting: () => parseProxySetting(proxy ?? source.settings.network.proxy),
    environment: process.env,
    system: options.systemProxy,
  })
  const given: GivenServer = {
    url: options.serverUrl ?? undefined,
    stun: ice.stun.length === 0 ? undefined : ice.stun,
    turn: ice.turn.length === 0 ? undefined : ice.turn,
  }
  const fixed = { given: options.serverUrl, builtIn: options.builtInServers ?? [] }
  const choose = () => chooseServer(given, source.settings.network, fixed.builtIn)
  const embedded = new LocalServer(options.localPort)
  let configured: ServerLocator = embedded
  const isGiven = (given.stun ?? given.turn) !== undefined
  return ok({
    get server() {
      const { serverUrl } = this
      if (serverUrl === null || serverUrl === embedded.url) return embedded
      if (configured.url !== serverUrl) configured = fixedServer(serverUrl, proxyFor)
      return configured
    },
    get serverUrl() {
      return usedServerUrl(fixed, source.settings.network)
    },
    ...{ embedded, fixed, proxyFor },
    iceServers: async () => {
      const { stun, turn, relayOnly } = choose()
      const config = parseIceConfig({ stun, turn, relayOnly: relayOnly || ice.relayOnly })
      if (!config.ok) return config
      const resolve = isGiven ? resolveIceServers : resolveUsable
      const servers = await resolve(config.value, lookUp, options.clock)
      // Who wants only relays does not show its address to a STUN server.
      if (!servers.ok || servers.value.relayOnly) return servers
      return ok({ ...servers.value, stun: await answeringFirst(servers.value.stun, options.clock) })
    },
    usesRelays: () => source.settings.network.relay !== 'never' || given.turn !== undefined,
  })
}

/** The proxy may have a password in it, and isn't repeated. */
const noProxy = appError(
  'E_BAD_ARGUMENT',
  "This isn't the address of a proxy. Write it like http://host:port or socks5://host:port, or say system or none.",
)

/**
 * What is set for good must not end a transfer on a network without the internet: a server whose name
 * has no address now is left out, unless nothing would be left of relays that alone are to be used.
 */
async function resolveUsable(
  { stun, turn, relayOnly }: IceConfig,
  lookUp: Lookup,
  clock: Clock = systemClock,
): Promise<Result<IceServers, AppError>> {
  const [stuns, turns] = await Promise.all([
    Promise.all(stun.map((server) => resolved(server, lookUp, clock))),
    Promise.all(turn.map((server) => resolved(server, lookUp, clock))),
  ])
  const usable = {
    stun: stuns.flatMap((server) => (server.ok ? [server.value] : [])),
    turn: turns.flatMap((server) => (server.ok ? [server.value] : [])),
    relayOnly,
  }
  const failed = turns.find((server) => !server.ok)
  return relayOnly && usable.turn.length === 0 && failed?.ok === false ? failed : ok(usable)
}
